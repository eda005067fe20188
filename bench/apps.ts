import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { buildBundle, bundle } from '../build.ts'
import { buildCommandLine } from '../scripts/build/build-command-line.ts'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/** The measured apps, each in a separate directory. */
export interface Apps {
  /** A directory for temporary files, removed after the run. */
  readonly directory: string
  /** Our deployable files, outside of the repository, so that no other file of it affects the figures. */
  readonly ours: string
  /** The content of our package: the deployable files and the command. */
  readonly packaged: string
  /** One function that returns a short JSON text. */
  readonly hello: string
  remove(): Promise<void>
}

export async function createApps(): Promise<Apps> {
  const built = await buildBundle()
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const ours = join(directory, 'ours')
  for (const path of ['host.json', 'package.json', 'cloud-profiles', ...built.files])
    await cp(join(repository, path), join(ours, path), { recursive: true })
  const packaged = join(directory, 'packaged')
  await cp(ours, packaged, { recursive: true })
  await buildCommandLine(join(packaged, 'dist/cli'))
  return {
    directory,
    ours,
    packaged,
    hello: await createHello(join(directory, 'hello')),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The bundle of a hello-world function. */
async function createHello(directory: string): Promise<string> {
  await mkdir(join(directory, 'dist'), { recursive: true })
  await cp(join(repository, 'host.json'), join(directory, 'host.json'))
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'hello', main: 'dist/main.cjs' }))
  const contents = `import { app } from '@azure/functions'
    app.http('hello', {
      route: 'api/hello',
      methods: ['GET', 'HEAD'],
      authLevel: 'anonymous',
      handler: async () => ({ jsonBody: { message: 'Hello, world!' } }),
    })`
  // Without our plugins, as in any other app.
  await esbuild.build({
    ...bundle,
    stdin: { contents, resolveDir: repository },
    outfile: join(directory, 'dist/main.cjs'),
  })
  return directory
}
