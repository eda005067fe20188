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

/**
 * The expressions of the language's own tools: language, service, form, code. A mark behind the form says that a suffix begins with a dot, or
 * that an address ends with a slash. `az(X)` stands for the environment of Az, `show(X)` for a query of the command-line tool.
 */
const ofTools = `
bicep login address/ environment().authentication.loginEndpoint
bicep login host split(environment().authentication.loginEndpoint, '/')[2]
bicep resource-manager address/ environment().resourceManager
bicep resource-manager audience/ environment().authentication.audiences[0]
bicep resource-manager host split(environment().resourceManager, '/')[2]
bicep storage suffix environment().suffixes.storage
bicep key-vault suffix. environment().suffixes.keyvaultDns
bicep sql suffix. environment().suffixes.sqlServerHostname
bicep container-registry suffix. environment().suffixes.acrLoginServer
bicep portal address environment().portal
bicep gallery address/ environment().gallery
bicep directory-graph address/ environment().graph
bicep batch audience/ environment().batch
powershell login address/ az(ActiveDirectoryAuthority)
powershell login host ([uri]az(ActiveDirectoryAuthority)).Host
powershell resource-manager address/ az(ResourceManagerUrl)
powershell resource-manager audience/ az(ActiveDirectoryServiceEndpointResourceId)
powershell resource-manager host ([uri]az(ResourceManagerUrl)).Host
powershell storage suffix az(StorageEndpointSuffix)
powershell key-vault suffix az(AzureKeyVaultDnsSuffix)
powershell key-vault audience az(AzureKeyVaultServiceEndpointResourceId)
powershell sql suffix. az(SqlDatabaseDnsSuffix)
powershell container-registry suffix az(ContainerRegistryEndpointSuffix)
powershell portal address/ az(ManagementPortalUrl)
powershell microsoft-graph address az(ExtendedProperties.MicrosoftGraphUrl)
powershell microsoft-graph host ([uri]az(ExtendedProperties.MicrosoftGraphUrl)).Host
powershell directory-graph address/ az(GraphUrl)
shell login address show(endpoints.activeDirectory)
shell resource-manager address/ show(endpoints.resourceManager)
shell resource-manager audience/ show(endpoints.activeDirectoryResourceId)
shell storage suffix show(suffixes.storageEndpoint)
shell key-vault suffix. show(suffixes.keyvaultDns)
shell sql suffix. show(suffixes.sqlServerHostname)
shell container-registry suffix. show(suffixes.acrLoginServerEndpoint)
shell microsoft-graph address/ show(endpoints.microsoftGraphResourceId)
`

const toolExpressions = new Map(
  [...ofTools.matchAll(/^(\S+ \S+ \w+)([./]?) (.+)$/gm)].map(
    ([, key = '', mark, written = '']): [string, Expression] => {
      const code = written
        .replace(/az\(([\w.]+)\)/, '(Get-AzContext).Environment.$1')
        .replace(/show\(([\w.]+)\)/, '$(az cloud show --query $1 --output tsv)')
      return [key, { code, hasDot: mark === '.', hasSlash: mark === '/', isCertain: true }]
    },
  ),
)

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
  const own = toolExpressions.get(`${language === 'arm' ? 'bicep' : language} ${service} ${form}`)
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
