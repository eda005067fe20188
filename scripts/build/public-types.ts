import { faultTable } from '../../src/enclave/faults/fault.ts'
import { findings } from '../../src/lib/findings/catalog.ts'
import { warningFindings } from '../../src/lib/findings/warning-findings.ts'
import { renderKnownFiles } from '../generate/render-known-files.ts'
import { cloudEnvironments } from '../../src/lib/profile/cloud-profile.ts'
import { fieldPaths, fields } from '../../src/lib/profile/field-path.ts'
import { settingRows } from '../../src/lib/variables.ts'

/**
 * Declarations that replace those of the compiler, by source file. The types of the sources derive from tables, and would bring the tables
 * along, with the types of zod. These have the same meaning, and the texts of the tables where an editor shows them.
 */
export function publicTypes(): Readonly<Record<string, string>> {
  return {
    // No public type uses them.
    'src/lib/findings/network-faults': 'export type NetworkRole = string\nexport type NetworkFault = string',
    'src/lib/auth/credential-plan': renderPlan(),
    'src/enclave/faults/fault': renderFaults(),
  }
}

interface SharedTypes {
  readonly names: readonly string[]
  readonly text: string
  /** What stays in the module, because it exists at run time. */
  readonly values?: string
}

/** As {@link publicTypes}, for the long lists, each with the names that it exports. */
export function sharedTypes(): Readonly<Record<string, SharedTypes>> {
  return {
    'src/lib/profile/cloud-profile': {
      names: ['CloudProfile', 'DnsService'],
      text: renderProfile(),
      values: `/** The kinds of cloud that a profile can describe. */
export declare const cloudEnvironments: readonly [${cloudEnvironments.map(quote).join(', ')}]
export type CloudEnvironment = (typeof cloudEnvironments)[number]`,
    },
    'src/lib/base/env': { names: ['Env'], text: renderEnv() },
    'src/lib/clouds/known-files': {
      names: ['CloudName', 'ServiceName'],
      text: renderKnownFiles().replace(/^[^]*?(?=\/\*\* The name of a cloud)/, ''),
    },
    // TypeScript 5.4 finds the recursive type of the sources too deep.
    'src/lib/profile/field-path': {
      names: ['FieldPath'],
      text: `/** A leaf of a profile as a dotted path. */\nexport type FieldPath =${union(fieldPaths)} | \`services.\${string}\` | \`aliases.\${string}\` | \`toolNames.\${string}\``,
    },
    'src/lib/findings/catalog': {
      names: ['FindingCode'],
      text: `/** A code of a ServiceError. */\nexport type FindingCode =${union(Object.keys(findings))}`,
    },
    'src/lib/findings/evidence': {
      names: ['Evidence'],
      text: '/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */\nexport type Evidence = { readonly [name: string]: string }',
    },
    'src/lib/findings/warning-findings': {
      names: ['warningFindings'],
      text: `export declare const warningFindings: Readonly<Record<${union(Object.keys(warningFindings))}, object>>`,
    },
  }
}

/** Variables that Node and other tools spell in lower case. */
const lowerCase = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy']

function renderEnv(): string {
  const rows = settingRows.map(({ name, meaning, default: fallback, unset, choices }) => {
    const unsetText = fallback ?? unset
    const text = `${meaning.replace(/\.$/, '')}.${unsetText === undefined ? '' : ` Default: ${unsetText}.`}`
    const values = choices === undefined ? 'string' : `${choices.map(quote).join(' | ')} | (string & {})`
    return `  /** ${comment(text)} */\n  readonly ${name}?: ${values} | undefined`
  })
  return `/** Environment variables by name. A blank value counts as unset. */
export interface Env {
${rows.join('\n')}
${lowerCase.map((name) => `  readonly ${name}?: string | undefined`).join('\n')}
  readonly [name: Uppercase<string>]: string | undefined
}`
}

/** The types of fields whose names an author chooses. */
const openTypes: Readonly<Record<string, string>> = {
  services: `Readonly<Record<string, {
    /** What follows the name of a resource in its host name. Starts with ".". */
    readonly dnsSuffix?: string
    /** The one address of a service that has no named resources. */
    readonly url?: string
    /** Token audience in the spelling that the service expects. */
    readonly audience?: string
    /** Default is 443. */
    readonly port?: number
    /** Further hosts of the service. */
    readonly otherHosts?: readonly string[]
    /** Whether the service is retired. */
    readonly retired?: boolean
  }>>`,
  toolNames: 'Readonly<Record<string, string>>',
}

function renderProfile(): string {
  const leaf = (name: string) => (name === 'environment' ? cloudEnvironments.map(quote).join(' | ') : 'string')
  const render = (prefix: string, indent: string): string =>
    fields
      .filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'))
      .map(({ path, kind, isOptional, facts: { description } }) => {
        const name = path.slice(prefix.length)
        const type =
          kind === 'record' || kind === 'list'
            ? (openTypes[path] ?? 'readonly string[]')
            : kind === 'group'
              ? `{\n${render(`${path}.`, `${indent}  `)}\n${indent}}`
              : leaf(name)
        return `${indent}/** ${comment(description)} */\n${indent}readonly ${name}${isOptional ? '?' : ''}: ${type}`
      })
      .join('\n')
  return `/** Every environment-specific value of one cloud. A field without a value is absent, never \`undefined\`. */
export interface CloudProfile {
${render('', '  ')}
}
/** A service whose host names a profile can build. */
export type DnsService = keyof CloudProfile['serviceDnsSuffixes']`
}

/** An application passes a plan on; the parts of each mode are of no use to it. */
function renderPlan(): string {
  return `import type { AuthMode } from '../settings/setting-table'
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
}`
}

function renderFaults(): string {
  const targets = [...new Set(Object.values(faultTable).flatMap(({ targets }) => [...targets]))]
  return `import type { FaultParameters } from './fault-parameters'
export type FaultKind =${union(Object.keys(faultTable))}
/** Where a fault applies: a whole role, or one step of it. */
export type FaultTarget =${union(targets)}
/** A fault with its parameters. */
export type FaultChoice = {
  [K in FaultKind]: { readonly kind: K } & (K extends keyof FaultParameters ? FaultParameters[K] : unknown)
}[FaultKind]
// Imported by declarations that are not public.
export type Fault = FaultChoice
export type FaultOf<K> = K
export type FaultRole = string
export type Step = string
export declare const faultTable: object`
}

/** Several members per line: compilers and completion read the list, people do not. */
function union(members: readonly string[]): string {
  const lines: string[] = []
  for (const member of members.map(quote)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + member.length < 130) lines[lines.length - 1] = `${last} | ${member}`
    else lines.push(`  | ${member}`)
  }
  return `\n${lines.join('\n')}`
}

const quote = (text: string): string => `'${text}'`
const comment = (text: string): string => text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')
