import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { publicEdits, publicTypes } from './public-types.ts'

const tsconfig = join(appDirectory, 'tsconfig.build.json')

/** An application without the types of Node or of a browser lacks this name. If it exists, the empty declaration adds nothing. */
const globals = 'declare global {\n  interface AbortSignal {}\n}\n'

/** The public entries of the package, and their sources. */
const entries = { '.': 'src/lib/index', './testing': 'src/testing/index' } as const

type PublicEntry = keyof typeof entries

/** The types of the library, from those of the testing entry. */
const libraryTypes = 'cloud-profile-service'

/** The public types of the library that the testing entry uses, by source file. */
const typesOfLibrary = {
  'src/lib/base/env': 'Env',
  'src/lib/profile/cloud-profile': 'CloudProfile',
} as const

export interface PublicTypes {
  /** The declarations of each entry, which need no other package, nor the types of Node. */
  readonly declarations: Readonly<Record<PublicEntry, string>>
  /** The files of other packages whose types stand in them. */
  readonly typeFiles: readonly string[]
}

/** Renders the public declarations of the package: one text per entry. */
export async function renderTypes(): Promise<PublicTypes> {
  // Below the project, so that the compiler finds the packages.
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  const each = await mkdtemp(join(appDirectory, 'dist/types-'))
  try {
    await emitDeclarations(each)
    for (const [source, text] of Object.entries(publicTypes())) await writeFile(join(each, `${source}.d.ts`), text)
    for (const [source, [text, replacement]] of Object.entries(publicEdits())) {
      const file = join(each, `${source}.d.ts`)
      const declaration = await readFile(file, 'utf8')
      if (!declaration.includes(text)) throw new Error(`${source} no longer declares ${text}`)
      await writeFile(file, declaration.replace(text, replacement))
    }
    const library = await rollUp(join(each, `${entries['.']}.d.ts`))
    for (const [source, names] of Object.entries(typesOfLibrary)) {
      await writeFile(join(each, `${source}.d.ts`), `export type { ${names} } from '${libraryTypes}'`)
    }
    const testing = await rollUp(join(each, `${entries['./testing']}.d.ts`))
    return {
      declarations: { '.': globals + library.code, './testing': testing.code },
      typeFiles: [...library.typeFiles, ...testing.typeFiles],
    }
  } finally {
    await rm(each, { recursive: true, force: true })
  }
}

async function emitDeclarations(outDir: string): Promise<void> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const args = [tsc, '-p', tsconfig, '--outDir', outDir]
  await promisify(execFile)(process.execPath, args, { cwd: appDirectory }).catch((error: unknown) => {
    const message = `The types of the library could not be built\n${(error as { stdout?: string }).stdout}`
    throw new Error(message, { cause: error })
  })
}

async function rollUp(input: string): Promise<{ readonly code: string; readonly typeFiles: readonly string[] }> {
  const bundle = await rolldown({
    input,
    external: [libraryTypes],
    plugins: [dts({ dtsInput: true, generator: 'oxc', sourcemap: false, tsconfig })],
    resolve: { conditionNames: ['types', 'import', 'default'], symlinks: false },
    onLog: () => undefined,
  })
  const {
    output: [{ code, modules }],
  } = await bundle.generate({})
  const typeFiles = Object.entries(modules)
    .filter(([path, { renderedLength }]) => path.includes('node_modules') && renderedLength > 0)
    .map(([path]) => path)
  return { code, typeFiles }
}
