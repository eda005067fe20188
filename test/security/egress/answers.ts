import type { Answer, ReceivedRequest } from '../any-cloud.ts'

/** Secrets that may go to one host only. No encoding of a request changes their characters. */
export const planted = {
  clientSecret: 'planted-client-secret-Zq81',
  password: 'planted-password-Vx27',
  federatedAssertion: 'planted-federated.planted-assertion.planted-signature-Rk55',
  identityHeader: 'planted-identity-header-Hm93',
  deviceCode: 'planted-device-code-Tw64',
  accessTokenSignature: 'planted-access-token-signature-Lc19',
  /** Signs a token for a storage account or a key vault. */
  serviceTokenSignature: 'planted-service-token-signature-Fy72',
} as const

export type PlantedSecret = keyof typeof planted | 'clientAssertion'

/** The secrets in a request. Each client assertion is new, so its field name identifies it. */
export function secretsIn(text: string): PlantedSecret[] {
  const names = (Object.keys(planted) as (keyof typeof planted)[]).filter((name) => text.includes(planted[name]))
  return /client_assertion=/.test(text) ? [...names, 'clientAssertion'] : names
}

/** How the hosts respond: correctly, or so that a client would contact a host that no profile names. */
export const courses = ['honest', 'foreign-document', 'foreign-answers', 'redirects'] as const

export type Course = (typeof courses)[number]

/** A host that nobody may look up or contact. */
const foreignHost = 'foreign.example.test'

const ok = (body: unknown): Answer => ({ status: 200, body })

/** The response to each kind of request. `other` is the host that the response names. */
const responders: readonly (readonly [RegExp, (other: string, host: string) => object])[] = [
  [/\/common\/discovery\/instance\?/, instanceDocument],
  [/\/userrealm\//i, userRealm],
  [/\/oauth2.*\/devicecode/, deviceCode],
  [/\/oauth2.*\/token|\/msi\/token|\/metadata\/identity\//, (_, host) => tokenAnswer(host)],
  [/\/metadata\/endpoints/, metadata],
]

/** The response of a host on this course. */
export function answerAs(request: ReceivedRequest, course: Course): Answer {
  const { host, path, headers } = request
  if (course === 'redirects') return { status: 302, headers: { location: `https://${foreignHost}${path}` }, body: {} }
  if (path.includes('/.well-known/openid-configuration')) return ok(openIdConfiguration(request, course))
  const other = course === 'foreign-answers' ? foreignHost : host
  const [, respond] = responders.find(([pattern]) => pattern.test(path)) ?? []
  if (respond !== undefined) return ok(respond(other, host))
  if (headers.authorization !== undefined) return ok({ value: [] })
  const challenge = `Bearer authorization_uri="https://${other}/common", resource="https://${other}/"`
  return { status: 401, headers: { 'www-authenticate': challenge }, body: { error: { code: 'Unauthorized' } } }
}

/** The issuer is correct, so that a foreign document isn't refused because of it. */
function openIdConfiguration({ host, path }: ReceivedRequest, course: Course): object {
  const issuer = `https://${host}${path.replace(/\/\.well-known\/.*$/, '')}`
  const base = issuer.replace(/\/v2\.0$/, '')
  const abroad = (url: string) => url.replace(`//${host}/`, `//${foreignHost}/`)
  const token = `${base}/oauth2/v2.0/token`
  const others = {
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
  }
  const lead = course === 'honest' ? (url: string) => url : abroad
  return {
    issuer,
    token_endpoint: course === 'foreign-document' ? abroad(token) : token,
    ...Object.fromEntries(Object.entries(others).map(([name, url]) => [name, lead(url)])),
    cloud_instance_name: course === 'honest' ? host : foreignHost,
    tenant_region_scope: 'foreign',
  }
}

function instanceDocument(other: string): object {
  return {
    tenant_discovery_endpoint: `https://${other}/common/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: other, preferred_cache: other, aliases: [other] }],
  }
}

/** A federated realm sends the library to a sign-in service of its choice, with the password. */
function userRealm(other: string): object {
  const trust = `https://${other}/adfs/services/trust`
  const addresses = { federation_metadata_url: `${trust}/mex`, federation_active_auth_url: `${trust}/13/usernamemixed` }
  const federated = { account_type: 'Federated', federation_protocol: 'WSTrust', ...addresses }
  const realm = other === foreignHost ? federated : { account_type: 'Managed' }
  const cloud = { cloud_instance_name: other, cloud_audience_urn: 'urn:federation:cloud' }
  return { ver: '1.0', domain_name: 'enclave.test', ...realm, ...cloud }
}

function deviceCode(other: string): object {
  return {
    user_code: 'CODE12345',
    device_code: planted.deviceCode,
    verification_uri: `https://${other}/devicelogin`,
    expires_in: 900,
    // Seconds. A person is not waited for here.
    interval: 0.05,
    message: `Open https://${other}/devicelogin`,
  }
}

function tokenAnswer(host: string): object {
  const seconds = Math.floor(Date.now() / 1000)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: 'https://management.enclave.test/', iss: `https://${host}/`, nbf: seconds, exp: seconds + 3600 }
  const access_token = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.${planted.accessTokenSignature}`
  return { token_type: 'Bearer', expires_in: 3600, expires_on: seconds + 3600, access_token }
}

function metadata(other: string, host: string): object {
  const authentication = { loginEndpoint: `https://${other}/`, audiences: [`https://${host}/`], tenant: 'common' }
  return { graphEndpoint: `https://${other}/graph/`, portalEndpoint: `https://${other}/portal/`, authentication }
}
