import { setTimeout as sleep } from 'node:timers/promises'
import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'
import { ServiceError, type NetworkRole } from '../errors.ts'
import type { EgressPolicy } from './egress.ts'
import { NetworkError } from './network-error.ts'

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

/** Seconds that no token is valid for, a hundred years. A later expiry may not be representable as a date. */
export const maxTokenLifetime = 36_525 * 86_400

/**
 * @throws {ServiceError} that names the invalid field of a token response: `TOKEN_RESPONSE_INVALID` of the login authority,
 *   `IDENTITY_ENDPOINT_RESPONSE_INVALID` of the identity endpoint.
 */
export function requireTokenResponse(body: unknown, { host }: URL, role: NetworkRole): void {
  const invalid = (problem: string): ServiceError => {
    const message = `${host} responded to the token request ${problem}`
    return role === 'AUTHORITY'
      ? new ServiceError('TOKEN_RESPONSE_INVALID', message, { evidence: { host } })
      : new NetworkError(role, 'RESPONSE_INVALID', message, { evidence: { host } })
  }
  const token = valueAt(body, 'access_token')
  if (typeof token !== 'string' || token === '') throw invalid('without an access_token')
  for (const name of ['expires_in', 'ext_expires_in', 'refresh_in']) {
    const seconds = valueAt(body, name)
    if (seconds !== undefined && !isSeconds(seconds, maxTokenLifetime)) throw invalid(`with an invalid ${name}`)
  }
  const end = valueAt(body, 'expires_on')
  // Some hosts send a date here, which the library parses.
  if (isNumeric(end) && !isSeconds(end, Date.now() / 1000 + maxTokenLifetime))
    throw invalid('with an invalid expires_on')
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
}

function isSeconds(value: unknown, most: number): boolean {
  return isNumeric(value) && Number(value) >= 0 && Number(value) <= most
}

/** Seconds between two polls. The default is that of RFC 8628, section 3.2. */
const interval = { default: 5, min: 1, max: 60 } as const
/** Seconds. A timer cannot wait longer. */
const maxLifetime = 2_147_483
/** Milliseconds that `slow_down` adds to the interval (RFC 8628, section 3.5). */
const slowDownMs = 5000

/**
 * Completes the response of a device code endpoint. The library polls without a pause if `interval` is missing or tiny, and terminals and
 * pages show its texts.
 *
 * @throws {ServiceError} `DEVICE_CODE_RESPONSE_INVALID` that names the missing fields.
 */
export function readDeviceCodeResponse(body: unknown, { host }: URL): object {
  const text = (name: string, maxLength: number) => {
    const value = valueAt(body, name)
    return typeof value === 'string' ? withoutHidden(value, maxLength).trim() : ''
  }
  const deviceCode = valueAt(body, 'device_code')
  const found = {
    user_code: text('user_code', 64),
    device_code: typeof deviceCode === 'string' ? deviceCode : '',
    verification_uri: addressOf(text('verification_uri', 2048)),
    expires_in: Math.min(numberAt(body, 'expires_in') ?? 0, maxLifetime),
  }
  const missing = Object.entries(found).filter(([, value]) => value === '' || value === 0)
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(', ')
    throw new ServiceError('DEVICE_CODE_RESPONSE_INVALID', `${host} started the sign-in without ${names}`)
  }
  const seconds = numberAt(body, 'interval') ?? interval.default
  return { ...found, interval: Math.min(Math.max(seconds, interval.min), interval.max), message: '' }
}

/** The library takes `slow_down` for a failure, so it gets "authorization pending" after the longer interval. */
export async function waitToSlowDown(
  response: PipelineResponse,
  body: unknown,
  signal?: AbortSignal,
): Promise<PipelineResponse> {
  if (valueAt(body, 'error') === 'slow_down') await sleep(slowDownMs, undefined, signal === undefined ? {} : { signal })
  return { ...response, bodyAsText: JSON.stringify({ error: 'authorization_pending' }) }
}

/** An http or https address. User info could be mistaken for its host. */
function addressOf(text: string): string {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '' ? url.href : ''
}

function numberAt(body: unknown, name: string): number | undefined {
  const found = valueAt(body, name)
  const value = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN
  return Number.isFinite(value) && value > 0 ? value : undefined
}
