import { randomUUID } from 'node:crypto'
import type { Directory } from '../directory.ts'
import { type EnclaveResponse, json, type EnclaveRequest } from '../http/exchange.ts'

type ErrorRow = readonly [error: string, text: string, federation?: string]

/** Errors by the number of a real login authority, with texts of ours, and with the code of a federation service if it has one. */
const rows: Readonly<Record<number, ErrorRow>> = {
  50013: ['invalid_grant', 'The assertion is not valid.'],
  50027: ['invalid_request', 'The token is malformed.'],
  50034: ['invalid_grant', 'The user does not exist in this directory.', 'MSIS9659'],
  50049: ['invalid_instance', 'Unknown or invalid instance.'],
  50053: ['invalid_grant', 'The account is locked.'],
  50055: ['invalid_grant', 'The password has expired.'],
  50076: ['interaction_required', 'Multi-factor authentication is required.'],
  50126: ['invalid_grant', 'Invalid user name or password.', 'MSIS9659'],
  53003: ['interaction_required', 'Blocked by a conditional access policy.'],
  65001: ['invalid_grant', 'Nobody has consented to this application.'],
  70000: ['invalid_grant', 'The grant is not valid.'],
  70003: ['unsupported_grant_type', 'The grant type is not supported.'],
  70011: ['invalid_scope', 'The scope is not valid.'],
  70016: ['authorization_pending', 'The user has not decided yet.'],
  70018: ['bad_verification_code', 'The device code is not valid.'],
  70019: ['expired_token', 'The device code has expired.'],
  70021: ['invalid_client', 'No federated identity matches the presented assertion.'],
  90002: ['invalid_request', 'The tenant was not found.'],
  90033: ['temporarily_unavailable', 'A transient error has occurred.'],
  500011: ['invalid_resource', '', 'MSIS9602'],
  900382: ['invalid_request', 'Confidential Client is not supported in Cross Cloud request.'],
  700016: ['unauthorized_client', 'The application was not found in the directory.', 'MSIS9223'],
  700021: ['invalid_client', 'The assertion names another application than client_id.'],
  700023: ['invalid_client', 'The audience of the assertion is not this authority.'],
  700024: ['invalid_client', 'The assertion is outside its valid time range.'],
  700027: ['invalid_client', 'The signature of the assertion could not be validated.'],
  700082: ['invalid_grant', 'The refresh token has expired.'],
  900144: ['invalid_request', 'A required parameter is missing.'],
  7000114: ['invalid_request', 'On-behalf-of calls need the token of a user, not of an application.'],
  7000215: ['invalid_client', 'Invalid client secret provided.', 'MSIS9622'],
  7000218: ['invalid_client', "The request must contain 'client_assertion' or 'client_secret'.", 'MSIS9622'],
  7000222: ['invalid_client', 'The client secret has expired.'],
}

/** The text of the real authority for an unknown audience, because people search for it, and the same service's audience in this cloud. */
export function unknownResource(audience: string, { domain, adviceOn }: Directory): LoginError {
  return new LoginError(
    500011,
    `The resource principal named ${audience} was not found in the tenant named ${domain}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.${adviceOn(audience)}`,
  )
}

/** The HTTP status by error. It is 400 for all other errors (RFC 6749, section 5.2). */
const statusByError: Readonly<Record<string, number>> = { invalid_client: 401, temporarily_unavailable: 503 }

/** A refusal of the login authority, by its number. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly number: number
  readonly error: string
  readonly status: number
  readonly federation: string

  constructor(number: number, detail = '', override: { error?: string | undefined; status?: number | undefined } = {}) {
    const [error, text, federation = 'MSIS9604'] = rows[number] ?? ['invalid_request', 'The request was refused.']
    super([text, detail].filter((part) => part !== '').join(' '))
    this.number = number
    this.error = override.error ?? error
    this.status = override.status ?? statusByError[error] ?? 400
    this.federation = federation
  }
}

/** The response for an error: with ids and time, or in the short form of a federation service. */
export function loginErrorResponse(
  { number, message, error, status, federation }: LoginError,
  { headers }: EnclaveRequest,
  { federationService, now }: { readonly federationService: boolean; readonly now: () => number },
): EnclaveResponse {
  if (federationService) return json(status, { error, error_description: `${federation}: ${message}` })
  const traceId = randomUUID()
  const correlationId = headers['client-request-id']?.toString() ?? randomUUID()
  const timestamp = `${new Date(now()).toISOString().slice(0, 19).replace('T', ' ')}Z`
  return json(status, {
    error,
    error_description: `AADSTS${number}: ${message} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`,
    error_codes: [number],
    timestamp,
    trace_id: traceId,
    correlation_id: correlationId,
  })
}
