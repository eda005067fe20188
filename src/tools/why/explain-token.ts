import { equalUrls } from '../../lib/base/address.ts'
import { withoutUndefined } from '../../lib/base/json.ts'
import { shortPrintable } from '../../lib/base/printable.ts'
import { readTokenClaims } from '../../lib/auth/token-claims.ts'
import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { ownerOf } from '../../lib/clouds/owner-of.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'

/** Compares the claims of a token with a profile. No result contains the token. Returns `undefined` if the text isn't a JWT. */
export function explainToken(token: string, profile: CloudProfile | undefined, now: Date) {
  const claims = readTokenClaims(token.trim().replace(/^Bearer\s+/i, ''))
  if (claims === undefined) return undefined
  const provider = profile && identityProviderOf(profile)
  const rows: { claim: string; value: string; expected?: string; isEqual?: boolean }[] = []
  const add = (claim: string, value: string | undefined, expected?: string, isEqual?: boolean) => {
    if (value !== undefined)
      rows.push(withoutUndefined({ claim, value: shortPrintable(value, 2048), expected, isEqual }))
  }
  const audiences = profile && new Set([profile.resourceManagerAudience, ...Object.values(profile.serviceAudiences)])
  const wanted = audiences && [...audiences]
  for (const audience of [claims.aud ?? []].flat()) {
    const isEqual = wanted?.some((each) => equalUrls(each, audience))
    add('aud', withOwner(audience), wanted?.join(', '), isEqual)
  }
  const hosts = provider?.expectedClaims.issuerHosts
  const host = URL.parse(claims.iss ?? '')?.host ?? ''
  add('iss', claims.iss && withOwner(claims.iss), hosts?.join(', '), hosts?.includes(host))
  const tenant = provider?.expectedClaims.tenantId
  add('tid', claims.tid, tenant, tenant === undefined ? undefined : claims.tid?.toLowerCase() === tenant.toLowerCase())
  add('appid', claims.appid ?? claims.azp)
  const seconds = now.getTime() / 1000
  const dateOf = (time: number) => new Date(Math.min(time, 8.64e12) * 1000).toISOString()
  if (claims.nbf !== undefined)
    add('nbf', dateOf(claims.nbf), `before ${now.toISOString()}`, claims.nbf <= seconds + 300)
  if (claims.exp !== undefined) add('exp', dateOf(claims.exp), `after ${now.toISOString()}`, claims.exp > seconds)
  return rows
}

function withOwner(value: string): string {
  const owner = URL.canParse(value) ? ownerOf(value) : undefined
  return owner?.clouds.length === 1 ? `${value} (${owner.clouds[0]?.name}, ${owner.service})` : value
}
