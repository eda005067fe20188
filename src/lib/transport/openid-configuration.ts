import { ServiceError } from '../errors.ts'
import type { EgressPolicy } from './egress.ts'
import { valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'

const maxUrlLength = 2048

/** The fields that the credential library needs. */
const required = ['authorization_endpoint', 'token_endpoint', 'issuer', 'jwks_uri'] as const

/**
 * Refuses an OpenID configuration that the credential must not follow. It may name any host as its token endpoint, where the secret would
 * be posted, so that host must be the authority's or be allowed by name.
 *
 * @param url Its address, whose origin the issuer must share (RFC 8414, section 3.3).
 * @throws {ServiceError} `OPENID_CONFIGURATION_INVALID`, `ISSUER_MISMATCH` or `TOKEN_ENDPOINT_FOREIGN`.
 */
export function requireOpenIdConfiguration(document: unknown, { host, origin }: URL, egress: EgressPolicy): void {
  const missing = required.filter((name) => {
    const value = valueAt(document, name)
    // URL parsing ignores tabs and newlines, which would forge lines of a log.
    return typeof value !== 'string' || withoutHidden(value, maxUrlLength) !== value || !URL.canParse(value)
  })
  if (missing.length > 0) {
    throw new ServiceError(
      'OPENID_CONFIGURATION_INVALID',
      `The OpenID configuration of ${host} lacks ${missing.join(', ')} as an absolute URL`,
      { evidence: { host, missing: missing.join(', ') } },
    )
  }
  const issuer = new URL(String(valueAt(document, 'issuer')))
  if (issuer.origin !== origin) {
    throw new ServiceError(
      'ISSUER_MISMATCH',
      `The OpenID configuration of ${host} names the issuer host ${issuer.host}, but must name ${host}`,
      { evidence: { issuer: `${issuer.origin}/`, host } },
    )
  }
  const tokenEndpoint = new URL(String(valueAt(document, 'token_endpoint')))
  if (!egress.origins.has(tokenEndpoint.origin)) {
    throw new ServiceError(
      'TOKEN_ENDPOINT_FOREIGN',
      `The OpenID configuration of ${host} names the token endpoint ${tokenEndpoint.host}, where the credential would be sent`,
      { evidence: { tokenHost: tokenEndpoint.host, host } },
    )
  }
}
