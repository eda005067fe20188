import type { FaultRole, Step } from '../roles.ts'
import type { FaultParameters, JsonObject } from './fault-parameters.ts'

/** Where a fault applies: a whole role, or one step of it. */
export type FaultTarget = FaultRole | Step

/**
 * How deep a fault lies: `connection` before TLS, `certificate` in the handshake, `answer` in place of whatever would have been
 * answered, `content` inside an otherwise good answer.
 */
export type FaultLayer = 'connection' | 'certificate' | 'answer' | 'content'

interface FaultEntry {
  readonly layer: FaultLayer
  /** Where it may be set. The first is the default. */
  readonly targets: readonly FaultTarget[]
  readonly effect: string
  /** What it changes in the JSON of a good answer; `undefined` leaves a field out. Gets the answer, its parameters and the foreign origin. */
  readonly fields?: (answer: JsonObject, fault: never, foreignOrigin: string) => JsonObject
  /** What it changes in the claims of an access token. Gets the claims and its parameters. */
  readonly claims?: (claims: JsonObject, fault: never) => JsonObject
  /** What it changes in the status of a good answer. */
  readonly status?: (fault: never) => number
}

const secureRoles = ['login', 'resource-manager', 'vault', 'storage'] as const
const everyRole = [...secureRoles, 'managed-identity'] as const
const steps = [
  'login/openid-configuration',
  'login/token',
  'login/device-code',
  'resource-manager/metadata',
  'resource-manager/subscriptions',
] as const
const configurationFirst = [...steps, ...everyRole] as const
const tokenFirst = ['login/token', ...everyRole, ...steps.filter((step) => step !== 'login/token')] as const
const tokenIssuers = ['login/token', 'managed-identity'] as const
const challengers = ['vault', 'storage', 'resource-manager'] as const

/** Every fault the enclave can show. Parameters are in {@link FaultParameters}. */
export const faultTable = {
  refused: { layer: 'connection', targets: everyRole, effect: 'The port is closed.' },
  'silent-tls': {
    layer: 'connection',
    targets: secureRoles,
    effect: 'Accepts the connection, never answers the handshake.',
  },
  'untrusted-ca': { layer: 'certificate', targets: secureRoles, effect: 'A certificate of another private CA.' },
  'expired-certificate': { layer: 'certificate', targets: secureRoles, effect: 'A certificate that ended yesterday.' },
  'not-yet-valid-certificate': {
    layer: 'certificate',
    targets: secureRoles,
    effect: 'A certificate that begins tomorrow.',
  },
  'wrong-name': { layer: 'certificate', targets: secureRoles, effect: 'A certificate for another host name.' },
  'self-signed': { layer: 'certificate', targets: secureRoles, effect: 'A certificate signed by its own key.' },
  'missing-intermediate': { layer: 'certificate', targets: secureRoles, effect: 'The intermediate is not sent.' },

  silent: { layer: 'answer', targets: [...everyRole, ...steps], effect: 'Takes the request, never answers.' },
  reset: { layer: 'answer', targets: tokenFirst, effect: 'Half of the answer, then a connection reset.' },
  'not-found': { layer: 'answer', targets: configurationFirst, effect: 'Status 404 with an HTML body.' },
  html: {
    layer: 'answer',
    targets: configurationFirst,
    effect: 'Status 200 with an HTML page, as a captive portal sends.',
  },
  'invalid-json': {
    layer: 'answer',
    targets: configurationFirst,
    effect: 'The first half of the JSON as a complete answer.',
  },
  truncated: { layer: 'answer', targets: configurationFirst, effect: 'Fewer bytes than Content-Length announces.' },
  'not-utf8': { layer: 'answer', targets: configurationFirst, effect: 'The body in UTF-16.' },
  'byte-order-mark': {
    layer: 'answer',
    targets: configurationFirst,
    effect: 'The body after a UTF-8 byte order mark.',
  },
  empty: { layer: 'answer', targets: configurationFirst, effect: 'Status 200 without a body.' },
  redirect: {
    layer: 'answer',
    targets: configurationFirst,
    effect: 'Status 302 to the same path on the foreign host.',
  },
  'status-429': { layer: 'answer', targets: tokenFirst, effect: 'Status 429 with Retry-After.' },
  'status-500': { layer: 'answer', targets: tokenFirst, effect: 'Status 500.' },
  'status-503': { layer: 'answer', targets: tokenFirst, effect: 'Status 503.' },
  'slow-drip': { layer: 'answer', targets: configurationFirst, effect: 'One byte at a time, for ever.' },
  'huge-body': { layer: 'answer', targets: configurationFirst, effect: 'A JSON string without an end.' },

  'foreign-issuer': {
    layer: 'content',
    targets: ['login/openid-configuration'],
    effect: 'The issuer is on the foreign host.',
    fields: ({ issuer }, _, foreignOrigin) => ({ issuer: moved(issuer, foreignOrigin) }),
  },
  'foreign-token-endpoint': {
    layer: 'content',
    targets: ['login/openid-configuration'],
    effect: 'token_endpoint is on the foreign host.',
    fields: ({ token_endpoint: endpoint }, _, foreignOrigin) => ({ token_endpoint: moved(endpoint, foreignOrigin) }),
  },
  'missing-token-endpoint': {
    layer: 'content',
    targets: ['login/openid-configuration'],
    effect: 'No token_endpoint.',
    fields: () => ({ token_endpoint: undefined }),
  },
  'no-expires-in': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'The lifetime is left out of the answer.',
    fields: () => ({ expires_in: undefined, ext_expires_in: undefined, expires_on: undefined }),
  },
  'device-missing-interval': {
    layer: 'content',
    targets: ['login/device-code'],
    effect: 'No interval in the answer.',
    fields: () => ({ interval: undefined }),
  },
  'replaced-fields': {
    layer: 'content',
    targets: [
      'login/token',
      'login/openid-configuration',
      'login/device-code',
      'resource-manager/metadata',
      'managed-identity',
    ],
    effect: 'The given fields of a good answer are replaced, or left out.',
    fields: (_, { fields = { expires_in: 1e13 } }: FaultParameters['replaced-fields']) => fields,
  },
  'replaced-status': {
    layer: 'content',
    targets: configurationFirst,
    effect: 'A good answer, or the given body, under a status that is no success.',
    status: ({ status = 401 }: FaultParameters['replaced-status']) => status,
  },
  'replaced-claims': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'The given claims of the token are replaced, or left out.',
    claims: (_, { claims = { exp: 'tomorrow' } }: FaultParameters['replaced-claims']) => claims,
  },
  'wrong-audience': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token for another audience.',
    claims: (_, { audience = 'https://another-service.enclave.test/' }: FaultParameters['wrong-audience']) => ({
      aud: audience,
    }),
  },
  'audience-without-slash': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'aud without its final slash.',
    claims: ({ aud }) => ({ aud: String(aud).replace(/\/$/, '') }),
  },
  'wrong-tenant': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token of another tenant.',
    claims: ({ tid, iss }) => {
      const another = '11111111-2222-4333-8444-555555555555'
      return { tid: another, iss: String(iss).replace(String(tid), another) }
    },
  },
  'expired-token': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token that ended an hour ago.',
    claims: ({ iat, exp }) => {
      const ended = Number(iat) - 3600
      const begun = ended - (Number(exp) - Number(iat))
      return { iat: begun, nbf: begun, exp: ended }
    },
  },
  'short-lived-token': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token that lives a few seconds.',
    claims: ({ iat }, { seconds = 5 }: FaultParameters['short-lived-token']) => ({ exp: Number(iat) + seconds }),
    fields: (answer, { seconds = 5 }: FaultParameters['short-lived-token']) => shortened(answer, seconds),
  },
  'opaque-token': { layer: 'content', targets: tokenIssuers, effect: 'A token that is not a JWT.' },
  aadsts: {
    layer: 'content',
    targets: ['login/token', 'login/openid-configuration', 'login/device-code'],
    effect: 'The error with the given AADSTS number.',
  },
  'clock-skew': { layer: 'content', targets: ['login'], effect: 'The clock of the whole enclave is shifted.' },
  'rejects-token': {
    layer: 'content',
    targets: ['resource-manager', 'vault', 'storage'],
    effect: 'Status 401 to a valid token.',
  },
  forbidden: {
    layer: 'content',
    targets: ['resource-manager', 'vault', 'storage'],
    effect: 'Status 403 to a valid token: a role is missing.',
  },
  firewall: {
    layer: 'content',
    targets: ['storage', 'vault'],
    effect: 'Status 403 to a valid token: the network rules of the account refuse the caller.',
  },
  'foreign-challenge': {
    layer: 'content',
    targets: challengers,
    effect: 'The 401 challenge names another authority and resource.',
  },
  'missing-challenge': { layer: 'content', targets: challengers, effect: 'The 401 has no WWW-Authenticate.' },
} as const satisfies Record<string, FaultEntry>

export type FaultKind = keyof typeof faultTable

/** The kinds that lie in one layer. */
export type FaultKindIn<L extends FaultLayer> = {
  [K in FaultKind]: (typeof faultTable)[K]['layer'] extends L ? K : never
}[FaultKind]

/** One fault, told apart by `kind`. */
export type Fault = {
  [K in FaultKind]: { readonly kind: K } & (K extends keyof FaultParameters ? FaultParameters[K] : unknown)
}[FaultKind]

/** The fault of one kind. */
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>

type ParameterName = { [K in keyof FaultParameters]: keyof FaultParameters[K] }[keyof FaultParameters]

/** The same path on another origin. */
function moved(address: unknown, origin: string): string {
  return origin + String(address).slice(new URL(String(address)).origin.length)
}

/** A token answer with another lifetime. Login authorities write numbers, identity endpoints strings. */
function shortened({ expires_in: lifetime, expires_on: end }: JsonObject, seconds: number): JsonObject {
  const alike = (like: unknown, value: number) => (typeof like === 'string' ? String(value) : value)
  return {
    expires_in: alike(lifetime, seconds),
    ...(end === undefined ? {} : { expires_on: alike(end, Number(end) - Number(lifetime) + seconds) }),
  }
}

/** A fault, or a kind that is known only when the program runs, without parameters. */
export type FaultChoice = Fault | ({ readonly kind: FaultKind } & { readonly [P in ParameterName]?: never })
