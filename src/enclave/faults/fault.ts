import type { FaultRole, Step } from '../roles.ts'

import type { FaultParameters, JsonObject } from './fault-parameters.ts'

/** Where a fault applies: a whole role, or one step of it. */
export type FaultTarget = FaultRole | Step

/**
 * The layer of a fault: `connection` before TLS, `certificate` in the handshake, `answer` in place of the response, `content` inside an
 * otherwise valid response.
 */
export type FaultLayer = 'connection' | 'certificate' | 'answer' | 'content'

interface FaultEntry {
  readonly layer: FaultLayer
  /** The targets that it applies to. The first is the default. */
  readonly targets: readonly FaultTarget[]
  readonly effect: string
  /** Changed fields of a valid JSON response; `undefined` omits a field. */
  readonly fields?: (answer: JsonObject, fault: never, foreignOrigin: string) => JsonObject
  /** Changed claims of an access token. */
  readonly claims?: (claims: JsonObject, fault: never) => JsonObject
  /** The status in place of 200. */
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

/** Rows of one layer that differ in nothing but their effect. */
function rows<const L extends FaultLayer, const T extends readonly FaultTarget[], K extends string>(
  layer: L,
  targets: T,
  effects: Readonly<Record<K, string>>,
) {
  const entries = Object.entries<string>(effects).map(([kind, effect]) => [kind, { layer, targets, effect }])
  return Object.fromEntries(entries) as Record<K, { readonly layer: L; readonly targets: T; readonly effect: string }>
}

/** Every fault of the enclave. Parameters are in {@link FaultParameters}. */
export const faultTable = {
  ...rows('connection', everyRole, { refused: 'The port is closed.' }),
  ...rows('connection', secureRoles, { 'silent-tls': 'Accepts the connection and never responds to the handshake.' }),
  ...rows('certificate', secureRoles, {
    'untrusted-ca': 'A certificate of another private CA.',
    'expired-certificate': 'A certificate that expired yesterday.',
    'not-yet-valid-certificate': 'A certificate that is valid from tomorrow.',
    'wrong-name': 'A certificate for another host name.',
    'self-signed': 'A certificate signed by its own key.',
    'missing-intermediate': 'The intermediate is not sent.',
  }),
  ...rows('answer', [...everyRole, ...steps], { silent: 'Accepts the request and never responds.' }),
  ...rows('answer', tokenFirst, {
    reset: 'Half of the response, then a connection reset.',
    'status-429': 'Status 429 with Retry-After.',
    'status-500': 'Status 500.',
    'status-503': 'Status 503.',
  }),
  ...rows('answer', configurationFirst, {
    'not-found': 'Status 404 with an HTML body.',
    html: 'Status 200 with an HTML page, as a captive portal sends.',
    'invalid-json': 'The first half of the JSON as a complete response.',
    truncated: 'Fewer bytes than Content-Length announces.',
    'not-utf8': 'The body in UTF-16.',
    'byte-order-mark': 'The body after a UTF-8 byte order mark.',
    empty: 'Status 200 without a body.',
    redirect: 'Status 302 to the same path on the foreign host.',
    'slow-drip': 'One byte at a time, forever.',
    'huge-body': 'A JSON string without an end.',
  }),

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
    effect: 'No lifetime in the response.',
    fields: () => ({ expires_in: undefined, ext_expires_in: undefined, expires_on: undefined }),
  },
  'device-missing-interval': {
    layer: 'content',
    targets: ['login/device-code'],
    effect: 'No interval in the response.',
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
    effect: 'A valid response with the given fields replaced or omitted.',
    fields: (_, { fields = { expires_in: 1e13 } }: FaultParameters['replaced-fields']) => fields,
  },
  'replaced-status': {
    layer: 'content',
    targets: configurationFirst,
    effect: 'A valid response, or the given body, with an error status.',
    status: ({ status = 401 }: FaultParameters['replaced-status']) => status,
  },
  'replaced-claims': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token with the given claims replaced or omitted.',
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
    effect: 'A token that expired an hour ago.',
    claims: ({ iat, exp }) => {
      const expired = Number(iat) - 3600
      const issued = expired - (Number(exp) - Number(iat))
      return { iat: issued, nbf: issued, exp: expired }
    },
  },
  'short-lived-token': {
    layer: 'content',
    targets: tokenIssuers,
    effect: 'A token that expires in a few seconds.',
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
    effect: 'Status 401 for a valid token.',
  },
  forbidden: {
    layer: 'content',
    targets: ['resource-manager', 'vault', 'storage'],
    effect: 'Status 403 for a valid token: a role is missing.',
  },
  firewall: {
    layer: 'content',
    targets: ['storage', 'vault'],
    effect: 'Status 403 for a valid token: the network rules of the account refuse the caller.',
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

/** One fault, discriminated by `kind`. */
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
