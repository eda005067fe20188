import type { FixLanguage } from './languages.ts'

/** The form of a value: what of the text an expression stands for. */
export type Form =
  /** `.vault.azure.net`, with its dot; or without, as `hasDot` says. */
  | 'suffix'
  /** `https://management.azure.com/` */
  | 'address'
  /** `https://vault.azure.net` */
  | 'audience'
  /** `https://vault.azure.net/.default` */
  | 'scope'
  /** `login.microsoftonline.com` */
  | 'host'

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

type Expressions = Readonly<Record<string, Partial<Readonly<Record<Form, Expression>>>>>

/** The members of the module that `cloud-profile export` writes, by service and form. */
const members: Readonly<Record<string, Partial<Readonly<Record<Form, string>>>>> = {
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

/** How each language names a member of its export. */
const memberNames: Partial<Readonly<Record<FixLanguage, (name: string) => string>>> = {
  typescript: (name) => `cloud.${name}`,
  python: authorityOr,
  go: (name) =>
    name === 'authorityHost'
      ? 'cloudprofile.Cloud.ActiveDirectoryAuthorityHost'
      : name === 'resourceManagerEndpoint'
        ? 'cloudprofile.Cloud.Services[cloud.ResourceManager].Endpoint'
        : `cloudprofile.${pascal(name).replace(/^Sql/, 'SQL')}`,
  dotnet: (name) => `Cloud.${pascal(name)}`,
  java: (name) => `Cloud.${upperSnake(name)}`,
  rust: authorityOr,
}

const suffix = (code: string, hasDot: boolean): Partial<Readonly<Record<Form, Expression>>> => ({
  suffix: { code, hasDot, isCertain: true },
})
const address = (code: string, hasSlash: boolean, isCertain = true): Expression => ({ code, hasSlash, isCertain })

const bicep: Expressions = {
  login: {
    address: address('environment().authentication.loginEndpoint', true),
    host: { code: "split(environment().authentication.loginEndpoint, '/')[2]", isCertain: true },
  },
  'resource-manager': {
    address: address('environment().resourceManager', true),
    audience: { code: 'environment().authentication.audiences[0]', hasSlash: true, isCertain: true },
    host: { code: "split(environment().resourceManager, '/')[2]", isCertain: true },
  },
  storage: suffix('environment().suffixes.storage', false),
  'key-vault': suffix('environment().suffixes.keyvaultDns', true),
  sql: suffix('environment().suffixes.sqlServerHostname', true),
  'container-registry': suffix('environment().suffixes.acrLoginServer', true),
  portal: { address: address('environment().portal', false) },
  gallery: { address: address('environment().gallery', true) },
  'directory-graph': { address: address('environment().graph', true) },
  batch: { audience: { code: 'environment().batch', hasSlash: true, isCertain: true } },
}

const az = (property: string) => `(Get-AzContext).Environment.${property}`
const powershell: Expressions = {
  login: {
    address: address(az('ActiveDirectoryAuthority'), true),
    host: { code: `([uri]${az('ActiveDirectoryAuthority')}).Host`, isCertain: true },
  },
  'resource-manager': {
    address: address(az('ResourceManagerUrl'), true),
    audience: { code: az('ActiveDirectoryServiceEndpointResourceId'), hasSlash: true, isCertain: true },
    host: { code: `([uri]${az('ResourceManagerUrl')}).Host`, isCertain: true },
  },
  storage: suffix(az('StorageEndpointSuffix'), false),
  'key-vault': {
    ...suffix(az('AzureKeyVaultDnsSuffix'), false),
    audience: { code: az('AzureKeyVaultServiceEndpointResourceId'), hasSlash: false, isCertain: true },
  },
  sql: suffix(az('SqlDatabaseDnsSuffix'), true),
  'container-registry': suffix(az('ContainerRegistryEndpointSuffix'), false),
  portal: { address: address(az('ManagementPortalUrl'), true) },
  'microsoft-graph': {
    address: address(az('ExtendedProperties.MicrosoftGraphUrl'), false),
    host: { code: `([uri]${az('ExtendedProperties.MicrosoftGraphUrl')}).Host`, isCertain: true },
  },
  'directory-graph': { address: address(az('GraphUrl'), true) },
}

const show = (query: string) => `$(az cloud show --query ${query} --output tsv)`
const shell: Expressions = {
  login: { address: address(show('endpoints.activeDirectory'), false) },
  'resource-manager': {
    address: address(show('endpoints.resourceManager'), true),
    audience: { code: show('endpoints.activeDirectoryResourceId'), hasSlash: true, isCertain: true },
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

/** The storage suffix of an export is that of blobs: the other services of an account live beside them. */
function withPart(language: FixLanguage, code: string, part: string | undefined): string | undefined {
  if (part === 'blob') return code
  const [from, to] = [part === undefined ? '.blob.' : '.blob.', part === undefined ? '' : `.${part}.`]
  switch (language) {
    case 'typescript':
      return `${code}.replace('${from}', '${to}')`
    case 'python':
    case 'java':
      return `${code}.replace("${from}", "${to}")`
    case 'dotnet':
      return `${code}.Replace("${from}", "${to}")`
    case 'go':
      return `strings.Replace(${code}, "${from}", "${to}", 1)`
    default:
      return undefined
  }
}

/** The expression for a value, best first: of the language's own tools, of an export, or a setting. */
export function expressionFor(
  language: FixLanguage,
  service: string,
  form: Form,
  storagePart?: string,
): Expression | undefined {
  const own = ofTools[language]?.[service]?.[form]
  if (own !== undefined) return own
  const member = members[service]?.[form]
  const name = memberNames[language]
  if (member !== undefined && name !== undefined) {
    const plain = name(member)
    const code = service === 'storage' && form === 'suffix' ? withPart(language, plain, storagePart) : plain
    if (code === undefined) return undefined
    const isField = (language === 'go' && /\.Cloud\./.test(plain)) || (language === 'dotnet' && form === 'address')
    return {
      code,
      hasDot: storagePart !== undefined || service !== 'storage',
      hasSlash: form === 'address',
      isCertain: !(language === 'go' && (code !== plain || plain.includes('Services['))),
      member:
        language === 'typescript'
          ? 'cloud'
          : language === 'go'
            ? 'cloudprofile'
            : language === 'dotnet' || language === 'java'
              ? 'Cloud'
              : plain,
      isConstant: !isField && code === plain,
    }
  }
  const setting = settings[language]?.(variableFor(service, form))
  return setting === undefined ? undefined : { code: setting, hasDot: form === 'suffix', hasSlash: form === 'address' }
}
