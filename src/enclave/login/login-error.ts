import { randomUUID } from 'node:crypto'
import { type Answer, json, type EnclaveRequest } from '../http/exchange.ts'

interface ErrorRow {
  readonly error: string
  readonly text: string
  /** The federation service's own number, where it has one. */
  readonly federation?: string
}

/** The numbers of a real login authority, with our own texts. */
const rows: Readonly<Record<number, ErrorRow>> = {
  50013: { error: 'invalid_grant', text: 'The assertion is not valid.' },
  50027: { error: 'invalid_request', text: 'The token is malformed.' },
  50034: { error: 'invalid_grant', text: 'The user does not exist in this directory.', federation: 'MSIS9659' },
  50049: { error: 'invalid_instance', text: 'Unknown or invalid instance.' },
  50053: { error: 'invalid_grant', text: 'The account is locked.' },
  50055: { error: 'invalid_grant', text: 'The password has expired.' },
  50076: { error: 'interaction_required', text: 'Multi-factor authentication is required.' },
  50126: { error: 'invalid_grant', text: 'Invalid user name or password.', federation: 'MSIS9659' },
  53003: { error: 'interaction_required', text: 'Blocked by a conditional access policy.' },
  65001: { error: 'invalid_grant', text: 'Nobody has consented to this application.' },
  70000: { error: 'invalid_grant', text: 'The grant is not valid.' },
  70003: { error: 'unsupported_grant_type', text: 'The grant type is not supported.' },
  70011: { error: 'invalid_scope', text: 'The scope is not valid.' },
  70016: { error: 'authorization_pending', text: 'The user has not decided yet.' },
  70018: { error: 'bad_verification_code', text: 'The device code is not valid.' },
  70019: { error: 'expired_token', text: 'The device code has expired.' },
  70021: { error: 'invalid_client', text: 'No federated identity matches the presented assertion.' },
  90002: { error: 'invalid_request', text: 'The tenant was not found.' },
  90033: { error: 'temporarily_unavailable', text: 'A transient error has occurred.' },
  500011: { error: 'invalid_resource', text: '', federation: 'MSIS9602' },
  900382: { error: 'invalid_request', text: 'Confidential Client is not supported in Cross Cloud request.' },
  700016: {
    error: 'unauthorized_client',
    text: 'The application was not found in the directory.',
    federation: 'MSIS9223',
  },
  700021: { error: 'invalid_client', text: 'The assertion names another application than client_id.' },
  700023: { error: 'invalid_client', text: 'The audience of the assertion is not this authority.' },
  700024: { error: 'invalid_client', text: 'The assertion is outside its valid time range.' },
  700027: { error: 'invalid_client', text: 'The signature of the assertion could not be validated.' },
  700082: { error: 'invalid_grant', text: 'The refresh token has expired.' },
  900144: { error: 'invalid_request', text: 'A required parameter is missing.' },
  7000114: {
    error: 'invalid_request',
    text: 'The application is not allowed to make on-behalf-of calls with a token of an application.',
  },
  7000215: { error: 'invalid_client', text: 'Invalid client secret provided.', federation: 'MSIS9622' },
  7000218: {
    error: 'invalid_client',
    text: "The request must contain 'client_assertion' or 'client_secret'.",
    federation: 'MSIS9622',
  },
  7000222: { error: 'invalid_client', text: 'The client secret has expired.' },
}

/** The words of the real authority for an unknown audience, which people search for. */
export function unknownResource(audience: string, tenant: string): LoginError {
  return new LoginError(
    500011,
    `The resource principal named ${audience} was not found in the tenant named ${tenant}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.`,
  )
}

/** The HTTP status of an error; 400 for all others (RFC 6749, 5.2). */
const statusByError: Readonly<Record<string, number>> = { invalid_client: 401, temporarily_unavailable: 503 }

/** A refusal of the login authority, known by its number. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly number: number
  readonly error: string
  readonly status: number
  readonly federation: string

  constructor(number: number, detail = '', override: { error?: string | undefined; status?: number | undefined } = {}) {
    const row = rows[number] ?? { error: 'invalid_request', text: 'The request was refused.' }
    super([row.text, detail].filter((part) => part !== '').join(' '))
    this.number = number
    this.error = override.error ?? row.error
    this.status = override.status ?? statusByError[row.error] ?? 400
    this.federation = row.federation ?? 'MSIS9604'
  }
}

/** The error as the authority sends it: with ids and time, or in the federation service's short form. */
export function loginErrorAnswer(
  { number, message, error, status, federation }: LoginError,
  { headers }: EnclaveRequest,
  { federationService, now }: { readonly federationService: boolean; readonly now: () => number },
): Answer {
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
