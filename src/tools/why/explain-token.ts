import { equalUrls } from '../../lib/base/address.ts'
import { shortPrintable } from '../../lib/base/printable.ts'
import { readTokenClaims } from '../../lib/auth/token-claims.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

/** A claim beside the value of the profile. */
export interface ComparedClaim {
  readonly claim: string
  readonly value: string
  readonly expected?: string
  /** Absent if there is nothing to compare it with. */
  readonly isEqual?: boolean
}

/**
 * Compares the claims of a token with a profile. The token itself is in no result.
 *
 * @returns `undefined` for a text that is no JWT.
 */
export function explainToken(
  token: string,
  profile: CloudProfile | undefined,
  now: Date,
): readonly ComparedClaim[] | undefined {
  const claims = readTokenClaims(token.trim().replace(/^Bearer\s+/i, ''))
  if (claims === undefined) return undefined
  const provider = profile && identityProviderOf(profile)
  const rows: ComparedClaim[] = []
  const add = (claim: string, value: string | undefined, expected?: string, isEqual?: boolean) => {
    if (value === undefined) return
    rows.push({
      claim,
      value: shortPrintable(value, 2048),
      ...(expected === undefined ? {} : { expected }),
      ...(isEqual === undefined ? {} : { isEqual }),
    })
  }
  for (const audience of [claims.aud ?? []].flat()) {
    const expected = profile && audiencesOf(profile)
    const isEqual = expected?.some((each) => equalUrls(each, audience))
    add('aud', withOwner(audience), expected?.join(', '), isEqual)
  }
  const host = claims.iss === undefined ? undefined : URL.parse(claims.iss)?.host
  const hosts = provider?.expectedClaims.issuerHosts
  add(
    'iss',
    claims.iss && withOwner(claims.iss),
    hosts?.join(', '),
    hosts && host !== undefined && hosts.includes(host),
  )
  const tenant = provider?.expectedClaims.tenantId
  add('tid', claims.tid, tenant, tenant === undefined ? undefined : claims.tid?.toLowerCase() === tenant.toLowerCase())
  add('appid', claims.appid ?? claims.azp)
  const seconds = now.getTime() / 1000
  if (claims.nbf !== undefined)
    add('nbf', dateOf(claims.nbf), `before ${now.toISOString()}`, claims.nbf <= seconds + 300)
  if (claims.exp !== undefined) add('exp', dateOf(claims.exp), `after ${now.toISOString()}`, claims.exp > seconds)
  return rows
}

function audiencesOf({ resourceManagerAudience, serviceAudiences }: CloudProfile): readonly string[] {
  return [...new Set([resourceManagerAudience, ...Object.values(serviceAudiences)])]
}

function withOwner(value: string): string {
  const owner = URL.canParse(value) ? ownerOf(value) : undefined
  return owner?.clouds.length === 1 ? `${value} (${owner.clouds[0]?.name}, ${owner.service})` : value
}

const dateOf = (seconds: number): string => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString()
