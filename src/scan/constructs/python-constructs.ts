import { argumentsOf, type Captures, type ConstructRow } from './construct.ts'

const query = `(call
  function: [(identifier) @name (attribute object: (_) @module attribute: (identifier) @name)]
  arguments: (argument_list) @arguments) @construct`

const credentials = new Set([
  'DefaultAzureCredential',
  'EnvironmentCredential',
  'DeviceCodeCredential',
  'InteractiveBrowserCredential',
  'OnBehalfOfCredential',
  'WorkloadIdentityCredential',
  'ClientSecretCredential',
  'CertificateCredential',
  'ClientAssertionCredential',
  'UsernamePasswordCredential',
  'AuthorizationCodeCredential',
  'AzurePipelinesCredential',
  'SharedTokenCacheCredential',
])

export const pythonConstructs: readonly ConstructRow[] = [
  {
    grammars: ['python'],
    kind: 'credential',
    needs: /\bazure(?:\.|\s+import\s+)identity\b/,
    query,
    namesIn(source) {
      const imported = importedFrom(source, /from\s+azure\.identity(?:\.aio)?\s+import\s+/g)
      return ({ name }) => {
        const meaning = imported.get(name?.text ?? '') ?? name?.text
        return meaning !== undefined && credentials.has(meaning) ? meaning : undefined
      }
    },
    isMissing: (captures) => lacks(captures, ['authority']),
  },
  {
    grammars: ['python'],
    kind: 'management-client',
    needs: /\bazure\.mgmt\b/,
    query,
    namesIn(source) {
      const imported = importedFrom(source, /from\s+azure\.mgmt\.[\w.]{1,100}\s+import\s+/g)
      const modules = modulesOf(source)
      return ({ name, module }) => {
        const own = name?.text ?? ''
        const meaning = module === undefined ? imported.get(own) : modules.has(module.text) ? own : undefined
        return meaning?.endsWith('Client') === true ? meaning : undefined
      }
    },
    isMissing: (captures) =>
      positional(captures) <= 2 && lacks(captures, ['base_url', 'credential_scopes', 'cloud_setting', 'endpoint']),
  },
]

/** The names that a file imports from a package, by the names that it calls them. */
function importedFrom(source: string, imports: RegExp): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { index, 0: begin } of source.matchAll(imports)) {
    for (const item of importedNames(source, index + begin.length).split(',')) {
      // NAME or NAME as OWN
      const [name = '', , own = name] = item.trim().split(/\s+/)
      if (name !== '') names.set(own, name)
    }
  }
  return names
}

/** The names by which a file calls the modules of management packages. */
function modulesOf(source: string): ReadonlySet<string> {
  const whole = source.matchAll(/^[ \t]*import[ \t]+(azure\.mgmt\.[\w.]+)(?:[ \t]+as[ \t]+(\w+))?/gm)
  return new Set([
    ...[...whole].map(([, path = '', own = path]) => own),
    ...importedFrom(source, /from\s+azure\.mgmt(?:\.[\w.]{1,100})?\s+import\s+/g).keys(),
  ])
}

/** The names of an import, in brackets or up to the end of its line. */
function importedNames(source: string, at: number): string {
  if (source[at] !== '(') return source.slice(at, at + 500).split(/[\n#(]/, 1)[0] ?? ''
  const list = source.slice(at + 1, at + 2002)
  return list.slice(0, Math.max(0, list.indexOf(')'))).replaceAll('(', '')
}

const isKeyword = (type: string) => type === 'keyword_argument'
const isSplat = (type: string) => type === 'dictionary_splat' || type === 'list_splat'

function positional({ arguments: list }: Captures): number {
  return argumentsOf(list).filter(({ type }) => !isKeyword(type)).length
}

function lacks({ arguments: list }: Captures, keys: readonly string[]): boolean {
  return !argumentsOf(list).some(
    (node) => isSplat(node.type) || (isKeyword(node.type) && keys.includes(node.childForFieldName('name')?.text ?? '')),
  )
}
