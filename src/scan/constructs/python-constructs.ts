import { argumentsOf, type Captures, type ConstructRow } from './construct.ts'

const query = `(call
  function: [(identifier) @name (attribute attribute: (identifier) @name)]
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
    needs: /\bazure\.identity\b/,
    query,
    isNamed: (name) => credentials.has(name),
    isMissing: (captures) => lacks(captures, ['authority']),
  },
  {
    grammars: ['python'],
    kind: 'management-client',
    needs: /\bazure\.mgmt\./,
    query,
    isNamed: (name, _captures, source) => managementClients(source).has(name),
    isMissing: (captures) =>
      positional(captures) <= 2 && lacks(captures, ['base_url', 'credential_scopes', 'cloud_setting', 'endpoint']),
  },
]

function managementClients(source: string): ReadonlySet<string> {
  const names = new Set<string>()
  const imports = /from\s+azure\.mgmt\.[\w.]{1,100}\s+import\s+(\([^)]{1,2000}\)|[^\n#(]{1,500})/g
  for (const [, list = ''] of source.matchAll(imports)) {
    for (const item of list.replace(/[()]/g, '').split(',')) {
      const name = /(\w+)\s*$/.exec(item)?.[1]
      if (name?.endsWith('Client') === true) names.add(name)
    }
  }
  return names
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
