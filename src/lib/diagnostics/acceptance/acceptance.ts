import type { ErrorCode, NetworkRole, ServiceError } from '../../errors.ts'
import { readTokenClaims } from '../../auth/token-claims.ts'
import { equalUrls } from '../../base/address.ts'
import type { Env } from '../../base/env.ts'
import { isPlaceholder } from '../../profile/placeholders.ts'
import { getDocument, type Document } from '../../transport/get-document.ts'
import { isLoopback } from '../../base/address.ts'
import type { FoundCheck } from '../found-check.ts'
import { askCheck, type Observation } from '../probes/layers.ts'

/** A service that a token is shown to, once: the only proof that its audience is right. */
export interface AcceptanceTarget {
  /** The first part of its check's id. */
  readonly group: string
  readonly role: NetworkRole
  /** What is asked for: something that reads no data and changes nothing. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The one audience whose tokens this service may see. */
  readonly audience: string
  /** What a refusal means. Called with every status from 300 on. */
  readonly refusal: (document: Document, host: string) => ServiceError
}

/** Codes that work is possible with, so that the check only warns. */
const tolerated: ReadonlySet<string> = new Set(['RESOURCE_MANAGER_FORBIDDEN'])

/**
 * Shows a token to the service it is for, as one request. A token goes only where it belongs: one for another audience, or one
 * whose audience cannot be read, is shown to nobody.
 */
export async function checkAcceptance(
  target: AcceptanceTarget,
  token: string,
  timeoutMs: number,
  env: Env = {},
): Promise<FoundCheck> {
  const id = `${target.group}.accepts-token`
  const check = await askCheck(id, () => show(target, token, timeoutMs, env))
  return check.status === 'fail' && tolerated.has(check.code ?? '') ? { ...check, status: 'warn' } : check
}

async function show(
  { role, url, headers, audience, refusal }: AcceptanceTarget,
  token: string,
  timeoutMs: number,
  env: Env,
): Promise<Observation<void>> {
  const reason = reasonToWithhold(url, token, audience)
  if (reason !== undefined) return { status: 'skip', ...reason }
  const document = await getDocument(url.href, {
    role,
    headers: { ...headers, authorization: `Bearer ${token}` },
    timeoutMs,
    proxies: env,
  })
  if (document.status >= 300) throw refusal(document, url.host)
  return { message: `${url.host} accepts the token`, evidence: { host: url.host } }
}

/** Why the token is not shown to this service, if it is not. */
function reasonToWithhold(
  url: URL,
  token: string,
  audience: string,
): { readonly message: string; readonly code?: ErrorCode } | undefined {
  if (isPlaceholder(url.href)) return { message: `${url.hostname} is a placeholder` }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { message: 'A token is never sent over plain http' }
  const named = [readTokenClaims(token)?.aud ?? []].flat()
  if (named.length === 0) {
    const message = `The audience of the token cannot be read, so ${url.host} does not get to see it`
    return { message, code: 'TOKEN_OPAQUE' }
  }
  if (named.every((each) => equalUrls(each, audience))) return undefined
  const message = `The token is for another audience, so ${url.host} does not get to see it`
  return { message, code: 'TOKEN_AUDIENCE_MISMATCH' }
}
