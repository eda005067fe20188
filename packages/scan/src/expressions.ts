import type { FixLanguage } from './languages.ts'

/** The form of a value, and its words: what of the text an expression stands for. */
export const forms = {
  /** `.vault.azure.net`; or without its dot, as `hasDot` says. */
  suffix: 'the DNS suffix with its dot',
  /** `https://management.azure.com/` */
  address: 'the address with its final slash',
  /** `https://vault.azure.net` */
  audience: 'the audience',
  /** `https://vault.azure.net/.default` */
  scope: 'the scope with .default',
  /** `login.microsoftonline.com` */
  host: 'the host',
} as const
export type Form = keyof typeof forms

/** An expression of a language for a value. */
export interface Expression {
  readonly code: string
  /** Whether a suffix begins with a dot. */
  readonly hasDot?: boolean
  /** Whether an address ends with a slash. */
  readonly hasSlash?: boolean
  /** Whether `--fix` may write it. */
  readonly isCertain?: boolean
  /** What the module of an export must be imported for. */
  readonly member?: string
  /** Whether the language takes it in a constant too. */
  readonly isConstant?: boolean
}

type ByForm<T> = Partial<Readonly<Record<Form, T>>>
type Expressions = Readonly<Record<string, ByForm<Expression>>>

/** The members of the module that `cloud-profile export` writes, by service and form. */
const members: Readonly<Record<string, ByForm<string>>> = {
  login: { address: 'authorityHost' },
  'resource-manager': {
    address: 'resourceManagerEndpoint',
    audience: 'resourceManagerAudience',
    scope: 'resourceManagerScope',
  },
  storage: { suffix: 'storageSuffix', audience: 'storageAudience', scope: 'storageScope' },
  'key-vault': { suffix: 'keyVaultSuffix', audience: 'keyVaultAudience', scope: 'keyVaultScope' },
  sql: { suffix: 'sqlServerSuffix' },
  'container-registry': { suffix: 'containerRegistrySuffix' },
}

const upperSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
const authorityOr = (name: string) => (name === 'authorityHost' ? 'AUTHORITY' : upperSnake(name))
const goNames: Readonly<Record<string, string>> = {
  authorityHost: 'Cloud.ActiveDirectoryAuthorityHost',
  resourceManagerEndpoint: 'Cloud.Services[cloud.ResourceManager].Endpoint',
  sqlServerSuffix: 'SQLServerSuffix',
}

/** How a language uses its export: what is imported, its name of a member, and the same with one text for another. */
interface ExportUse {
  readonly module?: string
  readonly name: (member: string) => string
  readonly replace?: (code: string, from: string, to: string) => string
}

const replaceCall = (code: string, from: string, to: string) => `${code}.replace("${from}", "${to}")`
const exportUses: Partial<Readonly<Record<FixLanguage, ExportUse>>> = {
  typescript: {
    module: 'cloud',
    name: (name) => `cloud.${name}`,
    replace: (code, from, to) => `${code}.replace('${from}', '${to}')`,
  },
  python: { name: authorityOr, replace: replaceCall },
  go: {
    module: 'cloudprofile',
    name: (name) => `cloudprofile.${goNames[name] ?? pascal(name)}`,
    replace: (code, from, to) => `strings.Replace(${code}, "${from}", "${to}", 1)`,
  },
  dotnet: {
    module: 'Cloud',
    name: (name) => `Cloud.${pascal(name)}`,
    replace: (code, from, to) => `${code}.Replace("${from}", "${to}")`,
  },
  java: { module: 'Cloud', name: (name) => `Cloud.${upperSnake(name)}`, replace: replaceCall },
  rust: { name: authorityOr },
}
export const hasExport = (language: FixLanguage): boolean => exportUses[language] !== undefined

const suffix = (code: string, hasDot: boolean): ByForm<Expression> => ({ suffix: { code, hasDot, isCertain: true } })
const address = (code: string, hasSlash: boolean): Expression => ({ code, hasSlash, isCertain: true })
const host = (code: string): Expression => ({ code, isCertain: true })

const bicep: Expressions = {
  login: {
    address: address('environment().authentication.loginEndpoint', true),
    host: host("split(environment().authentication.loginEndpoint, '/')[2]"),
  },
  'resource-manager': {
    address: address('environment().resourceManager', true),
    audience: address('environment().authentication.audiences[0]', true),
    host: host("split(environment().resourceManager, '/')[2]"),
  },
  storage: suffix('environment().suffixes.storage', false),
  'key-vault': suffix('environment().suffixes.keyvaultDns', true),
  sql: suffix('environment().suffixes.sqlServerHostname', true),
  'container-registry': suffix('environment().suffixes.acrLoginServer', true),
  portal: { address: address('environment().portal', false) },
  gallery: { address: address('environment().gallery', true) },
  'directory-graph': { address: address('environment().graph', true) },
  batch: { audience: address('environment().batch', true) },
}

const az = (property: string) => `(Get-AzContext).Environment.${property}`
const azHost = (property: string) => host(`([uri]${az(property)}).Host`)
const powershell: Expressions = {
  login: { address: address(az('ActiveDirectoryAuthority'), true), host: azHost('ActiveDirectoryAuthority') },
  'resource-manager': {
    address: address(az('ResourceManagerUrl'), true),
    audience: address(az('ActiveDirectoryServiceEndpointResourceId'), true),
    host: azHost('ResourceManagerUrl'),
  },
  storage: suffix(az('StorageEndpointSuffix'), false),
  'key-vault': {
    ...suffix(az('AzureKeyVaultDnsSuffix'), false),
    audience: address(az('AzureKeyVaultServiceEndpointResourceId'), false),
  },
  sql: suffix(az('SqlDatabaseDnsSuffix'), true),
  'container-registry': suffix(az('ContainerRegistryEndpointSuffix'), false),
  portal: { address: address(az('ManagementPortalUrl'), true) },
  'microsoft-graph': {
    address: address(az('ExtendedProperties.MicrosoftGraphUrl'), false),
    host: azHost('ExtendedProperties.MicrosoftGraphUrl'),
  },
  'directory-graph': { address: address(az('GraphUrl'), true) },
}

const show = (query: string) => `$(az cloud show --query ${query} --output tsv)`
const shell: Expressions = {
  login: { address: address(show('endpoints.activeDirectory'), false) },
  'resource-manager': {
    address: address(show('endpoints.resourceManager'), true),
    audience: address(show('endpoints.activeDirectoryResourceId'), true),
  },
  storage: suffix(show('suffixes.storageEndpoint'), false),
  'key-vault': suffix(show('suffixes.keyvaultDns'), true),
  sql: suffix(show('suffixes.sqlServerHostname'), true),
  'container-registry': suffix(show('suffixes.acrLoginServerEndpoint'), true),
  'microsoft-graph': { address: address(show('endpoints.microsoftGraphResourceId'), true) },
}

const ofTools: Partial<Readonly<Record<FixLanguage, Expressions>>> = { bicep, arm: bicep, powershell, shell }

/** How each language reads a setting; `undefined` where no expression can stand. */
const settings: Partial<Readonly<Record<FixLanguage, (variable: string) => string>>> = {
  typescript: (variable) => `process.env['${variable}']`,
  python: (variable) => `os.environ["${variable}"]`,
  go: (variable) => `os.Getenv("${variable}")`,
  dotnet: (variable) => `System.Environment.GetEnvironmentVariable("${variable}")`,
  java: (variable) => `System.getenv("${variable}")`,
  powershell: (variable) => `$env:${variable}`,
  terraform: (variable) => `var.${variable.toLowerCase()}`,
  bicep: camel,
  arm: (variable) => `parameters('${camel(variable)}')`,
  helm: (variable) => `.Values.cloud.${camel(variable)}`,
  workflow: (variable) => `vars.${variable}`,
  shell: (variable) => `\${${variable}}`,
  docker: (variable) => `\${${variable}}`,
  makefile: (variable) => `$(${variable})`,
}

function camel(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The name of the setting for a value: it says which of suffix, host and address the setting holds. */
export function variableFor(service: string, form: Form): string {
  // Kubernetes sets KUBERNETES_SERVICE_HOST itself.
  const name = service === 'kubernetes-service' ? 'cluster-api' : service === 'unlisted' ? 'service' : service
  return `${name}_${form === 'address' ? 'url' : form}`.toUpperCase().replaceAll('-', '_')
}

/**
 * The expression for a value, best first: of the language's own tools, of an export, or a setting.
 *
 * @param storagePart The service of a storage account in the value: the suffix of an export is that of blobs.
 */
export function expressionFor(
  language: FixLanguage,
  service: string,
  form: Form,
  storagePart?: string,
): Expression | undefined {
  const own = ofTools[language]?.[service]?.[form]
  if (own !== undefined) return own
  const member = members[service]?.[form]
  const use = exportUses[language]
  if (member === undefined || use === undefined) {
    const code = settings[language]?.(variableFor(service, form))
    return code === undefined ? undefined : { code, hasDot: form === 'suffix', hasSlash: form === 'address' }
  }
  const plain = use.name(member)
  const isOfBlobs = service !== 'storage' || form !== 'suffix' || storagePart === 'blob'
  const code = isOfBlobs ? plain : use.replace?.(plain, '.blob.', storagePart === undefined ? '' : `.${storagePart}.`)
  if (code === undefined) return undefined
  const isField = (language === 'go' && plain.includes('.Cloud.')) || (language === 'dotnet' && form === 'address')
  return {
    code,
    hasDot: storagePart !== undefined || service !== 'storage',
    hasSlash: form === 'address',
    // In Go these need another import.
    isCertain: language !== 'go' || (code === plain && !plain.includes('Services[')),
    member: use.module ?? plain,
    isConstant: !isField && code === plain,
  }
}
