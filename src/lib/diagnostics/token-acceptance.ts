import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { readTokenClaims } from '../auth/token-claims.ts'
import type { AccessToken } from '../auth/token-credential.ts'
import { equalUrls, isLoopback, parseHttpUrl } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { parseJson, textAt, withoutUndefined } from '../base/json.ts'
import { showValue } from '../base/printable.ts'
import { withoutAlias, withoutAudienceAlias } from '../clouds/equal-values.ts'
import { type Evidence, type NetworkRole, ServiceError } from '../errors.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import { responseEvidence, retryAfterSeconds } from '../transport/check-response.ts'
import { type Document, getDocument } from '../transport/guarded-client.ts'
import { NetworkError, statusFault } from '../transport/network-error.ts'
import { runCheck } from './checks.ts'
import type { Check, Endpoint, Observation, Probing, ProtectedEndpoint, ProtectedResource } from './run.ts'
import { showClaim } from './token-checks.ts'

// Which tokens an endpoint accepts: by its challenge to a request without a token, and by a request with one.

/** The tokens that a service accepts, from its response to a request without a token. */
export interface Challenge {
  /** The login endpoint, usually with a tenant. */
  readonly authority?: string
  readonly audience?: string
}

/** The resource manager quotes `authorization_uri`, key vaults `authorization` and `resource`. Storage has neither quotes nor commas. */
export function parseChallenge(header: string): Challenge | undefined {
  // Real headers have about 300 characters.
  const bearer = /(?:^|,\s*)Bearer\s+(.*)$/is.exec(header.slice(0, 2048))?.[1]
  if (bearer === undefined) return undefined
  const pairs = bearer.matchAll(/(?<![a-z_])([a-z_]{1,32})\s{0,2}=\s{0,2}(?:"([^"]*)"|([^\s,"]+))/gi)
  const named = [...pairs].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? ''] as const)
  // The first of two values counts, because the second one belongs to another authentication scheme.
  const found = new Map(named.toReversed())
  const authority = found.get('authorization_uri') ?? found.get('authorization') ?? ''
  const audience = (found.get('resource_id') ?? found.get('resource')) || undefined
  const challenge = withoutUndefined({ authority: parseHttpUrl(authority) && authority, audience })
  return Object.keys(challenge).length === 0 ? undefined : challenge
}

/** The values of a challenge in the form of a profile, for a fix that sets them. */
function challengeEvidence({ authority, audience }: Challenge) {
  return {
    challengeAuthority: authority && `${new URL(withoutAlias(authority)).origin}/`,
    challengeAudience: audience && (audience.endsWith('/') ? audience : `${audience}/`),
  }
}

type Expected = Pick<ProtectedResource, 'url' | 'audiences'>

/** @throws {ServiceError} `CHALLENGE_AUTHORITY_MISMATCH` or `CHALLENGE_AUDIENCE_MISMATCH` */
export function compareChallenge(challenge: Challenge, authorityHost: string, { url, audiences }: Expected): void {
  const { authority, audience } = challenge
  const { host } = url
  const evidence = { host, ...challengeEvidence(challenge) }
  const [theirs, ours] = [authority ?? authorityHost, authorityHost].map((each) => new URL(withoutAlias(each)).host)
  if (theirs !== ours) {
    const message = `${host} expects tokens of ${theirs}, but authorityHost is ${ours}`
    throw new ServiceError('CHALLENGE_AUTHORITY_MISMATCH', message, { evidence })
  }
  const isOurs = (each: string) => equalUrls(withoutAudienceAlias(each), withoutAudienceAlias(audience ?? each))
  if (audiences.some(isOurs)) return
  const message = `${host} expects tokens for ${showValue(audience ?? '')}, but the profile has ${audiences.map(showValue).join(' and ')}`
  throw new ServiceError('CHALLENGE_AUDIENCE_MISMATCH', message, { evidence })
}

/** Checks whether a service expects the authority and the audience of the profile. */
export async function probeChallenge({ endpoint, context: { profile }, check, get }: Probing): Promise<void> {
  const { role, field, protectedResource } = endpoint
  if (protectedResource === undefined) return
  const { authorityHost } = profile
  const { url, headers, audienceFields } = protectedResource
  await check('challenge', async () => {
    const response = await get(url, headers)
    const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '')
    if (challenge === undefined) return observeMissingChallenge(response, role, url)
    compareChallenge(challenge, authorityHost, protectedResource)
    const { authority, audience } = challenge
    const what = audience === undefined ? 'authority' : 'authority and audience'
    // Only the hosts were compared, so a path of the authority isn't proven.
    const hasRoot = authority !== undefined && new URL(authorityHost).pathname === '/'
    const proven = hasRoot ? (['authorityHost'] as const) : []
    return {
      message: `${url.host} expects tokens with the ${what} of the profile`,
      evidence: challengeEvidence(challenge),
      proves: [field ?? [], proven, audience === undefined ? [] : audienceFields].flat(),
    }
  })
}

/** The result for a response without a challenge. Other responses than a refusal come from another server in place of the service. */
function observeMissingChallenge(response: PipelineResponse, role: NetworkRole, url: URL): Observation {
  const { status } = response
  const { host, pathname: path } = url
  const fault = status < 300 ? 'RESPONSE_INVALID' : statusFault(status)
  if (fault === undefined)
    return { status: 'warn', code: 'CHALLENGE_MISSING', message: `${host} returned ${status} and names no authority` }
  const hint = fault === 'RESPONSE_INVALID' ? ' without asking for a token' : ''
  const evidence = { status: String(status), path, ...responseEvidence(response, url) }
  throw new NetworkError(role, fault, `${host} returned ${status} for ${path}${hint}`, { evidence })
}

export interface TokenAcceptance {
  readonly endpoint: ProtectedEndpoint
  readonly tokenFor: (audience: string) => Promise<Pick<AccessToken, 'token'>>
  /** A token for another audience is not sent. Default is the audience of the endpoint. */
  readonly audience?: string
  readonly timeoutMs: number
  readonly env: Env
}

/** The place of a check of the token at an endpoint. */
export const tokenPlace = ({ id }: Endpoint, name = 'accepts-token') =>
  ({ id: `${id}.${name}`, endpoint: id, layer: 'token' }) as const

/** Sends one request with a token to the endpoint that the token is for. A token for another or an unreadable audience is not sent. */
export async function checkAcceptance(acceptance: TokenAcceptance): Promise<Check> {
  const check = await runCheck(tokenPlace(acceptance.endpoint), () => sendToken(acceptance))
  // Without access to the resource manager, the service still works.
  return check.code === 'RESOURCE_MANAGER_FORBIDDEN' ? { ...check, status: 'warn' } : check
}

/** Checks that a service of PLATFORM_SERVICES has a token. No harmless request is known for every service, so the token is not sent. */
export function checkServiceToken(endpoint: Endpoint, tokenFor: TokenAcceptance['tokenFor']): Promise<Check> {
  const { audience, url } = endpoint
  return runCheck(tokenPlace(endpoint, 'token'), async () => {
    if (audience === undefined) return { status: 'skip', message: `No audience is known for ${url.host}` }
    await tokenFor(audience.endsWith('/') ? audience : `${audience}/`)
    return { message: `A token for ${audience} was acquired` }
  })
}

async function sendToken({ endpoint, tokenFor, timeoutMs, env, ...given }: TokenAcceptance): Promise<Observation> {
  const { role, field, protectedResource } = endpoint
  const { url, headers, audienceFields, audiences } = protectedResource
  const { audience = audiences[0] ?? '' } = given
  const { token } = await tokenFor(audience)
  const reason = reasonToWithhold(url, token, audience)
  if (reason !== undefined) return { status: 'skip', ...reason }
  const document = await getDocument(url.href, {
    role,
    headers: { ...headers, authorization: `Bearer ${token}` },
    requestTimeoutMs: timeoutMs,
    proxies: env,
    env,
  })
  const tenant = role === 'RESOURCE_MANAGER' ? (['tenantId'] as const) : []
  const proves = [field ?? [], audienceFields, 'authorityHost' as const, tenant].flat()
  const accepted = listedVersions(endpoint, document)
  if (accepted === undefined && document.status >= 300) throw toRefusalError(endpoint, document)
  return { ...(accepted ?? { message: `${url.host} accepts the token` }), proves }
}

/** Why the token must not be sent to this endpoint. `undefined` if it may be sent. */
function reasonToWithhold(url: URL, token: string, audience: string): Omit<Observation, 'status'> | undefined {
  if (isPlaceholder(url.href)) return { message: `${url.hostname} is a placeholder` }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { message: 'A token is never sent over plain http' }
  const named = [readTokenClaims(token)?.aud ?? []].flat()
  if (named.length === 0) {
    return { message: `The token is withheld from ${url.host}: its audience cannot be read`, code: 'TOKEN_OPAQUE' }
  }
  if (named.every((each) => equalUrls(each, audience))) return undefined
  const message = `The token is withheld from ${url.host}: it is for another audience`
  const evidence = { tokenAudience: named.map(showClaim).join(', '), audience }
  return { message, code: 'TOKEN_AUDIENCE_MISMATCH', evidence }
}

/** Error codes for an unknown API version. A service checks the token first, so it has accepted the token. */
const versionReasons =
  /ApiVersion|^(?:NoRegisteredProviderFound|InvalidResourceType|InvalidHeaderValue|UnsupportedHeader)$/

/** The result if the service rejects only the API version, with the versions that it lists. */
function listedVersions({ protectedResource }: ProtectedEndpoint, document: Document): Observation | undefined {
  const { url, headers } = protectedResource
  const text = document.text.slice(0, 8192)
  const isRefused =
    versionReasons.test(reasonOf(document)) || /specified version \([^)]{1,40}\) is not recognized/i.test(text)
  if (document.status !== 400 || !isRefused) return undefined
  const version = headers?.['x-ms-version'] ?? url.searchParams.get('api-version') ?? ''
  const found = text.match(/\b\d{4}-\d{2}-\d{2}(?:-preview)?\b|(?<=\()\d\.\d(?:-preview\.\d)?(?=\))/g) ?? []
  const others = [...new Set(found)].filter((each) => each !== version)
  const supported = others.slice(0, 8).join(', ')
  const listed = supported === '' ? '' : `, and lists ${supported}`
  return {
    code: 'API_VERSION_UNSUPPORTED',
    message: `${url.host} accepts the token; it does not know version ${version} of its interface${listed}`,
    evidence: { host: url.host, version, supportedVersions: supported || undefined },
  }
}

/** Error codes of a refusal by network rules. The status is 403, as for a missing role. */
const firewallReasons = /^(?:AuthorizationFailure|ForbiddenByFirewall|ForbiddenByConnection)$/

/** The error for a refused token. @param document A response with a status of 300 or more. */
function toRefusalError({ name, role: ownRole, protectedResource }: ProtectedEndpoint, document: Document) {
  const { leastRole, url } = protectedResource
  const { host, pathname: path } = url
  const { status, headers } = document
  const role = ownRole === 'RESOURCE_MANAGER' ? ownRole : 'SERVICE'
  const errorCode = reasonOf(document)
  const isFirewall = status === 403 && firewallReasons.test(errorCode)
  const evidence = {
    host,
    status: String(status),
    errorCode: errorCode || undefined,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after']),
    role: leastRole,
    ...(isFirewall && { service: name.toLowerCase() }),
    ...expectationsOf(document),
  }
  const message = `${host} returned ${status} to the token${errorCode && ` (${errorCode})`}`
  if (status === 401) return new ServiceError(`${role}_REJECTED_TOKEN`, message, { evidence })
  if (status === 403)
    return new ServiceError(isFirewall ? 'SERVICE_FIREWALL' : `${role}_FORBIDDEN`, message, { evidence })
  return new NetworkError(role, statusFault(status) ?? 'HTTP_ERROR', message, { evidence: { ...evidence, path } })
}

/** The audiences and the tenant that a service expects. Only addresses and ids, because text may echo the request. */
function expectationsOf({ status, text }: Document): Evidence {
  if (status !== 401) return {}
  const words = (textAt(parseJson(text), 'error.message') ?? '').slice(0, 2048)
  const issuers = /https:\/\/sts\.[\w.-]{1,60}\/([0-9a-f-]{36})/i
  const [, allowed = ''] = words.split(/allowed audiences/i)
  const urls = allowed.match(/https:\/\/[a-z0-9.-]{3,80}(?::\d{1,5})?\/?(?=[\s'",]|$)/gi) ?? []
  const expectedTenant = issuers.exec(words.split(/must match/i)[1] ?? '')?.[1]
  const allowedAudiences = [...new Set(urls)].slice(0, 4).join(', ') || undefined
  return withoutUndefined({ allowedAudiences, expectedTenant })
}

/** The error code: of storage a header, which a proxy may remove, or XML; for a 403 of Key Vault an inner one. No other remote text is shown. */
function reasonOf({ headers, text }: Document): string {
  const body = parseJson(text)
  const ofBody = textAt(body, 'error.innererror.code') ?? textAt(body, 'error.code')
  const ofXml = text.slice(0, 4096).split('<Code>')[1]?.split('</Code>')[0]
  return /^\w{1,64}$/.exec(headers['x-ms-error-code'] ?? ofBody ?? ofXml ?? '')?.[0] ?? ''
}
