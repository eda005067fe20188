import { equalUrls } from '../base/address.ts'
import { isGuid } from '../base/names.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import type { CloudFile, CloudProfile } from '../clouds/cloud-profile.ts'
import type { Warning } from '../errors.ts'
import { cliRegistrationCommands } from './az-cloud.ts'
import { isFederationTenant, type ResolvedCloud } from './identity-provider.ts'
import { isPlaceholder, type FieldPath } from './field-path.ts'
import { showValue, escapeHidden } from '../base/printable.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { counterpartOf, titleOf } from '../clouds/counterpart.ts'
import { includesCloud, ownerOf } from '../clouds/owner-of.ts'
import { describeOrigin, type ExplainedProfile, type Origin } from './explained-profile.ts'
import { ownCopy, textsOf } from '../base/json.ts'

export interface LintOptions {
  /** The auth mode; some warnings apply to one mode only. */
  readonly authMode?: string | undefined
  /** The variable that names the tenant of the cloud. */
  readonly tenantFrom?: string | undefined
}

/** The origin of each field, and the clouds to recognize, where they are known. */
type Known = { readonly [K in 'fields' | 'clouds']?: ExplainedProfile[K] | undefined }

export type LintedCloud = ResolvedCloud & Known

/** Warnings about a valid profile. Pure. `explainDocument` warns of placeholders, differing audiences and unknown fields. */
export function lintProfile(cloud: LintedCloud, { authMode, tenantFrom }: LintOptions = {}): Warning[] {
  const { profile, provider } = cloud
  const foreign = findForeignValues(cloud)
  return [
    ...foreignWarnings(foreign, cloud),
    ...(foreign.some(({ path }) => path.endsWith('.keyVault')) ? [] : findVaultOutsideSuffix(profile)),
    ...(provider.kind === 'federation-service' ? findFederationService(cloud) : findTenant(cloud, tenantFrom)),
    ...findAlias(cloud),
    ...(authMode === 'managedIdentity' ? findMissingIdentities(cloud) : []),
    ...(authMode === 'platformCli' ? findUnregisteredCloud(cloud) : []),
  ]
}

function findFederationService({ profile: { environment }, tenantId }: ResolvedCloud): Warning[] {
  const hasPath = !isFederationTenant(tenantId)
  if (hasPath && tenantId !== undefined && isGuid(tenantId)) {
    const message = `The tenant is a GUID, but authorityHost ends with /adfs/; a federation service has only the tenant adfs, which applies instead`
    return [{ code: 'GUID_TENANT_WITH_FEDERATION_SERVICE', message, field: 'tenantId' }]
  }
  if (environment === 'platformstackcloud') return []
  const what = hasPath ? 'authorityHost ends with /adfs/' : 'The tenant is adfs'
  const message = `${what}, but environment is ${environment}: only an on-premises stack (platformstackcloud) signs in to a federation service`
  return [{ code: 'FEDERATION_SERVICE_OUTSIDE_STACK', message, field: hasPath ? 'authorityHost' : 'tenantId' }]
}

/** Azure Stack Hub has an audience with a GUID; the other stack, Azure Local, has the address of its resource manager. */
export function isStackHub({ environment, resourceManagerAudience, resourceManagerEndpoint }: CloudProfile): boolean {
  const isLocal = equalUrls(resourceManagerAudience, resourceManagerEndpoint) && !isPlaceholder(resourceManagerAudience)
  return environment === 'platformstackcloud' && !isLocal
}

/** Only Azure Local has them: https://learn.microsoft.com/azure-stack/operator/azure-stack-identity-architecture. */
function findMissingIdentities({ profile, provider }: ResolvedCloud): Warning[] {
  if (!isStackHub(profile)) return []
  const cluster = provider.kind === 'multi-tenant' ? ', or workloadIdentity in a cluster' : ''
  const message = `The mode is managedIdentity, and an on-premises stack has no managed identities. Set AUTH_MODE to clientSecret or clientCertificate${cluster}; for a person to deviceCode, usernamePassword or platformCli`
  return [{ code: 'MANAGED_IDENTITY_ON_STACK', message }]
}

/** Notes about hosting in the cloud of a profile. They aren't warnings, because the profile is correct. */
export function hostingNotes({ environment }: CloudProfile): Warning[] {
  if (environment !== 'platformstackcloud') return []
  const message =
    'Functions cannot run on premises: Azure Stack Hub has only version 1 of their runtime, and Azure Local has no App Service. Deploy the server there: docs/deploy-on-premises.md'
  return [{ code: 'FUNCTIONS_ON_STACK', message }]
}

/** SDKs refuse a vault outside the host of its audience. A federation service has `https://vault.adfs.REGION.FQDN/GUID` for `.vault.REGION.FQDN`. */
function findVaultOutsideSuffix(profile: CloudProfile): Warning[] {
  const [audience, suffix] = [profile.serviceAudiences.keyVault, profile.serviceDnsSuffixes.keyVault]
  const host = URL.parse(audience)?.hostname ?? ''
  const isOutside = host !== '' && !`example${suffix.toLowerCase()}`.endsWith(`.${host}`)
  if (!isOutside || isPlaceholder(audience) || isPlaceholder(suffix)) return []
  const message = `serviceAudiences.keyVault is ${showValue(audience)}, outside serviceDnsSuffixes.keyVault ${showValue(suffix)}: SDKs refuse the vault's challenge unless you turn off its verification (disableChallengeResourceVerification or a similar option)`
  return [{ code: 'VAULT_AUDIENCE_OUTSIDE_SUFFIX', message, field: 'serviceAudiences.keyVault' }]
}

function findTenant({ profile: { tenantId: own }, tenantId }: ResolvedCloud, from = 'The credential'): Warning[] {
  if (tenantId === undefined) return []
  const [tenant, field, warnings] = [showValue(tenantId), 'tenantId', [] as Warning[]]
  if (own !== undefined && own.toLowerCase() !== tenantId.toLowerCase()) {
    const message = `${from} has the tenant ${tenant}, and tenantId of the profile is ${showValue(own)}. The credential signs in to ${tenant}`
    warnings.push({ code: 'TENANT_DIFFERS', message, field })
  }
  // A directory has a GUID and domain names. A plain word is most likely the name of something else.
  if (!isGuid(tenantId) && !tenantId.includes('.')) {
    const message = `The tenant ${tenant} is neither a GUID nor a domain name, so the login authority won't know it`
    warnings.push({ code: 'TENANT_UNUSUAL', message, field })
  }
  return warnings
}

function findAlias({ profile: { authorityHost } }: ResolvedCloud): Warning[] {
  const host = new URL(authorityHost).hostname
  const main = knownCloudOfAuthority(authorityHost)?.authorityHost
  if (main === undefined || new URL(main).hostname === host) return []
  const message = `authorityHost is ${host}, another name of ${new URL(main).hostname}; set it to ${main}`
  return [{ code: 'AUTHORITY_ALIAS', message, field: 'authorityHost' }]
}

function findUnregisteredCloud(cloud: ResolvedCloud): Warning[] {
  const commands = cliRegistrationCommands(cloud)
  if (commands.length === 0) return []
  const message = `The command-line tool does not know this cloud (az cloud list shows what it knows, az cloud show the active cloud). Run these commands once`
  return [{ code: 'CLI_CLOUD_NOT_REGISTERED', message, commands }]
}

/** The warnings without a consequence of another one: an audience of another cloud also differs from the second audience. */
export function withoutConsequences(warnings: readonly Warning[]): Warning[] {
  const audiences = new Set(['serviceAudiences.arm', 'resourceManagerAudience'])
  const isForeign = warnings.some((each) => each.code === 'FOREIGN_VALUE' && audiences.has(ownCopy(each).field ?? ''))
  return warnings.filter(({ code }) => code !== 'ARM_AUDIENCE_DIFFERS' || !isForeign)
}

/** A value of a profile that another known cloud publishes. */
export interface ForeignValue {
  readonly path: FieldPath
  readonly value: string
  /** The known clouds that publish it. */
  readonly clouds: readonly CloudFile[]
  /** Absent without origins. */
  readonly origin: Origin | undefined
}

/** Fields without an address, the authority, which decides the cloud of a profile, and issuers, which clouds share. */
const withoutOwner = /^(?:name|displayName|environment|authorityHost|tenantId|notes)$|^(?:toolNames|aliases\.issuers)\./

const ownedTexts = (profile: CloudProfile) => textsOf(profile).filter(([path]) => !withoutOwner.test(path))

/** The values of a profile that belong to another known cloud than its login authority, whatever its `environment`. Pure. */
export function findForeignValues(linted: Pick<LintedCloud, 'profile' | keyof Known>): ForeignValue[] {
  const { profile, fields, clouds = knownClouds } = linted
  return ownedTexts(profile).flatMap(([key, value]) => {
    const path = key as FieldPath
    const owners =
      path === 'federatedAudience'
        ? clouds.filter(({ federatedAudience }) => federatedAudience === value)
        : (ownerOf(value, clouds)?.clouds ?? [])
    if (owners.length === 0 || includesCloud(owners, profile)) return []
    return [{ path, value, clouds: owners, origin: fields?.[path] }]
  })
}

/** The majority of the values decides whose profile it is. If the login authority is of another cloud, it is wrong rather than all of them. */
export function foreignWarnings(foreign: readonly ForeignValue[], linted: LintedCloud): Warning[] {
  if (foreign.length === 0) return []
  const { profile, fields, clouds = knownClouds } = linted
  const own = knownCloudOfAuthority(profile.authorityHost, clouds)
  const main = majorityOf(foreign, profile, own)
  const warningsOf = (values: readonly ForeignValue[], cloud: CloudFile | undefined) =>
    values.map((each) => foreignValueWarning(each, cloud))
  if (main?.authorityHost === undefined) return warningsOf(foreign, own)
  const { authorityHost } = main
  const right = foreign.filter((each) => includesCloud(each.clouds, main))
  const whose = own === undefined ? "isn't a login authority of a known cloud" : `belongs to ${titleOf(own)}`
  const message = `authorityHost is ${showValue(profile.authorityHost)}${originOf(fields?.['authorityHost'])}, which ${whose}, but ${right.length} values of the profile belong to ${titleOf(main)}: set authorityHost to ${authorityHost}`
  const others = findForeignValues({ ...linted, profile: { ...profile, authorityHost } })
  return [{ code: 'FOREIGN_VALUE', message, field: 'authorityHost' }, ...warningsOf(others, main)]
}

function foreignValueWarning({ path, value, clouds, origin }: ForeignValue, cloud: CloudFile | undefined): Warning {
  const as = /audience/i.test(path) ? 'audience' : 'host'
  const use = cloud && counterpartOf(value, { cloud, as })?.use
  const own = cloud === undefined ? 'a private cloud' : titleOf(cloud)
  const message = `${path} is ${showValue(value)}, which belongs to ${clouds.map(titleOf).join(' and ')}, but authorityHost belongs to ${own}${originOf(origin)}`
  return { code: 'FOREIGN_VALUE', message: use === undefined ? message : `${message}. ${use}`, field: path }
}

function originOf(origin: Origin | undefined): string {
  if (origin === undefined) return ''
  return ` (${origin.by === 'derived' ? '' : 'from '}${escapeHidden(describeOrigin(origin))})`
}

/** The cloud that more than half of the values belong to, unless the resource manager belongs to the cloud of the login authority. */
function majorityOf(foreign: readonly ForeignValue[], profile: CloudProfile, own: CloudFile | undefined) {
  if (own !== undefined && includesCloud(ownerOf(profile.resourceManagerEndpoint)?.clouds ?? [], own)) return undefined
  const all = ownedTexts(profile).length
  const ofCloud = (cloud: CloudFile) => foreign.filter(({ clouds }) => includesCloud(clouds, cloud)).length
  return foreign.flatMap(({ clouds }) => clouds).find((cloud) => ofCloud(cloud) > all / 2)
}
