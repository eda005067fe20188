import { type EnclaveResponse, type Step, type Transfer, html, json, steps } from '../http/exchange.ts'

const secureRoles = ['login', 'resource-manager', 'vault', 'storage'] as const
const everyRole = [...secureRoles, 'managed-identity'] as const
export type FaultRole = (typeof everyRole)[number]

/** The target of a fault: a role, or one step of a role. */
export type FaultTarget = FaultRole | Step

/** `connection` is before TLS, `certificate` in the handshake, `response` replaces the response, `content` changes a valid one. */
export type FaultLayer = 'connection' | 'certificate' | 'response' | 'content'

export interface CertificateFlaw {
  readonly issuer?: 'another' | 'itself'
  /** The first and the last day of validity, counted from today. */
  readonly days?: readonly [from: number, to: number]
  readonly name?: string
  readonly withoutIntermediate?: boolean
}

/** The effect of a fault. `foreign` is the requested address on the foreign host. */
interface Effect {
  readonly certificate?: CertificateFlaw
  /** The response, if the role doesn't receive the request. */
  readonly instead?: (fault: Fault, foreign: string) => EnclaveResponse
  readonly change?: (response: EnclaveResponse, fault: Fault, foreign: string) => EnclaveResponse
  /** The changed claims of an access token. */
  readonly claims?: (claims: JsonObject, fault: Fault) => JsonObject
}

interface FaultRow extends Effect {
  readonly layer: FaultLayer
  /** The first target is the default. */
  readonly targets: readonly FaultTarget[]
  readonly effect: string
}

/** Makes rows with the same layer and targets. */
const rows =
  (layer: FaultLayer, ...targets: readonly FaultTarget[]) =>
  (effect: string, does: Effect = {}): FaultRow => ({ layer, targets, effect, ...does })

const loginSteps = ['login/token', 'login/openid-configuration', 'login/device-code'] as const
const anywhere = rows('response', ...everyRole, ...steps)
const content = rows('content', ...steps, ...everyRole)
const certificate = (effect: string, flaw: CertificateFlaw): FaultRow =>
  rows('certificate', ...secureRoles)(effect, { certificate: flaw })
const token = rows('response', 'login/token', ...everyRole, ...steps.filter((step) => step !== 'login/token'))
const configuration = rows('response', ...steps, ...everyRole)
const document = rows('content', 'login/openid-configuration')
const anyDocument = rows('content', ...loginSteps, 'resource-manager/metadata', 'managed-identity')
const claims = rows('content', 'login/token', 'managed-identity')
const permission = rows('content', 'resource-manager', 'vault', 'storage')
const account = rows('content', 'storage', 'vault')
const challenge = rows('content', 'vault', 'storage', 'resource-manager')

/** Changes fields of a valid JSON response; `undefined` omits a field. */
function fields(edit: (response: JsonObject, fault: Fault, foreign: string) => JsonObject): Effect {
  return {
    change: (response, fault, foreign) => {
      const body = JSON.parse(String(response.body)) as JsonObject
      return { ...response, body: JSON.stringify({ ...body, ...edit(body, fault, foreign) }) }
    },
  }
}

const without = (...names: readonly string[]): Effect =>
  fields(() => Object.fromEntries(names.map((name) => [name, undefined])))
/** Moves the address in a field to the foreign host. */
const moved = (name: string): Effect =>
  fields(({ [name]: value }, _, foreign) => {
    const address = String(value)
    return { [name]: address.replace(new URL(address).origin, new URL(foreign).origin) }
  })
const transfer = (how: Transfer): Effect => ({ change: (response) => ({ ...response, transfer: how }) })
const unavailable = (status: number, headers: Record<string, string> = {}): EnclaveResponse =>
  json(status, { error: 'temporarily_unavailable', error_description: `The enclave responds with ${status}.` }, headers)

/** The words of a text. */
export type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

// Not derived from the table, because the public types would then contain its functions.
export type FaultKind =
  | Words<'refused silent-tls untrusted-ca expired-certificate not-yet-valid-certificate wrong-name'>
  | Words<'self-signed missing-intermediate silent reset status-429 status-500 status-503 not-found'>
  | Words<'html invalid-json truncated not-utf8 byte-order-mark empty redirect slow-drip huge-body'>
  | Words<'foreign-issuer foreign-token-endpoint missing-token-endpoint no-expires-in'>
  | Words<'device-missing-interval replaced-fields replaced-status replaced-claims wrong-audience'>
  | Words<'audience-without-slash wrong-tenant expired-token short-lived-token opaque-token aadsts'>
  | Words<'clock-skew rejects-token forbidden firewall foreign-challenge missing-challenge'>

/** Every fault of the enclave. {@link Fault} has their parameters. */
export const faultTable: Readonly<Record<FaultKind, FaultRow>> = {
  refused: rows('connection', ...everyRole)('The port is closed.'),
  'silent-tls': rows('connection', ...secureRoles)('Accepts the connection and never responds to the handshake.'),
  'untrusted-ca': certificate('A certificate of another private CA.', { issuer: 'another' }),
  'expired-certificate': certificate('A certificate that expired yesterday.', { days: [-30, -1] }),
  'not-yet-valid-certificate': certificate('A certificate that is valid from tomorrow.', { days: [1, 30] }),
  'wrong-name': certificate('A certificate for another host name.', { name: 'another-host.enclave.test' }),
  'self-signed': certificate('A certificate signed by its own key.', { issuer: 'itself' }),
  'missing-intermediate': certificate('The intermediate is not sent.', { withoutIntermediate: true }),
  silent: anywhere('Accepts the request and never responds.', {
    instead: () => ({ status: 200, headers: {}, body: '', transfer: 'silent' }),
  }),
  reset: token('Half of the response, then a connection reset.', transfer('reset')),
  'status-429': token('Status 429 with Retry-After.', {
    instead: ({ retryAfterSeconds = 3600 }) => unavailable(429, { 'retry-after': String(retryAfterSeconds) }),
  }),
  'status-500': token('Status 500.', { instead: () => unavailable(500) }),
  'status-503': token('Status 503.', { instead: () => unavailable(503) }),
  'not-found': configuration('Status 404 with an HTML body.', {
    instead: () => html(404, '<!doctype html><title>404</title><h1>Not found</h1>'),
  }),
  html: configuration('Status 200 with an HTML page, as a captive portal sends.', {
    instead: () => html(200, '<!doctype html><title>Wi-Fi</title><h1>Sign in to this network</h1>'),
  }),
  'invalid-json': configuration('The first half of the JSON as a complete response.', {
    change: (response) => ({ ...response, body: response.body.slice(0, Math.floor(response.body.length / 2)) }),
  }),
  truncated: configuration('Fewer bytes than Content-Length announces.', transfer('truncated')),
  'not-utf8': configuration('The body in UTF-16.', {
    change: (response) => ({ ...response, body: Buffer.from(String(response.body), 'utf16le') }),
  }),
  'byte-order-mark': configuration('The body after a UTF-8 byte order mark.', {
    change: (response) => ({ ...response, body: `\uFEFF${String(response.body)}` }),
  }),
  empty: configuration('Status 200 without a body.', { instead: () => ({ status: 200, headers: {}, body: '' }) }),
  redirect: configuration('Status 302 to the same path on the foreign host.', {
    instead: (_, location) => ({ status: 302, headers: { location }, body: '' }),
  }),
  'slow-drip': configuration('One byte at a time, forever.', {
    change: (response, { everyMilliseconds = 50 }) => ({ ...response, transfer: { everyMilliseconds } }),
  }),
  'huge-body': configuration('A JSON string without an end.', transfer('endless')),

  'foreign-issuer': document('The issuer is on the foreign host.', moved('issuer')),
  'foreign-token-endpoint': document('token_endpoint is on the foreign host.', moved('token_endpoint')),
  'missing-token-endpoint': document('No token_endpoint.', without('token_endpoint')),
  'no-expires-in': claims('No lifetime in the response.', without('expires_in', 'ext_expires_in', 'expires_on')),
  'device-missing-interval': rows('content', 'login/device-code')('No interval in the response.', without('interval')),
  'replaced-fields': anyDocument(
    'A valid response with the given fields replaced or omitted.',
    fields((_, fault) => fault.fields ?? { expires_in: 1e13 }),
  ),
  'replaced-status': content('A valid response, or the given body, with an error status.', {
    change: (response, { status = 401, body }) => ({
      ...response,
      status,
      body: body === undefined ? response.body : JSON.stringify(body),
    }),
  }),
  'replaced-claims': claims('A token with the given claims replaced or omitted.', {
    claims: (_, fault) => fault.claims ?? { exp: 'tomorrow' },
  }),
  'wrong-audience': claims('A token for another audience.', {
    claims: (_, { audience = 'https://another-service.enclave.test/' }) => ({ aud: audience }),
  }),
  'audience-without-slash': claims('aud without its final slash.', {
    claims: ({ aud }) => ({ aud: String(aud).replace(/\/$/, '') }),
  }),
  'wrong-tenant': claims('A token of another tenant.', {
    claims: ({ tid, iss }) => {
      const another = '11111111-2222-4333-8444-555555555555'
      return { tid: another, iss: String(iss).replace(String(tid), another) }
    },
  }),
  'expired-token': claims('A token that expired an hour ago.', {
    claims: ({ iat, exp }) => {
      const expired = Number(iat) - 3600
      const issued = expired - (Number(exp) - Number(iat))
      return { iat: issued, nbf: issued, exp: expired }
    },
  }),
  'short-lived-token': claims('A token that expires in a few seconds.', {
    claims: ({ iat }, { seconds = 5 }) => ({ exp: Number(iat) + seconds }),
    ...fields((response, { seconds = 5 }) => shortened(response, seconds)),
  }),
  'opaque-token': claims('A token that is not a JWT.'),
  aadsts: rows('content', ...loginSteps)('The error with the given AADSTS number.'),
  'clock-skew': rows('content', 'login')('The clock of the whole enclave is shifted.'),
  'rejects-token': permission('Status 401 for a valid token.'),
  forbidden: permission('Status 403 for a valid token: a role is missing.'),
  firewall: account('Status 403 for a valid token: the network rules of the account refuse the caller.'),
  'foreign-challenge': challenge('The 401 challenge names another authority and resource.'),
  'missing-challenge': challenge('The 401 has no WWW-Authenticate.'),
} satisfies Record<string, FaultRow>

/** A token response with another lifetime. Login authorities write it as a number, identity endpoints as a string. */
function shortened({ expires_in: lifetime, expires_on: end }: JsonObject, seconds: number): JsonObject {
  const alike = (like: unknown, value: number) => (typeof like === 'string' ? String(value) : value)
  return {
    expires_in: alike(lifetime, seconds),
    ...(end === undefined ? {} : { expires_on: alike(end, Number(end) - Number(lifetime) + seconds) }),
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A fault. Each parameter belongs to some kinds, and has a default. */
export interface Fault {
  readonly kind: FaultKind
  /** For `status-429`. Default is 3600. */
  readonly retryAfterSeconds?: number
  /** For `slow-drip`: milliseconds between two bytes. Default is 50. */
  readonly everyMilliseconds?: number
  /** For `aadsts`. Default is 90033, a transient error. */
  readonly number?: number
  /** For `aadsts`. Default is the error of the number. */
  readonly error?: string
  /** For `aadsts`, where the number has a default, and for `replaced-status`, with the default 401. */
  readonly status?: number
  /** For `wrong-audience`. Default is an audience that was not requested. */
  readonly audience?: string
  /** For `replaced-fields`. Default is `{ expires_in: 1e13 }`. `undefined` omits a field. */
  readonly fields?: JsonObject
  /** For `replaced-status`: sent as JSON. Default is the valid response. */
  readonly body?: unknown
  /** For `replaced-claims`. Default is `{ exp: 'tomorrow' }`. `undefined` omits a claim. */
  readonly claims?: JsonObject
  /** For `short-lived-token`, with the default 5, and for `clock-skew`, with the default 3600: added to the clock for Date and tokens. */
  readonly seconds?: number
}
