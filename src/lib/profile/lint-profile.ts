import type { Warning } from '../errors.ts'
import { cliRegistrationCommands } from '../export/cli-registration.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { valueAt, type FieldPath } from './field-path.ts'
import { showValue } from './show-value.ts'

export interface LintOptions {
  /** The value of AUTH_MODE in force. Some findings concern one mode only. */
  readonly authMode?: string
  /** The tenant that credentials sign in to. Default is the profile's. */
  readonly tenantId?: string | undefined
}

/**
 * What an operator should look at in a valid profile. Pure. Placeholders, differing audiences and
 * unknown fields are found where the profile is read.
 */
export function lintProfile(profile: CloudProfile, options: LintOptions = {}): Warning[] {
  const { authMode, tenantId = profile.tenantId } = options
  return [
    ...findPublicValues(profile),
    ...findGuidTenant(profile, tenantId),
    ...findAlias(profile),
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

function findUnregisteredCloud(profile: CloudProfile, tenantId: string | undefined): Warning[] {
  const commands = cliRegistrationCommands(profile, tenantId)
  if (commands.length === 0) return []
  const message = `The command-line tool does not know this cloud from the start. Run once: ${commands.join(' && ')}`
  return [{ code: 'CLI_CLOUD_NOT_REGISTERED', message }]
}
