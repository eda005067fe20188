import { NetworkError } from './network-error.ts'
import { ServiceError, type NetworkRole } from '../errors.ts'
import { valueAt } from '../base/json.ts'

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
