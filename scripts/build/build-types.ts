import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { publicTypes, sharedTypes } from './public-types.ts'

const tsconfig = join(appDirectory, 'tsconfig.build.json')

/** An application without the types of Node or of a browser lacks this name. If it exists, the empty declaration adds nothing. */
const globals = 'declare global {\n  interface AbortSignal {}\n}\n'

/** As the types of Node declare it for an application without the newest library of the compiler. */
const disposal = 'declare global {\n  interface SymbolConstructor {\n    readonly asyncDispose: unique symbol\n  }\n}\n'

/** The public entries of the package, and their sources. */
const entries = { '.': 'src/lib/index', './metadata': 'src/lib/discovery', './testing': 'src/testing/index' } as const

type PublicEntry = keyof typeof entries

const library = 'cloud-profile-service'

/** The public types of the main entry that the other entries use, by source file. */
const typesOfLibrary = {
  'src/lib/base/env': 'Env',
  'src/lib/profile/cloud-profile': 'CloudProfile, DnsService',
} as const

/** The long lists stand in a separate file, so that a person can read the main entry. */
const longTypes = 'cloud-profile-types'

export interface PublicTypes {
  /** The declarations of each entry, which need no other package, nor the types of Node. */
  readonly declarations: Readonly<Record<PublicEntry, string>>
  /** The long lists that the main entry imports. */
  readonly sharedTypes: string
  /** The files of other packages whose types stand in them. */
  readonly typeFiles: readonly string[]
}

/** Renders the public declarations of the package: one text per entry. */
export async function renderTypes(): Promise<PublicTypes> {
  // Below the project, so that the compiler finds the packages.
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  const each = await mkdtemp(join(appDirectory, 'dist/types-'))
  const write = (source: string, text: string) => writeFile(join(each, `${source}.d.ts`), text)
  try {
    await emitDeclarations(each)
    for (const [source, text] of Object.entries(publicTypes())) await write(source, text)
    const shared = sharedTypes()
    for (const [source, { names, values = '' }] of Object.entries(shared)) {
      await write(source, `export type { ${names.join(', ')} } from '${longTypes}'\n${values}`)
    }
    const main = await rollUp(join(each, `${entries['.']}.d.ts`))
    for (const [source, names] of Object.entries(typesOfLibrary)) {
      await write(source, `export type { ${names} } from '${library}'`)
    }
    const metadata = await rollUp(join(each, `${entries['./metadata']}.d.ts`))
    const testing = await rollUp(join(each, `${entries['./testing']}.d.ts`))
    const lists = Object.values(shared).map(({ text }) => text)
    const { entry, rest } = arrange(main.code, lists.join('\n\n'))
    return {
      declarations: {
        '.': globals + entry,
        './metadata': globals + metadata.code,
        './testing': disposal + testing.code,
      },
      sharedTypes: rest,
      typeFiles: [main, metadata, testing].flatMap((rolled) => rolled.typeFiles),
    }
  } finally {
    await rm(each, { recursive: true, force: true })
  }
}

/** What an application uses first stands first, by these names; then the rest, functions before types. */
const firstNames = [
  'resolveCloud',
  'CloudOptions',
  'Cloud',
  'ServiceAccess',
  'ClientOptionsOf',
  'ServiceClientOptions',
  'ResourceManagerAccess',
  'TokenValidation',
  'TokenCredential',
  'AccessToken',
  'GetTokenOptions',
  'CredentialOptions',
  'SignInPrompt',
  'CredentialSettings',
  'ServiceError',
  'Change',
  'Warning',
  'scopeFor',
  'serviceUrl',
  'resourceManagerUrl',
  'resolveCloudProfile',
]

/** Parts a rolled-up file into what a reader needs first, functions and values, and the other types, which follow the long lists. */
function arrange(code: string, lists: string): { readonly entry: string; readonly rest: string } {
  const parts = code
    .split(/(?<=^(?:\}.*|(?:import|export|type|declare (?:const|function)) .*);?\n)(?=\S)/m)
    .filter((part) => !/^import /m.test(part))
  const isValue = (part: string) => new RegExp(`^export .*[{,] ${nameOf(part)}[ ,]`, 'm').test(code)
  const isFirst = (part: string) =>
    firstNames.includes(nameOf(part)) || /^(?:declare function|export )/m.test(part) || isValue(part)
  const rankOf = (part: string) => {
    const rank = firstNames.indexOf(nameOf(part))
    return /^export /m.test(part) ? Infinity : rank < 0 ? firstNames.length : rank
  }
  const entry = parts
    .filter(isFirst)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .join('')
  const others = parts
    .filter((part) => !isFirst(part))
    .map((part) => part.replace(/^(?=declare|interface|type|class)/m, 'export '))
  const rest = `${lists}\n${others.join('')}`
  return { entry: importTypes(rest, './types.js', entry) + entry, rest: importTypes(entry, './index.js', rest) + rest }
}

const declaration = /^(?:export )?(?:declare )?(?:const|function|class|interface|type) (\w+)/m
const nameOf = (part: string): string => declaration.exec(part)?.[1] ?? ''

/** The import of the names that one text declares and the other uses. */
function importTypes(from: string, file: string, user: string): string {
  const used = user.replaceAll(/\/\*\*.*?\*\//gs, '')
  const declared = [...from.matchAll(new RegExp(declaration, 'gm'))].map(([, name = '']) => name)
  const names = declared.filter((name) => new RegExp(`\\b${name}\\b`).test(used))
  return names.length === 0 ? '' : `import type { ${[...new Set(names)].sort().join(', ')} } from '${file}'\n`
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
    external: [library, longTypes],
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
