import { ServiceError } from '../errors.ts'
import type { EgressPolicy } from './egress.ts'
import { withoutHidden } from '../base/printable.ts'

/** What an OpenID configuration (OpenID Connect discovery) must say before a credential may follow it. */
export interface OpenIdConfiguration {
  readonly issuer: string
  readonly tokenEndpoint: string
}

const longestUrl = 2048

const required = ['authorization_endpoint', 'token_endpoint', 'issuer', 'jwks_uri'] as const

/**
 * Reads an OpenID configuration and holds it against the authority it was asked from. A document may name any host as its
 * token endpoint, and the secret would be posted there; so the host must be the authority's, or be allowed by name.
 *
 * @param url Where the document was asked, whose origin the issuer must share (RFC 8414, section 3.3).
 * @throws {ServiceError} `OPENID_CONFIGURATION_INVALID`, `ISSUER_MISMATCH` or `TOKEN_ENDPOINT_FOREIGN`.
 */
export function readOpenIdConfiguration(document: unknown, url: string, egress: EgressPolicy): OpenIdConfiguration {
  const fields = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>
  const missing = required.filter((name) => {
    const value = fields[name]
    // The parser of URLs forgives tabs and newlines, which a log or a terminal would not.
    return typeof value !== 'string' || withoutHidden(value, longestUrl) !== value || !URL.canParse(value)
  })
  if (missing.length > 0) {
    throw new ServiceError(
      'OPENID_CONFIGURATION_INVALID',
      `The OpenID configuration of ${new URL(url).host} lacks ${missing.join(', ')} as an absolute URL`,
      { evidence: { host: new URL(url).host, missing: missing.join(', ') } },
    )
  }
  const { issuer, token_endpoint: tokenEndpoint } = fields as Record<string, string>
  const authority = new URL(url)
  if (issuer === undefined || new URL(issuer).origin !== authority.origin) {
    throw new ServiceError(
      'ISSUER_MISMATCH',
      `The OpenID configuration of ${authority.host} names the issuer host ${new URL(issuer ?? '').host}, which must be the authority's own`,
      { evidence: { issuer: `${new URL(issuer ?? '').origin}/`, host: authority.host } },
    )
  }
  if (tokenEndpoint === undefined || !egress.origins.has(new URL(tokenEndpoint).origin)) {
    throw new ServiceError(
      'TOKEN_ENDPOINT_FOREIGN',
      `The OpenID configuration of ${authority.host} would send the credential to ${new URL(tokenEndpoint ?? '').host}`,
      { evidence: { tokenHost: new URL(tokenEndpoint ?? '').host, host: authority.host } },
    )
  }
  return { issuer, tokenEndpoint }
}
