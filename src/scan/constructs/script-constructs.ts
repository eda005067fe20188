import type { Node } from '@vscode/tree-sitter-wasm'
import { endOfText } from '../../lib/base/end-of-text.ts'
import { argumentsOf, type ConstructRow } from './construct.ts'

const query = `(new_expression
  constructor: [(identifier) @name (member_expression property: (property_identifier) @name)]
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
}

export const scriptConstructs: readonly ConstructRow[] = [
  {
    grammars: ['typescript', 'tsx'],
    kind: 'credential',
    needs: /@azure\/identity/,
    query,
    namesIn: () => (name) => Object.hasOwn(credentials, name),
    isMissing: ({ name, arguments: list }) =>
      lacks(argumentsOf(list), credentials[name?.text ?? ''] ?? 0, ['authorityHost']),
  },
  {
    grammars: ['typescript', 'tsx'],
    kind: 'management-client',
    needs: /@azure\/arm-/,
    query,
    namesIn(source) {
      const names = managementClients(source)
      return (name) => names.has(name)
    },
    isMissing({ arguments: list }) {
      const given = argumentsOf(list)
      if (given.length === 0 || given.length > 3) return false
      const position = given[1]?.type === 'object' ? 1 : 2
      return lacks(given, position, ['endpoint', 'cloudSetting', 'credentialScopes', '$host', 'baseUri'])
    },
  },
]

/** The names that the file imports from management packages. */
function managementClients(source: string): ReadonlySet<string> {
  const names = new Set<string>()
  const ends = /\}\s*(?:from|=\s*require\()\s*["']@azure\/arm-[^"']{1,100}["']/g
  for (const { index } of source.matchAll(ends)) {
    const before = source.slice(Math.max(0, index - 2020), index)
    const own = before.slice(before.lastIndexOf('}') + 1)
    const begin = /(?:import|const|let|var)\s*\{/.exec(own)
    const list = begin === null ? '' : own.slice(begin.index + begin[0].length)
    for (const item of list.split(',')) {
      const name = endOfText(item.trimEnd(), /\w/)
      if (name.endsWith('Client')) names.add(name)
    }
  }
  return names
}

function lacks(given: readonly Node[], position: number, keys: readonly string[]): boolean {
  if (given.some(({ type }) => type === 'spread_element')) return false
  const options = given[position]
  if (options === undefined) return given.length <= position
  if (options.type === 'undefined' || options.text === 'undefined' || options.type === 'null') return true
  if (options.type !== 'object') return false
  return !options.namedChildren.some(
    (child) =>
      child?.type === 'spread_element' ||
      (child?.type === 'shorthand_property_identifier' && keys.includes(child.text)) ||
      keys.includes((child?.childForFieldName('key')?.text ?? '').replace(/^["']|["']$/g, '')),
  )
}
