import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../../src/cli/app-directory.ts'

const tsconfig = join(appDirectory, 'tsconfig.build.json')

interface PackageTypes {
  /** Declarations by the name of their file, such as `index.d.ts`. They need no other package, nor the types of Node. */
  readonly files: Readonly<Record<string, string>>
  /** The files of other packages whose types are in them. */
  readonly typeFiles: readonly string[]
}

/** The public declarations of a package, as the compiler emits them: a file an entry, and one for the types that they share. */
async function rollUp(entries: Readonly<Record<string, string>>, first: RegExp): Promise<PackageTypes> {
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  // Below the project, so that the compiler finds the packages.
  const folder = await mkdtemp(join(appDirectory, 'dist/types-'))
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
    const args = [tsc, '-p', tsconfig, '--outDir', folder]
    await promisify(execFile)(process.execPath, args, { cwd: appDirectory }).catch((error: unknown) => {
      throw new Error(`The types could not be built\n${(error as { stdout?: string }).stdout}`, { cause: error })
    })
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)])),
      plugins: [
        {
          name: 'library',
          resolveId: {
            order: 'pre',
            handler: (id) => (id === 'cloud-profile-service' ? join(folder, 'src/lib/index.d.ts') : undefined),
          },
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
  rollUp({ index: 'src/lib/index.d.ts', metadata: 'src/lib/discovery.d.ts' }, /lib\/(cloud|index|discovery)\.d\.ts/)

/** The enclave, with the type of a profile in its one file. */
export const buildEnclaveTypes = (): Promise<PackageTypes> => rollUp({ index: 'packages/enclave/src/index.d.ts' }, /./)
