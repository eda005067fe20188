import { readTokenClaims } from '../auth/token-claims.ts'
import type { AccessToken } from '../auth/token-credential.ts'
import { equalUrls, isLoopback } from '../base/address.ts'
import type { Observation, ProtectedEndpoint } from '../endpoints/endpoint.ts'
import { toRefusalError } from '../endpoints/refusals.ts'
import type { ErrorCode } from '../errors.ts'
import type { Env } from '../base/env.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import { getDocument } from '../transport/get-document.ts'
import type { FoundCheck } from './found-check.ts'
import { askCheck, failedCheck } from './probes/layers.ts'

/** A token acceptance check: one request with the token to the endpoint that it is for. */
export interface TokenAcceptance {
  readonly endpoint: ProtectedEndpoint
  readonly token: string
  /** The audience. A token for another one is withheld from the endpoint. Default is that of the profile. */
  readonly audience?: string
  readonly timeoutMs: number
  /** The variables that name proxies. Default is none. */
  readonly env?: Env
}

export interface ServiceAcceptance extends Pick<TokenAcceptance, 'endpoint' | 'timeoutMs' | 'env'> {
  /** Acquires a token for an audience, with the credential of the process. */
  readonly tokenFor: (audience: string) => Promise<AccessToken>
}

/** Codes that work is possible with, so that the check only warns. */
const tolerated: ReadonlySet<string> = new Set(['RESOURCE_MANAGER_FORBIDDEN'])

/** The id of the check. */
export const acceptanceId = ({ id }: Pick<ProtectedEndpoint, 'id'>): string => `${id}.accepts-token`

/** Checks whether an endpoint accepts a token. a token for another audience, or one whose audience cannot be read, is withheld. */
export async function checkAcceptance(acceptance: TokenAcceptance): Promise<FoundCheck> {
  const check = await askCheck(acceptanceId(acceptance.endpoint), () => sendToken(acceptance))
  return check.status === 'fail' && tolerated.has(check.code ?? '') ? { ...check, status: 'warn' } : check
}

/** The same with a new token for the endpoint's audience. */
export async function checkServiceAcceptance({ tokenFor, ...acceptance }: ServiceAcceptance): Promise<FoundCheck> {
  const { endpoint } = acceptance
  const started = performance.now()
  try {
    const { token } = await tokenFor(endpoint.protectedResource.audience)
    return await checkAcceptance({ ...acceptance, token })
  } catch (error) {
    return failedCheck(acceptanceId(endpoint), error, Math.round(performance.now() - started))
  }
}

async function sendToken({ endpoint, token, audience, timeoutMs, env = {} }: TokenAcceptance): Promise<Observation> {
  const { role, protectedResource } = endpoint
  const { url, headers } = protectedResource
  const reason = reasonToWithhold(url, token, audience ?? protectedResource.audience)
  if (reason !== undefined) return { status: 'skip', ...reason }
  const document = await getDocument(url.href, {
    role,
    headers: { ...headers, authorization: `Bearer ${token}` },
    timeoutMs,
    proxies: env,
  })
  if (document.status >= 300) throw toRefusalError(endpoint, document)
  return { message: `${url.host} accepts the token`, evidence: { host: url.host } }
}

/** Why the token is not sent to this endpoint, if it is not. */
function reasonToWithhold(
  url: URL,
  token: string,
  audience: string,
): { readonly message: string; readonly code?: ErrorCode } | undefined {
  if (isPlaceholder(url.href)) return { message: `${url.hostname} is a placeholder` }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { message: 'A token is never sent over plain http' }
  const named = [readTokenClaims(token)?.aud ?? []].flat()
  if (named.length === 0) {
    return { message: `The token is withheld from ${url.host}: its audience cannot be read`, code: 'TOKEN_OPAQUE' }
  }
  if (named.every((each) => equalUrls(each, audience))) return undefined
  const message = `The token is withheld from ${url.host}: it is for another audience`
  return { message, code: 'TOKEN_AUDIENCE_MISMATCH' }
}
