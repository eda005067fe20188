import { equalUrls } from '../base/address.ts'
import { ownCopy, ownData } from '../base/json.ts'
import { isGuid, tenantPattern } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import { knownClouds } from '../clouds/known-clouds.ts'
import { argumentError, mustBe } from '../errors.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import type { ExplainedProfile } from './explained-profile.ts'

/** The clouds whose login authorities the public instance discovery knows. */
const wellKnown = new Set(['platform-commercial', 'platform-us-government', 'platform-china'])

/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three well-known ones, which an
 * isolated network cannot reach anyway. Letter case, a default port and trailing slashes do not matter; a path does.
 */
export function shouldDisableInstanceDiscovery(authorityHost: string): boolean {
  if (!URL.canParse(authorityHost)) return true
  const clouds = knownClouds.filter(({ name }) => wellKnown.has(name))
  return !clouds.some((cloud) => equalUrls(cloud.authorityHost ?? '', authorityHost))
}

/** The login authority of a profile. A federation service (AD FS) has one tenant, `adfs`, in its path. Any other authority has many. */
export interface IdentityProvider {
  readonly kind: 'multi-tenant' | 'federation-service'
  /** The tenant of the sign-in. With a federation service always `adfs`; absent if no tenant is known. */
  readonly tenantId?: string
  /** The authority of the profile, normalized, because a credential library breaks on an explicit `:443`. Ends with "/". */
  readonly authorityHost: string
  /** The address to which tools append the tenant: the authority without the path of a federation service. Ends with "/". */
  readonly authorityBase: string
  /** The whole authority, with the path of a federation service even if the profile leaves it out. Ends with "/". */
  readonly authorityUrl: string
  /** Where the OpenID configuration of the tenant is. Absent without a tenant. */
  readonly openIdConfigurationUrl?: URL
  readonly disableInstanceDiscovery: boolean
  /** The claims of its tokens that identify the issuer. */
  readonly expectedClaims: {
    /** Hosts that `iss` may name. */
    readonly issuerHosts: readonly string[]
    /** The GUID that `tid` repeats. Absent for a domain name, which no claim repeats, and for a federation service. */
    readonly tenantId?: string
  }
}

/** Names that stand for several tenants. A person who signs in belongs to one of them. */
export const sharedTenants: readonly string[] = ['common', 'organizations', 'consumers']

const federationTenant = 'adfs'
const federationPath = /\/adfs\/?$/i

/** Whether a tenant names a federation service. */
export function isFederationTenant(tenantId: string | undefined): boolean {
  return tenantId?.toLowerCase() === federationTenant
}

/** The identity provider of a profile. A resolved cloud has it already. @param named The tenant that settings name. */
export function identityProviderOf(
  profile: Pick<CloudProfile, 'authorityHost' | 'tenantId'>,
  named: string | undefined = ownCopy(profile).tenantId,
): IdentityProvider {
  // Metadata documents leave the final slash out.
  const spelled = profile.authorityHost.replace(/[^/]$/, '$&/')
  const authority = new URL(spelled)
  const hasPath = federationPath.test(authority.pathname)
  const isFederation = hasPath || isFederationTenant(named)
  const authorityBase = hasPath ? authority.href.replace(federationPath, '/') : spelled
  const authorityUrl = isFederation ? `${authorityBase}${federationTenant}/` : authorityBase
  const tenantId = isFederation ? federationTenant : named
  // An invalid tenant could change the URL.
  const isSafe = tenantId !== undefined && tenantPattern.test(tenantId)
  const issuers = knownCloudOfAuthority(profile.authorityHost)?.aliases?.issuers ?? []
  const configuration = `${isFederation ? '' : `${tenantId}/v2.0/`}.well-known/openid-configuration`
  // Another package may have put a tenantId on Object.prototype.
  return ownCopy({
    kind: isFederation ? 'federation-service' : 'multi-tenant',
    ...(tenantId === undefined ? {} : { tenantId }),
    authorityHost: new URL(hasPath ? authorityUrl : authorityBase).href,
    authorityBase,
    authorityUrl,
    ...(isSafe && { openIdConfigurationUrl: new URL(`${authorityUrl}${configuration}`) }),
    disableInstanceDiscovery: shouldDisableInstanceDiscovery(profile.authorityHost),
    expectedClaims: {
      // Older tokens of a known cloud name other hosts.
      issuerHosts: [authority.host, ...issuers.map((issuer) => new URL(issuer).host)],
      ...(tenantId !== undefined && isGuid(tenantId) ? { tenantId } : {}),
    },
  })
}

/** A profile with the facts that are derived from it, each computed once. */
export interface ResolvedCloud {
  readonly profile: CloudProfile
  /** The tenant that the settings name, or else the profile. */
  readonly tenantId: string | undefined
  /** The login authority for this tenant. */
  readonly provider: IdentityProvider
}

/** The cloud of a process: resolved, with the origin of each field. */
export type ExplainedCloud = ExplainedProfile & ResolvedCloud

/** A profile, resolved or not. */
export type ProfileOrCloud = Pick<ResolvedCloud, 'profile'> & Partial<ResolvedCloud>

/** Adds the identity provider to a profile, unless it was resolved for the same tenant. @param named The tenant that the settings name. */
export function resolveProvider<T extends ProfileOrCloud>(cloud: T, named?: string): T & ResolvedCloud {
  const profile = ownData(cloud.profile)
  const tenantId = named ?? profile.tenantId
  if (Object.hasOwn(cloud, 'provider') && cloud.tenantId === tenantId) return cloud as T & ResolvedCloud
  return ownCopy({ ...cloud, profile, tenantId, provider: identityProviderOf(profile, tenantId) })
}

/** The values to validate tokens that callers send to the application. */
export interface TokenValidation {
  /**
   * Accepted values of the claim `iss`. The value in an access token may differ from the issuer of the OpenID configuration.
   *
   * @param tenantId The tenant's GUID. Default is the tenantId of the profile. Ignored by a federation service.
   * @throws {ServiceError} `ARGUMENT_INVALID` without a GUID: an issuer contains it, never a domain name.
   */
  readonly issuers: (tenantId?: string) => string[]
  /** Where the authority publishes its keys (JWKS). @param tenantId A GUID or domain name. Default is the tenantId of the profile. */
  readonly jwksUri: (tenantId?: string) => string
  /**
   * Accepted values of the claim `aud` for an application: its client id, and its default identifier URI.
   *
   * @throws {ServiceError} `ARGUMENT_INVALID` for an empty text or an identifier URI.
   */
  readonly audiences: (clientId: string) => string[]
}

/** The values of the profile's identity provider. A federation service has no tenants, and its access tokens have an http URL as issuer. */
export function tokenValidation(profile: CloudProfile, { kind, authorityUrl }: IdentityProvider): TokenValidation {
  const { tenantId: own } = ownCopy(profile)
  const audiences = (clientId: string) => {
    if (typeof clientId === 'string' && /^[^\s:/]+$/.test(clientId)) return [clientId, `api://${clientId}`]
    throw argumentError(mustBe('clientId', 'the client id of an application, without "api://"', showValue(clientId)))
  }
  if (kind === 'federation-service') {
    const base = authorityUrl.replace(/\/$/, '')
    const issuers = [base, `${base.replace(/^https:/, 'http:')}/services/trust`]
    return { issuers: () => [...issuers], jwksUri: () => `${base}/discovery/keys`, audiences }
  }
  const others = profile.aliases?.issuers ?? [authorityUrl]
  const requireTenant = (tenantId: string | undefined, isValid: (tenant: string) => boolean, what: string) => {
    if (typeof tenantId === 'string' && isValid(tenantId)) return tenantId.toLowerCase()
    throw argumentError(mustBe('tenantId', what, showValue(tenantId)))
  }
  return {
    issuers(tenantId = own) {
      const tenant = requireTenant(tenantId, isGuid, 'the GUID of a tenant')
      const all = others.flatMap((issuer) => [`${issuer}${tenant}/`, `${issuer}${tenant}/v2.0`])
      return [...new Set([`${authorityUrl}${tenant}/v2.0`, ...all])]
    },
    jwksUri(tenantId = own) {
      const tenant = requireTenant(tenantId, (each) => tenantPattern.test(each), 'a tenant')
      return `${authorityUrl}${tenant}/discovery/v2.0/keys`
    },
    audiences,
  }
}
