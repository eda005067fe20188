import { ServiceError } from '../errors.ts'
import { valueAt } from '../base/json.ts'

/** Seconds that no token lives, a hundred years: what is longer is no lifetime, and overflows a date further on. */
const longestLifetime = 36_525 * 86_400

/**
 * Holds the answer to a token request against what every reader of it takes for granted.
 *
 * @throws {ServiceError} `TOKEN_RESPONSE_INVALID` that names the field.
 */
export function requireTokenResponse(body: unknown, { host }: URL): void {
  const token = valueAt(body, 'access_token')
  if (typeof token !== 'string' || token === '') throw invalid(host, 'without an access_token')
  for (const name of ['expires_in', 'ext_expires_in', 'refresh_in']) {
    const seconds = valueAt(body, name)
    if (seconds !== undefined && !isSeconds(seconds, longestLifetime)) throw invalid(host, `with an odd ${name}`)
  }
  const end = valueAt(body, 'expires_on')
  // Some hosts write a date of their own here, which the library knows how to read.
  if (isNumeric(end) && !isSeconds(end, Date.now() / 1000 + longestLifetime))
    throw invalid(host, 'with an odd expires_on')
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
}

function isSeconds(value: unknown, most: number): boolean {
  return isNumeric(value) && Number(value) >= 0 && Number(value) <= most
}

function invalid(host: string, what: string): ServiceError {
  return new ServiceError('TOKEN_RESPONSE_INVALID', `${host} answered the token request ${what}`)
}
