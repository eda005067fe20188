import { isGuid } from '../base/names.ts'
import { ServiceError, type ErrorCode } from '../errors.ts'

/** Source: Microsoft Entra authentication error codes (AADSTS). */
const numbersOfCode: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = {
  CLIENT_SECRET_INVALID: [7000215, 7000222, 7000218],
  CLIENT_UNKNOWN: [700016, 7000229],
  CLIENT_ASSERTION_REJECTED: [
    700027, 700021, 700023, 700024, 700030, 700222, 50013, 500133, 50027, 70025, 70021, 700211, 700212, 700213,
  ],
  USER_REJECTED: [50126, 50034, 50055, 50057, 50053],
  TENANT_UNKNOWN: [90002, 900021, 900023, 90019],
  TENANT_OF_ANOTHER_CLOUD: [900382, 900383, 900432, 900439],
  INSTANCE_UNKNOWN: [50049],
  RESOURCE_UNKNOWN: [500011, 500014, 650057],
  SCOPE_INVALID: [70011, 1002012],
  CONDITIONAL_ACCESS: [53003, 50076, 50079, 53000],
  SIGN_IN_NOT_ALLOWED: [7000112, 50105, 501051, 65001],
}
const codesByNumber: ReadonlyMap<number, ErrorCode> = new Map(
  Object.entries(numbersOfCode).flatMap(([code, numbers]) => numbers.map((number) => [number, code as ErrorCode])),
)

/** The reason of a number that shares its code with others: the evidence that selects its fix. */
const reasonsByNumber: Readonly<Record<number, string>> = {
  7000222: 'secretExpired',
  700024: 'assertionTime',
  500133: 'assertionTime',
  7000112: 'applicationDisabled',
  50105: 'assignmentMissing',
  501051: 'assignmentMissing',
  65001: 'consentMissing',
}

/** OAuth 2.0 error codes (RFC 6749 section 5.2, RFC 8628 section 3.5), for authorities that give no number. */
const codesByName: Readonly<Record<string, ErrorCode>> = {
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

/** The error names of OAuth 2.0, OpenID Connect and the known authorities. Any other text could echo what was sent, and is not shown. */
const knownNames: ReadonlySet<string> = new Set([
  ...Object.keys(codesByName),
  'bad_verification_code',
  'consent_required',
  'invalid_grant',
  'invalid_instance',
  'invalid_request',
  'invalid_target',
  'invalid_tenant',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unsupported_grant_type',
  'unsupported_response_type',
])

/**
 * Turns an error response of a token endpoint into a ServiceError. It names the error, if its name is known, and its number. The description
 * may hold anything and is not shown.
 */
export function readOAuthError(body: unknown, host: string): ServiceError | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string')
    return undefined
  const name = knownNames.has(body.error) ? body.error : 'unknown_error'
  const numbers = errorNumbers(body)
  const code =
    numbers.map((number) => codesByNumber.get(number)).find((found) => found !== undefined) ??
    codesByName[name] ??
    'TOKEN_REJECTED'
  const shown = numbers.length > 0 ? `, AADSTS${numbers[0]}` : ''
  const evidence = {
    host,
    error: name,
    errorNumber: numbers[0] === undefined ? undefined : `AADSTS${numbers[0]}`,
    ...Object.fromEntries(
      numbers.flatMap((number) => (number in reasonsByNumber ? [[reasonsByNumber[number], `AADSTS${number}`]] : [])),
    ),
    correlationId: identifierAt(body, 'correlation_id'),
    traceId: identifierAt(body, 'trace_id'),
  }
  return new ServiceError(code, `${host} refused the token request (${name}${shown})`, { evidence })
}

/** An id for the operator of the authority. A value that is not a GUID could echo what was sent. */
function identifierAt(body: object, name: string): string | undefined {
  const value: unknown = (body as Record<string, unknown>)[name]
  return typeof value === 'string' && isGuid(value) ? value : undefined
}

function errorNumbers(body: object): number[] {
  const listed = 'error_codes' in body && Array.isArray(body.error_codes) ? (body.error_codes as unknown[]) : []
  const description =
    'error_description' in body && typeof body.error_description === 'string' ? body.error_description : ''
  const described = /AADSTS(\d{4,8})/.exec(description)?.[1]
  return [...listed, described]
    .map((number) => (typeof number === 'object' ? Number.NaN : Number(number)))
    .filter((number) => Number.isInteger(number) && number > 0 && number < 1e8)
}
