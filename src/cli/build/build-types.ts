import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../app-directory.ts'

/** Declares the name for applications without the types of Node or a browser. */
const globals = 'declare global {\n  interface AbortSignal {}\n}\n'

/**
 * Writes the types of the library as one file that needs no other package and no types of Node.
 *
 * @returns The third-party files whose types are included.
 */
export async function buildTypes(file: string): Promise<readonly string[]> {
  const each = join(appDirectory, 'dist/types')
  const tsconfig = join(appDirectory, 'tsconfig.build.json')
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', tsconfig], { cwd: appDirectory }).catch(
      (error: unknown) => {
        throw new Error(`The types of the library could not be built\n${(error as { stdout?: string }).stdout}`, {
          cause: error,
        })
      },
    )
    const bundle = await rolldown({
      // The source root is the project, because src imports the profiles beside it.
      input: join(each, 'src/lib/index.d.ts'),
      plugins: [dts({ dtsInput: true, sourcemap: false, tsconfig })],
      resolve: { conditionNames: ['types', 'import', 'default'], symlinks: false },
      onLog: () => undefined,
    })
    const {
      output: [types],
    } = await bundle.generate({})
    await writeFile(file, globals + types.code)
    return Object.entries(types.modules)
      .filter(([path, { renderedLength }]) => path.includes('node_modules') && renderedLength > 0)
      .map(([path]) => path)
  } finally {
    await rm(each, { recursive: true, force: true })
  }
}
