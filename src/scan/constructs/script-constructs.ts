import type { Node } from '@vscode/tree-sitter-wasm'
import { endOfText } from '../../lib/base/end-of-text.ts'
import { argumentsOf, type ConstructRow } from './construct.ts'
import { placesOfName, plainBody } from './places-of-name.ts'

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
      const all = readImports(source, /["'][^"'\n]+["']/g)
      return ({ name }) => {
        const own = name?.text ?? ''
        // A function of the program may load the library. The names are distinctive, unless the file has its own.
        const isOwn = all.names.has(own) || placesOfName(source, own).some(({ before }) => /\bclass$/.test(before))
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

interface Imports {
  /** The names in the package, by the names in the file. */
  readonly names: ReadonlyMap<string, string>
  /** The names of the file for the whole package. */
  readonly modules: ReadonlySet<string>
}

/** What comes before the name of a package in an import, a `require` or a dynamic import. */
const beforePackage = /\bfrom$|\brequire\($|\bimport\($/

/** Reads imports of all forms: `import { A as B }`, `import * as x`, `import x = require()`, `const { A: B } = await import()`. */
function readImports(source: string, packages: RegExp): Imports {
  const names = new Map<string, string>()
  const modules = new Set<string>()
  for (const { index } of source.matchAll(packages)) {
    const before = source.slice(Math.max(0, index - 2100), index).trimEnd()
    const found = beforePackage.exec(before)
    if (found === null) continue
    const bound = withoutEnd(withoutEnd(before.slice(0, found.index).trimEnd(), 'await'), '=')
    if (bound.endsWith('}')) {
      for (const item of bound.slice(bound.lastIndexOf('{') + 1, -1).split(',')) {
        const parts = item.replace(/^\s*type\s/, '').split(/\sas\s|:/)
        const [name = '', own = name] = parts.map((each) => each.trim())
        if (name !== '') names.set(own, name)
      }
    } else {
      const own = endOfText(bound, /[\w$]/)
      if (own !== '') modules.add(own)
    }
  }
  return { names, modules }
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text
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
  const places = placesOfName(source, name)
  if (places.some(({ before, after }) => /[(,]$/.test(before) && /^\s*(?:\?\s*)?(?::|=>)/.test(after))) return false
  const [first, second] = places.filter(({ before }) => /\b(?:const|let|var)$/.test(before))
  if (first === undefined || second !== undefined) return false
  const body = /^\s*[:=]/.test(first.after) ? plainBody(first.after) : undefined
  return body !== undefined && !body.includes('...') && !first.after.slice(0, first.after.indexOf('{')).includes('(')
}
