import type { Warning } from '../errors.ts'
import { cliRegistrationCommands } from '../export/cli-registration.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { valueAt, type FieldPath } from './field-path.ts'
import { readVariable, type Env } from './overrides.ts'
import { showValue } from './show-value.ts'

export interface LintOptions {
  /** The value of AUTH_MODE in force. Some findings concern one mode only. */
  readonly authMode?: string
}

/**
 * What an operator should look at in a valid profile and its environment. Pure. Placeholders, differing audiences and
 * unknown fields are found where the profile is read.
 */
export function lintProfile(profile: CloudProfile, env: Env, options: LintOptions = {}): Warning[] {
  const { authMode } = options
  // With a custom file the variable reaches the credential, but not the profile.
  const tenantId = readVariable(env, 'PLATFORM_TENANT_ID') ?? profile.tenantId
  return [
    ...findPublicValues(profile),
    ...findGuidTenant(profile, tenantId),
    ...findAlias(profile),
    ...findAzureVariables(env, authMode),
    ...(authMode === 'platformCli' ? findUnregisteredCloud(profile, tenantId) : []),
  ]
}

const publicAuthority = 'login.microsoftonline.com'
const publicManagement = /^management\.(azure\.com|core\.windows\.net)$/

/**
 * The hosts of the public cloud by field. The storage audience is missing on purpose: it is the same in every known
 * cloud. The key vault audience is not, and is the one most often left in place.
 */
const publicHosts: Readonly<Partial<Record<FieldPath, RegExp>>> = {
  authorityHost: /^login\.(microsoftonline\.com|windows\.net)$/,
  resourceManagerEndpoint: publicManagement,
  resourceManagerAudience: publicManagement,
  portalUrl: /^portal\.azure\.com$/,
  metadataEndpoint: publicManagement,
  'serviceDnsSuffixes.storage': /\.core\.windows\.net$/,
  'serviceDnsSuffixes.keyVault': /\.vault\.azure\.net$/,
  'serviceDnsSuffixes.sqlServer': /\.database\.windows\.net$/,
  'serviceDnsSuffixes.containerRegistry': /\.azurecr\.io$/,
  'serviceAudiences.arm': publicManagement,
  'serviceAudiences.keyVault': /^vault\.azure\.net$/,
}

function findPublicValues(profile: CloudProfile): Warning[] {
  if (isPublic(profile)) return []
  return Object.entries(publicHosts).flatMap(([path, pattern]) => {
    const value = valueAt(profile, path)
    if (typeof value !== 'string' || !pattern.test(hostOf(value))) return []
    const message = `${path} is ${showValue(value)}, which belongs to the public cloud, but environment is ${profile.environment}`
    return [{ code: 'PUBLIC_VALUE_IN_PRIVATE_PROFILE', message }]
  })
}

/** A custom profile may describe the public cloud too; its authority tells. */
function isPublic({ environment, authorityHost }: CloudProfile): boolean {
  return environment === 'public' || (environment === 'custom' && hostOf(authorityHost) === publicAuthority)
}

function hostOf(value: string): string {
  return (URL.canParse(value) ? new URL(value).hostname : value).toLowerCase()
}

function findGuidTenant({ authorityHost }: CloudProfile, tenantId: string | undefined): Warning[] {
  const federated = /\/adfs\/?$/i.test(new URL(authorityHost).pathname)
  if (!federated || tenantId === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenantId)) return []
  const message = `The tenant is a GUID, but authorityHost ends with /adfs/; a federation service has the one tenant adfs, which is used instead`
  return [{ code: 'GUID_TENANT_WITH_FEDERATION_SERVICE', message }]
}

function findAlias({ authorityHost }: CloudProfile): Warning[] {
  if (hostOf(authorityHost) !== 'login.windows.net') return []
  const message = `authorityHost is login.windows.net, another name of ${publicAuthority}; set it to https://${publicAuthority}/`
  return [{ code: 'AUTHORITY_ALIAS', message }]
}

/** Variables that steer the credential library behind its caller's back, and what decides here instead. */
const ignoredVariables: Readonly<Record<string, string>> = {
  AZURE_AUTHORITY_HOST: 'authorityHost of the profile (PLATFORM_AUTHORITY_HOST) decides',
  AZURE_REGIONAL_AUTHORITY_NAME: 'tokens come from authorityHost of the profile, never from a regional host',
  AZURE_TOKEN_CREDENTIALS: 'AUTH_MODE decides',
  AZURE_KUBERNETES_TOKEN_PROXY: 'tokens come from authorityHost of the profile, never from a proxy of the cluster',
  AZURE_CLIENT_SECRET: 'set PLATFORM_CLIENT_SECRET',
  AZURE_CLIENT_CERTIFICATE_PATH: 'set PLATFORM_CLIENT_CERTIFICATE_PATH',
  AZURE_USERNAME: 'set PLATFORM_USERNAME',
  AZURE_PASSWORD: 'set PLATFORM_PASSWORD',
}

const identityHost = 'AZURE_POD_IDENTITY_AUTHORITY_HOST'

function findAzureVariables(env: Env, authMode: string | undefined): Warning[] {
  const isSet = (name: string) => readVariable(env, name) !== undefined
  const warnings: Warning[] = Object.entries(ignoredVariables)
    .filter(([name]) => isSet(name))
    .map(([name, instead]) => ({ code: 'LIBRARY_VARIABLE_IGNORED', message: `${name} is ignored here: ${instead}` }))
  if (isSet(identityHost) && (authMode === undefined || ['managedIdentity', 'default'].includes(authMode))) {
    const message = `${identityHost} is set, so a managed identity is asked for at its address`
    warnings.push({ code: 'LIBRARY_VARIABLE_IN_EFFECT', message })
  }
  return warnings
}

function findUnregisteredCloud(profile: CloudProfile, tenantId: string | undefined): Warning[] {
  const commands = cliRegistrationCommands(profile, tenantId)
  if (commands.length === 0) return []
  const message = `The command-line tool does not know this cloud from the start. Run once: ${commands.join(' && ')}`
  return [{ code: 'CLI_CLOUD_NOT_REGISTERED', message }]
}
