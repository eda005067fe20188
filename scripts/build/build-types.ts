import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { appDirectory } from '../../src/cli/app-directory.ts'
import { faultTable } from 'cloud-profile-enclave/choices'
import { findings } from '../../src/lib/findings/catalog.ts'
import { warningFindings } from '../../src/lib/findings/warning-findings.ts'
import { cloudEnvironments } from '../../src/lib/clouds/cloud-profile.ts'
import { type Field, fieldBelow, fields, profileField, shapeOf } from '../../src/lib/profile/field-path.ts'
import { settingRows } from '../../src/lib/variables.ts'

const tsconfig = join(appDirectory, 'tsconfig.build.json')

/** An application without the types of Node or of a browser lacks this name. If it exists, the empty declaration adds nothing. */
const globals = 'declare global {\n  interface AbortSignal {}\n}\n'

/** As the types of Node declare it for an application without the newest library of the compiler. */
const disposal = 'declare global {\n  interface SymbolConstructor {\n    readonly asyncDispose: unique symbol\n  }\n}\n'

/** The public types of the main entry that the metadata entry uses, by source file. */
const typesOfLibrary = {
  'src/lib/base/env': 'Env',
} as const

const library = 'cloud-profile-service'

/** Tables whose declaration would bring all their rows along: the public types need the names of the rows alone. */
const tables: Readonly<Record<string, readonly [name: string, rows: object]>> = {
  'src/lib/findings/catalog': ['rows', findings],
  'src/lib/findings/warning-findings': ['warningFindings', warningFindings],
  'packages/enclave/src/faults/fault': ['table', faultTable],
}

interface LibraryTypes {
  /** The main entry. Like each text here it needs no other package, nor the types of Node. */
  readonly entry: string
  readonly metadata: string
  /** The long types that the main entry imports. */
  readonly types: string
  /** The files of other packages whose types are in them. */
  readonly typeFiles: readonly string[]
}

/** Renders the public declarations of the library from what the compiler emits. */
export const renderLibraryTypes = (): Promise<LibraryTypes> =>
  withDeclarations(async (fileOf) => {
    const main = await rollUp(fileOf('src/lib/index'))
    for (const [source, names] of Object.entries(typesOfLibrary)) {
      await writeFile(fileOf(source), `export type { ${names} } from '${library}'`)
    }
    const metadata = await rollUp(fileOf('src/lib/discovery'))
    const { entry, rest } = arrange(main.code)
    return {
      entry: globals + entry,
      metadata: globals + metadata.code,
      types: rest,
      typeFiles: [...main.typeFiles, ...metadata.typeFiles],
    }
  })

/** Renders the public declarations of the enclave, which contain the type of a profile. */
export const renderEnclaveTypes = (): Promise<{ readonly entry: string; readonly typeFiles: readonly string[] }> =>
  withDeclarations(async (fileOf) => {
    const { code, typeFiles } = await rollUp(fileOf('packages/enclave/src/index'), fileOf('src/lib/index'))
    return { entry: disposal + code, typeFiles }
  })

/** Lets the compiler emit every declaration, and shortens the long ones. */
async function withDeclarations<T>(render: (fileOf: (source: string) => string) => Promise<T>): Promise<T> {
  // Below the project, so that the compiler finds the packages.
  await mkdir(join(appDirectory, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(appDirectory, 'dist/types-'))
  const fileOf = (source: string) => join(folder, `${source}.d.ts`)
  try {
    await emitDeclarations(folder)
    for (const [source, [name, rows]] of Object.entries(tables)) {
      const text = await readFile(fileOf(source), 'utf8')
      const short = text.replace(
        new RegExp(`(declare const ${name}: )\\{\\n[^]*?\\n\\}(?=;)`),
        (_, start: string) => `${start}Readonly<Record<${quoted(Object.keys(rows))}, object>>`,
      )
      if (short === text) throw new Error(`${source} declares no table ${name}`)
      await writeFile(fileOf(source), short)
    }
    for (const [source, text] of Object.entries(simpler)) await writeFile(fileOf(source), text)
    return await render(fileOf)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' | ')

/** The variables with the texts of their table, where an editor shows them. */
function renderEnv(): string {
  const rows = settingRows.map(({ name, meaning, default: fallback, unset, choices }) => {
    const unsetText = fallback ?? unset
    const text = `${meaning.replace(/\.$/, '')}.${unsetText === undefined ? '' : ` Default: ${unsetText}.`}`
    const values = choices === undefined ? 'string' : `${quoted(choices)} | (string & {})`
    return `  /** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n  readonly ${name}?: ${values} | undefined`
  })
  // Node and other tools spell these in lower case.
  const proxies = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy']
  return `/** Environment variables by name. A blank value counts as unset. */
export interface Env {
${rows.join('\n')}
${proxies.map((name) => `  readonly ${name}?: string | undefined`).join('\n')}
  readonly [name: Uppercase<string>]: string | undefined
}`
}

/** The types of a profile as interfaces with the texts of the schema: without the types of zod. */
function renderProfile(): string {
  const service = fieldBelow(fields.find(({ path }) => path === 'services') ?? profileField, '') ?? profileField
  return `/** The kinds of cloud that a profile can describe. */
export declare const cloudEnvironments: readonly [${cloudEnvironments.map((each) => `'${each}'`).join(', ')}]
export type CloudEnvironment = (typeof cloudEnvironments)[number]
/** The values that a cloud publishes for a service. At least one of suffix, address and audience is present. */
export interface CloudService ${typeOf(service)}
/** Every environment-specific value of one cloud. A field without a value is absent, never \`undefined\`. */
export interface CloudProfile ${typeOf(profileField)}
/** A service whose host names a profile can build. */
export type DnsService = keyof CloudProfile['serviceDnsSuffixes']
/** A cloud: a profile, or the part of one that is published. */
export type CloudFile = Partial<CloudProfile> & Pick<CloudProfile, 'name' | 'displayName'>`
}

function typeOf(field: Field): string {
  const { def } = field.schema._zod
  if (def.type === 'enum') return 'CloudEnvironment'
  if (def.type === 'array') return 'readonly string[]'
  const shape = shapeOf(field)
  if (def.type === 'record') {
    const value = fieldBelow(field, '')
    return `Readonly<Record<string, ${value && shapeOf(value) ? 'CloudService' : 'string'}>>`
  }
  if (shape === undefined) return def.type
  const lines = Object.keys(shape).flatMap((key) => {
    const below = fieldBelow(field, key)
    if (below === undefined) return []
    return `/** ${below.description} */\nreadonly ${key}${below.isOptional ? '?' : ''}: ${typeOf(below)}`
  })
  return `{\n${lines.join('\n').replaceAll(/^/gm, '  ')}\n}`
}

/** Declarations that are simpler for an application than for the sources. */
const simpler = {
  'src/lib/clouds/cloud-profile': renderProfile(),
  'src/lib/base/env': renderEnv(),
  'src/lib/findings/evidence': `/** The values that prove a failure, by name, such as \`issuer\`. Text of other systems; never a secret. */
export type Evidence = { readonly [name: string]: string }`,
  'src/lib/auth/credential-plan': `import type { AuthMode } from '../settings/setting-table'
/** The values that a credential is built from. Secrets print as \`[redacted]\`. */
export interface CredentialPlan {
  readonly mode: AuthMode
  /** The kind of credential. */
  readonly credential: string
  /** Name of the cloud profile. */
  readonly profile: string
  /** Milliseconds of one token attempt. */
  readonly timeoutMs: number
  /** Fields of the profile that still hold a placeholder. */
  readonly placeholders: readonly string[]
}`,
} as const

/** What an application uses first stands first, by these names; then the rest, functions before types. */
const firstNames = `
  resolveCloud CloudOptions Cloud ServiceAccess ClientOptionsOf ServiceClientOptions ResourceManagerAccess
  TokenValidation TokenCredential AccessToken GetTokenOptions CredentialOptions SignInPrompt
  CredentialSettings ServiceError Change Warning scopeFor serviceUrl resourceManagerUrl resolveCloudProfile
`
  .trim()
  .split(/\s+/)

/** Parts a rolled-up file into what a reader needs first, functions and values, and the other types. */
function arrange(code: string): { readonly entry: string; readonly rest: string } {
  const parts = code.split(/(?<=^(?:\}.*|(?:import|export|type|declare (?:const|function)) .*);?\n)(?=\S)/m)
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
  const rest = others.join('').replaceAll(/^.{160,}$/gm, (line) => line.replaceAll(/(.{110,150}?) \| /g, '$1\n  | '))
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

/** @param inlined The declarations that replace an import of the library. Without them the import stays. */
async function rollUp(
  input: string,
  inlined?: string,
): Promise<{ readonly code: string; readonly typeFiles: readonly string[] }> {
  const bundle = await rolldown({
    input,
    external: inlined === undefined ? [library] : [],
    plugins: [
      { name: 'inlined', resolveId: { order: 'pre', handler: (id) => (id === library ? inlined : undefined) } },
      dts({ dtsInput: true, generator: 'oxc', sourcemap: false, tsconfig }),
    ],
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
