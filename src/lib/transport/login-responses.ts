import { setTimeout as sleep } from 'node:timers/promises'
import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { textAt, valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'
import { ServiceError, type NetworkRole, type ErrorCode } from '../errors.ts'
import type { EgressPolicy } from './egress.ts'
import { NetworkError } from './network-error.ts'
import { isGuid } from '../base/names.ts'

const maxUrlLength = 2048

/** Fields that the credential library needs. */
const required = ['authorization_endpoint', 'token_endpoint', 'issuer', 'jwks_uri'] as const

/**
 * Refuses an OpenID configuration that could lead the credential to a wrong host. The issuer must have the origin of the configuration (RFC 8414,
 * section 3.3). The secret is sent to the token endpoint, so the profile or a setting must name that host.
 */
export function requireOpenIdConfiguration(document: unknown, { host, origin }: URL, egress: EgressPolicy): void {
  const missing = required.filter((name) => {
    const value = valueAt(document, name)
    // The URL parser ignores tabs and line breaks, which could forge lines of a log.
    return typeof value !== 'string' || withoutHidden(value, maxUrlLength) !== value || !URL.canParse(value)
  })
  if (missing.length > 0) {
    const message = `The OpenID configuration of ${host} has no absolute URL for ${missing.join(', ')}`
    throw new ServiceError('OPENID_CONFIGURATION_INVALID', message, { evidence: { host, missing: missing.join(', ') } })
  }
  const issuer = new URL(String(valueAt(document, 'issuer')))
  if (issuer.origin !== origin) {
    const message = `The OpenID configuration of ${host} names the issuer host ${issuer.host}, but must name ${host}`
    throw new ServiceError('ISSUER_MISMATCH', message, { evidence: { issuer: `${issuer.origin}/`, host } })
  }
  const tokenEndpoint = new URL(String(valueAt(document, 'token_endpoint')))
  if (!egress.origins.has(tokenEndpoint.origin)) {
    const message = `The OpenID configuration of ${host} names the token endpoint ${tokenEndpoint.host}, where the credential would be sent`
    throw new ServiceError('TOKEN_ENDPOINT_FOREIGN', message, { evidence: { tokenHost: tokenEndpoint.host, host } })
  }
}

/** The longest token lifetime in seconds: a hundred years. A later expiry might not fit into a date. */
export const maxTokenLifetime = 36_525 * 86_400

/** @throws {ServiceError} `TOKEN_RESPONSE_INVALID` or `IDENTITY_ENDPOINT_RESPONSE_INVALID` that names the invalid field. */
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
  // Some hosts send a date instead of seconds, and the library parses it.
  if (isNumeric(end) && !isSeconds(end, Date.now() / 1000 + maxTokenLifetime))
    throw invalid('with an invalid expires_on')
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
}

function isSeconds(value: unknown, most: number): boolean {
  return isNumeric(value) && Number(value) >= 0 && Number(value) <= most
}

/** Seconds between two polls. The default is from RFC 8628, section 3.2. */
const interval = { default: 5, min: 1, max: 60 } as const
/** Seconds. A timer of Node can't wait longer. */
const maxLifetime = 2_147_483
/** Milliseconds that `slow_down` adds to the interval (RFC 8628, section 3.5). */
const slowDownMs = 5000

/**
 * Reads the response of a device code endpoint. Sets `interval`, because the library polls without a pause if it is missing or tiny. Removes
 * hidden characters, because terminals and pages show the texts.
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

/** The library treats `slow_down` as a failure. So this waits, and then passes on "authorization pending" in its place. */
export async function waitToSlowDown(
  response: PipelineResponse,
  body: unknown,
  signal?: AbortSignal,
): Promise<PipelineResponse> {
  if (valueAt(body, 'error') === 'slow_down') await sleep(slowDownMs, undefined, signal && { signal })
  return { ...response, bodyAsText: JSON.stringify({ error: 'authorization_pending' }) }
}

/** An http or https address. A person could take user information for the host, so it is refused. */
function addressOf(text: string): string {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '' ? url.href : ''
}

function numberAt(body: unknown, name: string): number | undefined {
  const found = valueAt(body, name)
  const value = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN
  return Number.isFinite(value) && value > 0 ? value : undefined
}

/** Source: Microsoft Entra authentication error codes (AADSTS). */
const numbersOfCode: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = {
  CLIENT_SECRET_INVALID: [7000215, 7000216, 7000222, 700025, 70002],
  CLIENT_NOT_PUBLIC: [7000218],
  CLIENT_UNKNOWN: [700016, 7000229, 70001],
  CLIENT_ASSERTION_REJECTED: [
    700027, 700021, 700023, 700024, 700030, 700222, 700223, 50013, 500133, 50027, 70025, 70021, 700211, 700212, 700213,
    7002138, 50012, 50166, 501661, 90061, 700238,
  ],
  USER_REJECTED: [
    50126, 50034, 500341, 50053, 50054, 50055, 50056, 50057, 500571, 50125, 50135, 50142, 50144, 50020, 500208, 50177,
    51004, 90072,
  ],
  TENANT_UNKNOWN: [90002, 900021, 900023, 90019, 50059, 50128, 50194],
  TENANT_OF_ANOTHER_CLOUD: [900381, 900382, 900383, 900384, 900432, 900439, 90043, 900433, 90051],
  INSTANCE_UNKNOWN: [50049],
  RESOURCE_UNKNOWN: [500011, 500014, 50001, 650056, 650057, 65007],
  SCOPE_INVALID: [70011, 1002012, 28002, 28003, 650053],
  CONDITIONAL_ACCESS: [
    50005, 50072, 50074, 50076, 50079, 50097, 50127, 50129, 50131, 50155, 50158, 53000, 53001, 53002, 53003, 53004,
    53009, 53011, 530002, 530003, 530004, 530031, 530034,
  ],
  DEVICE_CODE_PENDING: [70016],
  DEVICE_CODE_EXPIRED: [70019, 70020],
  ON_BEHALF_OF_NOT_ALLOWED: [7000114],
  TOKEN_REJECTED: [9002313],
  SIGN_IN_NOT_ALLOWED: [7000112, 50011, 500113, 50105, 501051, 65001, 65002, 65004, 650051, 650052, 90094],
}
/** The error code for each AADSTS number. */
export const codesByNumber: ReadonlyMap<number, ErrorCode> = new Map(
  Object.entries(numbersOfCode).flatMap(([code, numbers]) => numbers.map((number) => [number, code as ErrorCode])),
)

/** The error code for each OAuth 2.0 error (RFC 6749 section 5.2, RFC 8628 section 3.5), for authorities that return no number. */
export const codesByName: Readonly<Record<string, ErrorCode>> = {
  authorization_pending: 'DEVICE_CODE_PENDING',
  slow_down: 'DEVICE_CODE_PENDING',
  authorization_declined: 'DEVICE_CODE_DECLINED',
  access_denied: 'DEVICE_CODE_DECLINED',
  expired_token: 'DEVICE_CODE_EXPIRED',
  code_expired: 'DEVICE_CODE_EXPIRED',
  invalid_client: 'CLIENT_SECRET_INVALID',
  unauthorized_client: 'CLIENT_UNKNOWN',
  invalid_scope: 'SCOPE_INVALID',
  invalid_resource: 'RESOURCE_UNKNOWN',
  interaction_required: 'CONDITIONAL_ACCESS',
}

/** The error names of OAuth 2.0, OpenID Connect and the known authorities. Any other text could echo the request, so it isn't shown. */
const knownNames: ReadonlySet<string> = new Set([
  ...Object.keys(codesByName),
  ...'bad_verification_code consent_required invalid_grant invalid_instance invalid_request invalid_target'.split(' '),
  ...'invalid_tenant login_required server_error temporarily_unavailable'.split(' '),
  ...'unsupported_grant_type unsupported_response_type'.split(' '),
])

/** Makes the error of a token endpoint's response, with its name and number. The description may contain anything, so it isn't shown. */
export function readOAuthError(body: unknown, host: string): ServiceError | undefined {
  const given = textAt(body, 'error')
  if (given === undefined) return undefined
  const error = knownNames.has(given) ? given : 'unknown_error'
  const numbers = errorNumbers(body)
  // An inner number says more than the one that contains it.
  const number = numbers.findLast((each) => codesByNumber.has(each)) ?? numbers[0]
  const errorNumber = number === undefined ? undefined : `AADSTS${number}`
  const code = codesByNumber.get(number ?? 0) ?? codesByName[error] ?? 'TOKEN_REJECTED'
  /** An id that the operator of the authority can look up. A value that isn't a GUID could echo the request. */
  const id = (name: string) => [textAt(body, name) ?? ''].find(isGuid)
  const evidence = { host, error, errorNumber, correlationId: id('correlation_id'), traceId: id('trace_id') }
  const names = errorNumber === undefined ? error : `${error}, ${errorNumber}`
  return new ServiceError(code, `${host} refused the token request (${names})`, { evidence })
}

function errorNumbers(body: unknown): number[] {
  const listed = valueAt(body, 'error_codes')
  const described = (textAt(body, 'error_description') ?? '').matchAll(/AADSTS(\d{4,8})/g)
  return [...(Array.isArray(listed) ? (listed as unknown[]) : []), ...Array.from(described, ([, number]) => number)]
    .map((number) => (typeof number === 'object' ? Number.NaN : Number(number)))
    .filter((number) => Number.isInteger(number) && number > 0 && number < 1e8)
}
