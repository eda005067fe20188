import { knownClouds } from '../clouds/known-clouds.ts'
import { withoutFinalSlashes } from '../base/address.ts'
import { isGuid } from '../base/names.ts'
import { knownCloudOfAuthority } from '../clouds/equal-values.ts'
import type { CloudProfile } from './cloud-profile.ts'
import { tenantPattern } from '../base/names.ts'

/** The three login authorities that the public instance discovery knows: public, US government and China. */
export const wellKnownAuthorityHosts = (): readonly string[] =>
  knownClouds
    .filter(({ name }) => ['platform-commercial', 'platform-us-government', 'platform-china'].includes(name))
    .map(({ authorityHost = '' }) => withoutFinalSlashes(authorityHost))

/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three
 * well-known ones, which an isolated network cannot reach anyway. Letter case, a default port and trailing slashes
 * do not matter; a path does.
 */
export function shouldDisableInstanceDiscovery(authorityHost: string): boolean {
  if (!URL.canParse(authorityHost)) return true
  return !wellKnownAuthorityHosts().includes(withoutFinalSlashes(new URL(authorityHost).href))
}

/**
 * The login authority of a profile, with everything that depends on its kind. A federation service (AD FS) has one tenant, `adfs`, which is
 * part of its path; every other authority has many, each with its own path.
 */
export interface IdentityProvider {
  readonly kind: 'multi-tenant' | 'federation-service'
  /** The tenant of the sign-in. With a federation service always `adfs`; absent if no tenant is known. */
  readonly tenantId?: string
  /** The authority of the profile as URLs are normalized: a credential library breaks on an explicit `:443`. Ends with "/". */
  readonly authorityHost: string
  /** The address to which tools append the tenant: the authority without the path of a federation service. Ends with "/". */
  readonly authorityBase: string
  /** The whole authority: that of a federation service has its path, also where the profile leaves it out. Ends with "/". */
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

const federationTenant = 'adfs'
const federationPath = /\/adfs\/?$/i

/** Whether a tenant is that of a federation service. */
export function isFederationTenant(tenantId: string | undefined): boolean {
  return tenantId?.toLowerCase() === federationTenant
}

/**
 * The identity provider of a profile.
 *
 * @param named The tenant that settings name. Default is the profile's.
 */
export function identityProviderOf(
  profile: Pick<CloudProfile, 'authorityHost' | 'tenantId'>,
  named: string | undefined = profile.tenantId,
): IdentityProvider {
  const spelled = withSlash(profile.authorityHost)
  const authority = new URL(spelled)
  const hasPath = federationPath.test(authority.pathname)
  const isFederation = hasPath || isFederationTenant(named)
  const authorityBase = hasPath ? authority.href.replace(federationPath, '/') : spelled
  const authorityUrl = isFederation ? `${authorityBase}${federationTenant}/` : authorityBase
  const tenantId = isFederation ? federationTenant : named
  return {
    kind: isFederation ? 'federation-service' : 'multi-tenant',
    ...(tenantId === undefined ? {} : { tenantId }),
    authorityHost: new URL(hasPath ? authorityUrl : authorityBase).href,
    authorityBase,
    authorityUrl,
    ...openIdConfigurationOf(isFederation, authorityUrl, tenantId),
    disableInstanceDiscovery: shouldDisableInstanceDiscovery(profile.authorityHost),
    expectedClaims: {
      issuerHosts: [authority.host, ...issuerHostsOf(profile.authorityHost)],
      ...(tenantId !== undefined && isGuid(tenantId) ? { tenantId } : {}),
    },
  }
}

/** Hosts that older tokens of a known cloud name. */
function issuerHostsOf(authorityHost: string): string[] {
  const { issuers = [] } = knownCloudOfAuthority(authorityHost)?.aliases ?? {}
  return issuers.map((issuer) => new URL(issuer).host)
}

function openIdConfigurationOf(
  isFederation: boolean,
  authorityUrl: string,
  tenantId: string | undefined,
): Pick<IdentityProvider, 'openIdConfigurationUrl'> {
  // An invalid tenant could change the URL.
  if (tenantId === undefined || !tenantPattern.test(tenantId)) return {}
  const path = isFederation ? '' : `${tenantId}/v2.0/`
  return { openIdConfigurationUrl: new URL(`${authorityUrl}${path}.well-known/openid-configuration`) }
}

/** Metadata documents leave the final slash out. */
function withSlash(authorityHost: string): string {
  return authorityHost.endsWith('/') ? authorityHost : `${authorityHost}/`
}
