import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { leanCredentialLibrary } from '../../scripts/build/bundle-plugins.ts'
import { repository } from './project-copy.ts'

const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
}
/** Development packages are loaded as they are installed. What makes certificates is bundled: its many modules are slow to load. */
const external = Object.keys(devDependencies).filter((name) => !['@peculiar/x509', 'reflect-metadata'].includes(name))

/** What is started often. Its file names differ. */
const entries = [
  'src/cli/cloud-profile.ts',
  'scripts/main.ts',
  'test/support/serve-app.ts',
  'test/lib/auth/children/acquire-token.ts',
] as const

/** It contains the credential library as the deployed bundle does. */
const asDeployed = 'test/security/egress/children/probe-cloud.ts'

/** Each module keeps the address of its source, in the copy of the project that contains the bundle. */
const addressesOfSources: Plugin = {
  name: 'addresses-of-sources',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]((?:src|scripts)[\\/].*|build)\.ts$/ }, async ({ path }) => {
      const address = `new URL(${JSON.stringify(`../${relative(repository, path)}`)}, import.meta.url).href`
      const source = await readFile(path, 'utf8')
      return { contents: source.replaceAll('import.meta.url', address), loader: 'ts' }
    })
  },
}

/** Bundles what tests start often into `commands` of a copy of the project: reading a module per file is most of a short command's time. */
export async function bundleCommands(project: string): Promise<void> {
  const options: BuildOptions = {
    absWorkingDir: repository,
    outdir: join(project, 'commands'),
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    preserveSymlinks: true,
    logLevel: 'warning',
    // For the CommonJS packages inside.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [addressesOfSources],
  }
  await Promise.all([
    build({ ...options, entryPoints: [...entries], external }),
    build({ ...options, entryPoints: [asDeployed], plugins: [addressesOfSources, leanCredentialLibrary] }),
  ])
}
