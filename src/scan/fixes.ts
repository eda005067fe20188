import type { CloudProfile } from '../lib/profile/cloud-profile.ts'
import type { ConstructKind } from './constructs/construct.ts'
import type { FixLanguage } from './languages.ts'
import { ownValues } from './own-values.ts'
import { fieldOf, profileFields, valueOfField } from './profile-fields.ts'

const upperSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The languages that an export is written for, and how it writes a name. */
const exports: Partial<
  Readonly<Record<FixLanguage, { readonly format: string; readonly name: (name: string) => string }>>
> = {
  typescript: { format: 'typescript', name: (name) => `cloud.${name}` },
  python: { format: 'python', name: authorityOr(upperSnake) },
  go: { format: 'go', name: goName },
  dotnet: { format: 'dotnet', name: (name) => `Cloud.${pascal(name)}` },
  java: { format: 'java', name: (name) => `Cloud.${upperSnake(name)}` },
  rust: { format: 'rust', name: authorityOr(upperSnake) },
}

/** Python and Rust call the authority so. */
function authorityOr(other: (name: string) => string): (name: string) => string {
  return (name) => (name === 'authorityHost' ? 'AUTHORITY' : other(name))
}

/** Go writes the authority and the resource manager into one configuration. */
function goName(name: string): string {
  if (name === 'authorityHost') return 'cloudprofile.Cloud.ActiveDirectoryAuthorityHost'
  if (name === 'resourceManagerEndpoint') return 'cloudprofile.Cloud.Services[cloud.ResourceManager].Endpoint'
  return `cloudprofile.${pascal(name).replace(/^Sql/, 'SQL')}`
}

/** The value for which a fix is needed. */
export interface ValueToFix {
  /** The host as a resolver reads it, or a DNS suffix. */
  readonly host: string
  readonly service: string
  readonly isAudience: boolean
  readonly language: FixLanguage
  /** Whether the attributes of a resource cannot give the value, because it says which resource to import. */
  readonly isImported?: boolean
  readonly profile?: CloudProfile
}

/** The replacement of a value. */
export function fixOfValue({ profile, ...value }: ValueToFix): string {
  const { host, service, isAudience } = value
  const instead = replacement(value)
  const field = isPrivateLink(host) ? undefined : fieldOf(service, isAudience)
  const own = profile === undefined || field === undefined ? undefined : valueOfField(profile, field)
  return own === undefined ? instead : `${instead}. In this profile ${field} is ${own}`
}

type Value = Omit<ValueToFix, 'profile'>

function replacement(value: Value): string {
  const { host, service, isAudience, isImported = false, language } = value
  // No profile, export or resource holds the name of a private DNS zone.
  if (isPrivateLink(host)) return `${readerOf(language, variableOf(service, 'PRIVATE_DNS_ZONE'))}, set for each cloud`
  const own = isImported ? undefined : ownValues[language]?.[service]?.[isAudience ? 'audience' : 'host']
  if (own !== undefined) return `Write ${own}`
  const exported = exports[language]
  const fields = Object.hasOwn(profileFields, service) ? profileFields[service] : undefined
  const name = isAudience ? fields?.exportedAudience : fields?.exportedHost
  if (exported !== undefined && name !== undefined) {
    return `Write ${exported.name(name)} of \`cloud-profile export ${exported.format}\`${changeOfSuffix(value)}`
  }
  const field = fieldOf(service, isAudience)
  const source = field === undefined ? 'set for each cloud' : `from the profile's ${field}${changeOfSuffix(value)}`
  return `${readerOf(language, variableOf(service, isAudience ? 'AUDIENCE' : 'HOST'))}, ${source}`
}

function isPrivateLink(host: string): boolean {
  return /(?:^|\.)privatelink\./.test(host)
}

/** The storage suffix of a profile is that of blobs. The other services of an account live beside them. */
function changeOfSuffix({ host, service, isAudience }: Value): string {
  if (service !== 'storage' || isAudience) return ''
  const part = /(?:^|\.)(blob|queue|table|file|dfs|web)\.core\./.exec(host)?.[1]
  if (part === 'blob') return ''
  return part === undefined ? ', without its .blob' : `, with ${part} in place of blob`
}

/** How each language reads a setting. */
function readerOf(language: FixLanguage, variable: string): string {
  switch (language) {
    case 'typescript':
      return `Read process.env.${variable}`
    case 'python':
      return `Read os.environ["${variable}"]`
    case 'go':
      return `Read os.Getenv("${variable}")`
    case 'dotnet':
      return `Read Environment.GetEnvironmentVariable("${variable}")`
    case 'java':
      return `Read System.getenv("${variable}")`
    case 'powershell':
      return `Read $env:${variable}`
    case 'terraform':
      return `Write var.${variable.toLowerCase()}`
    case 'bicep':
      return `Take a parameter ${camel(variable)}`
    case 'arm':
      return `Write [parameters('${camel(variable)}')]`
    case 'rust':
      return `Read std::env::var("${variable}")`
    case 'helm':
      return `Write {{ .Values.cloud.${camel(variable)} }}`
    case 'helm-values':
      return 'Leave it empty here, and write it into the values file of each cloud'
    case 'workflow':
      return `Write \${{ vars.${variable} }}`
    case 'shell':
      return `Write "$${variable}"`
    case 'other':
      return `Read it from a setting, such as the variable ${variable}`
  }
}

function variableOf(service: string, what: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_${what}`
}

function camel(variable: string): string {
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The replacement of a cloud name. */
export function fixOfName(language: FixLanguage): string {
  switch (language) {
    case 'terraform':
      return 'Write var.environment, without a default, or set metadata_host: see `cloud-profile export terraform`'
    case 'typescript':
    case 'python':
    case 'go':
    case 'dotnet':
    case 'java':
    case 'rust':
      return `Configure the cloud of \`cloud-profile export ${language}\`, which fits clouds without a name too`
    case 'powershell':
      return 'Take the name from a parameter; `cloud-profile export powershell` adds the environment'
    case 'workflow':
      return 'Write ${{ vars.AZURE_ENVIRONMENT }}'
    case 'helm':
      return 'Write {{ .Values.cloud.name }}'
    case 'helm-values':
      return 'Leave it empty here, and write the name into the values file of each cloud'
    case 'shell':
      return 'Write "$AZURE_CLOUD_NAME"; `cloud-profile export az` registers the cloud'
    case 'bicep':
    case 'arm':
      return 'Write environment().name'
    case 'other':
      return 'Take the name from a setting, without a default'
  }
}

const credentialFixes: Partial<Readonly<Record<FixLanguage, string>>> = {
  typescript: 'Pass { authorityHost: cloud.authorityHost } of `cloud-profile export typescript`',
  python: 'Pass authority=AUTHORITY of `cloud-profile export python`',
  go: 'Pass ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud} of `cloud-profile export go`',
  dotnet: 'Set AuthorityHost = Cloud.AuthorityHost in its options, of `cloud-profile export dotnet`',
  java: 'Call .authorityHost(Cloud.AUTHORITY_HOST) of `cloud-profile export java`',
}

const clientFixes: Partial<Readonly<Record<FixLanguage, string>>> = {
  typescript:
    'Pass { endpoint: cloud.resourceManagerEndpoint, credentialScopes: [cloud.resourceManagerScope] } of `cloud-profile export typescript`',
  python:
    'Pass base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes=[RESOURCE_MANAGER_SCOPE] of `cloud-profile export python`',
  go: 'Pass &arm.ClientOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}} of `cloud-profile export go`',
  dotnet:
    'Pass new ArmClientOptions { Environment = new ArmEnvironment(Cloud.ResourceManagerEndpoint, …) } of `cloud-profile export dotnet`',
  java: 'Pass an AzureProfile with new AzureEnvironment(Cloud.ENDPOINTS) of `cloud-profile export java`',
}

/** The option to add to a construct without a cloud. */
export function fixOfConstruct(kind: ConstructKind, language: FixLanguage, name: string): string {
  switch (kind) {
    case 'credential':
      return credentialFixes[language] ?? 'Set its authority host'
    case 'management-client':
      return clientFixes[language] ?? 'Set its endpoint and audience'
    case 'connection-string':
      return `Add EndpointSuffix= and the storage suffix of the cloud. ${replacement({ host: 'core.windows.net', service: 'storage', isAudience: false, language })}`
    case 'provider-block':
      return 'Set environment, or metadata_host for a private cloud: see `cloud-profile export terraform`'
    case 'login-step':
      return 'Add `environment: ${{ vars.AZURE_ENVIRONMENT }}` under `with`'
    case 'sign-in-command':
      return fixOfSignIn(name)
  }
}

/** Each module has its own names of clouds. */
function fixOfSignIn(command: string): string {
  if (/MgGraph/i.test(command)) return 'Add -Environment $env:GRAPH_ENVIRONMENT, a name that Get-MgEnvironment lists'
  if (/AzureAD/i.test(command)) return 'Add -AzureEnvironmentName $env:AZURE_ENVIRONMENT'
  return 'Add -Environment $env:AZURE_ENVIRONMENT; `cloud-profile export powershell` adds the environment'
}
