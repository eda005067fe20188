import type { Node } from '@vscode/tree-sitter-wasm'
import { endOfText } from '../../lib/base/end-of-text.ts'
import { argumentsOf, type ConstructRow } from './construct.ts'

const query = `(new_expression
  constructor: [(identifier) @name (member_expression object: (identifier) @module property: (property_identifier) @name)]
  arguments: (arguments)? @arguments) @construct`

/** The credentials that ask an authority, with the place of their options. */
const credentials: Readonly<Record<string, number>> = {
  DefaultAzureCredential: 0,
  EnvironmentCredential: 0,
  DeviceCodeCredential: 0,
  InteractiveBrowserCredential: 0,
  OnBehalfOfCredential: 0,
  WorkloadIdentityCredential: 0,
  ClientSecretCredential: 3,
  ClientCertificateCredential: 3,
  ClientAssertionCredential: 3,
  UsernamePasswordCredential: 4,
  AzurePipelinesCredential: 4,
  // Without a secret. With one, the place holds the address to return to.
  AuthorizationCodeCredential: 4,
}

export const scriptConstructs: readonly ConstructRow[] = [
  {
    grammars: ['typescript', 'tsx'],
    kind: 'credential',
    needs: /@azure\/identity/,
    query,
    namesIn(source) {
      const { names } = readImports(source, /["']@azure\/identity["']/g)
      const all = readImports(source, /["'][^"'\n]{1,200}["']/g)
      return ({ name }) => {
        const own = name?.text ?? ''
        // A function of the program may load the library. The names are distinctive, unless the file has its own.
        const isOwn = all.names.has(own) || new RegExp(`\\bclass\\s+${escapeName(own)}\\b`).test(source)
        const meaning = names.get(own) ?? (isOwn ? '' : own)
        return Object.hasOwn(credentials, meaning) ? meaning : undefined
      }
    },
    isMissing: ({ arguments: list }, { source, meaning }) =>
      lacks(argumentsOf(list), credentials[meaning] ?? 0, ['authorityHost'], source),
  },
  {
    grammars: ['typescript', 'tsx'],
    kind: 'management-client',
    needs: /@azure\/arm-/,
    query,
    namesIn(source) {
      const { names, modules } = readImports(source, /["']@azure\/arm-[^"']{1,100}["']/g)
      return ({ name, module }) => {
        const own = name?.text ?? ''
        // A default import has the name of its class.
        const isOfModule = modules.has(module === undefined ? own : module.text)
        const meaning = (module === undefined ? names.get(own) : undefined) ?? (isOfModule ? own : '')
        return /(?:Client|API)$/.test(meaning) ? meaning : undefined
      }
    },
    isMissing({ arguments: list }, { source, meaning }) {
      const given = argumentsOf(list)
      if (given.length === 0 || given.length > 3) return false
      const isSecond = withoutSubscription.test(meaning) || unwrap(given[1])?.type === 'object'
      if (!isSecond && given.length === 2 && /opt|config/i.test(given[1]?.text ?? '')) return false
      return lacks(
        given,
        isSecond ? 1 : 2,
        ['endpoint', 'cloudSetting', 'credentialScopes', '$host', 'baseUri'],
        source,
      )
    },
  },
]

/** Clients of things above subscriptions take their options as the second argument. */
const withoutSubscription = /^(?:Subscription|ManagementGroups|Billing)/

/** A name in a regular expression. */
const escapeName = (name: string) => name.replaceAll('$', '\\$')

interface Imports {
  /** The names in the package, by the names in the file. */
  readonly names: ReadonlyMap<string, string>
  /** The names of the file for the whole package. */
  readonly modules: ReadonlySet<string>
}

/** What comes before the name of a package in an import, a `require` or a dynamic import. */
const beforePackage = /(?:\bfrom\s*|\brequire\(\s*|\bimport\(\s*)$/

/** Reads imports of all forms: `import { A as B }`, `import * as x`, `import x = require()`, `const { A: B } = await import()`. */
function readImports(source: string, packages: RegExp): Imports {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  for (const { index } of source.matchAll(packages)) {
    const before = source.slice(Math.max(0, index - 2100), index)
    const tail = beforePackage.exec(before.slice(-60))?.[0]
    if (tail === undefined) continue
    const bound = before
      .slice(0, before.length - tail.length)
      .trimEnd()
      .replace(/(?:=\s*)?(?:await\s*)?$/, '')
      .trimEnd()
    if (bound.endsWith('}')) {
      for (const item of bound.slice(bound.lastIndexOf('{') + 1, -1).split(',')) {
        const [name = '', own = name] = item
          .replace(/^\s*type\s/, '')
          .split(/\s+as\s+|:/)
          .map((each) => each.trim())
        if (name !== '') names.set(own, name)
      }
    } else {
      const own = endOfText(bound, /[\w$]/)
      if (own !== '') modules.add(own)
    }
  }
  return { names, modules }
}

const wrappers = new Set(['as_expression', 'satisfies_expression', 'parenthesized_expression', 'non_null_expression'])

/** The value without brackets and assertions of its type. */
function unwrap(node: Node | undefined): Node | undefined {
  let inner = node
  while (inner !== undefined && wrappers.has(inner.type)) inner = inner.namedChildren[0] ?? undefined
  return inner
}

function lacks(given: readonly Node[], position: number, keys: readonly string[], source: string): boolean {
  if (given.some(({ type }) => type === 'spread_element')) return false
  const options = unwrap(given[position])
  if (options === undefined) return given.length <= position
  if (options.type === 'undefined' || options.text === 'undefined' || options.type === 'null') return true
  // A constant of the file, in which no cloud is ever mentioned.
  if (options.type === 'identifier') {
    return !keys.some((key) => source.includes(key)) && isPlainConstant(source, options.text)
  }
  if (options.type !== 'object') return false
  return !options.namedChildren.some(
    (child) =>
      child?.type === 'spread_element' ||
      (child?.type === 'shorthand_property_identifier' && keys.includes(child.text)) ||
      keys.includes((child?.childForFieldName('key')?.text ?? '').replace(/^["']|["']$/g, '')),
  )
}

/** Whether a name is declared once, as a constant that is an object whose parts all stand in it, and never as a parameter. */
function isPlainConstant(source: string, name: string): boolean {
  const own = escapeName(name)
  if (new RegExp(`[(,]\\s*${own}\\s*\\??\\s*(?::|=>)`).test(source)) return false
  const [first, second] = [...source.matchAll(new RegExp(`\\b(?:const|let|var)\\s+${own}\\b`, 'g'))]
  if (first === undefined || second !== undefined) return false
  const rest = source.slice(first.index + first[0].length, first.index + 1300)
  const value = /^\s*(?::[\w\s.<>|]{1,100})?=\s*(\{[^{}]{0,1000}\})/.exec(rest)?.[1]
  return value !== undefined && !value.includes('...')
}
