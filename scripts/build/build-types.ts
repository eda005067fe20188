import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../../src/cli/app-directory.ts'

const library = 'cloud-profile-service'
const main = 'src/lib/index.d.ts'
const tsconfig = join(appDirectory, 'tsconfig.build.json')

/** Declarations by the name of their file, such as `index.d.ts`, and the files of other packages that they contain. */
type PackageTypes = { readonly files: Readonly<Record<string, string>>; readonly typeFiles: readonly string[] }

/** The public declarations of a package, as the compiler emits them: a file an entry, and one for the types that they share. */
async function rollUp(entries: Readonly<Record<string, string>>, first: RegExp): Promise<PackageTypes> {
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  // Below the project, so that the compiler finds the packages.
  const folder = await mkdtemp(join(appDirectory, 'dist/types-'))
  try {
    const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', tsconfig, '--outDir', folder], { stdio: ['ignore', 2, 2] })
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)])),
      plugins: [
        {
          name: 'library',
          resolveId: { order: 'pre', handler: (id) => (id === library ? join(folder, main) : undefined) },
        },
        dts({ dtsInput: true, generator: 'oxc', sourcemap: false, tsconfig }),
      ],
      resolve: { conditionNames: ['types', 'import', 'default'], symlinks: false },
      onLog: () => undefined,
    })
    const written = await Promise.all(
      ['ts', 'cts'].map((extension) =>
        bundle.generate({
          entryFileNames: `[name].d.${extension}`,
          chunkFileNames: `types.d.${extension}`,
          minifyInternalExports: false,
          codeSplitting: { groups: [{ name: 'types', test: (id) => !first.test(id) }] },
        }),
      ),
    )
    const chunks = written.flatMap(({ output }) => output.filter((each) => each.type === 'chunk'))
    return {
      files: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
      typeFiles: chunks.flatMap(({ moduleIds }) => moduleIds.filter((path) => path.includes('node_modules'))),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The library. Its entry has what an application uses first, and the rest is in `types`. */
export const buildLibraryTypes = (): Promise<PackageTypes> =>
  rollUp({ index: main, metadata: 'src/lib/discovery.d.ts' }, /lib\/(cloud|index|discovery)\.d\.ts/)

/** The enclave, with the type of a profile in its one file. */
export const buildEnclaveTypes = (): Promise<PackageTypes> => rollUp({ index: 'packages/enclave/src/index.d.ts' }, /./)
