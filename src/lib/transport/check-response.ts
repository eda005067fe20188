import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { isCutJson, parseJson, valueAt } from '../base/json.ts'
import { ServiceError, type NetworkFault, type NetworkRole, type ServiceErrorOptions } from '../errors.ts'
import type { TraceStepName } from './attempt.ts'
import type { EgressPolicy } from './egress.ts'
import {
  readDeviceCodeResponse,
  requireOpenIdConfiguration,
  requireTokenResponse,
  waitToSlowDown,
  readOAuthError,
} from './login-responses.ts'
import { NetworkError, statusFault } from './network-error.ts'
import { wordsOfError, wordsOfPage } from './words-of-response.ts'

export interface ResponseContext {
  readonly role: NetworkRole
  readonly step: TraceStepName
  readonly url: URL
  readonly egress: EgressPolicy
  /** Aborts at the end of the attempt. Default is never. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a response against its step. Every status but success is a failure, whatever the body. A response that isn't JSON never reaches
 * the credential library, which would quote it with its headers in an error message.
 *
 * @returns The response for the library. Two error responses pass, because they are part of an exchange: "authorization pending" of a
 *   device-code flow, and the challenge of an Azure Arc agent.
 * @throws {ServiceError} that names the problem.
 */
export async function checkResponse(response: PipelineResponse, context: ResponseContext): Promise<PipelineResponse> {
  const { role, step, url, egress, signal } = context
  const { status, bodyAsText } = response
  const fail = (fault: NetworkFault, message: string, more: ServiceErrorOptions['evidence'] = {}) => {
    const evidence = { status: String(status), ...responseEvidence(response, url), ...more }
    return new NetworkError(role, fault, message, {
      status,
      retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
      evidence,
    })
  }
  const fault = statusFault(status)
  if (fault === 'REDIRECTED') {
    const { location } = responseEvidence(response, url)
    const target = location === undefined ? '' : ` to ${new URL(location).host}`
    throw fail(fault, `${url.host} responded with a redirect${target}, which is never followed`, {
      path: url.pathname,
    })
  }
  // Callers of other roles check the status themselves: a 401 of the resource manager is a result.
  if (role !== 'AUTHORITY' && role !== 'IDENTITY_ENDPOINT') return response

  const body = parseJson(bodyAsText ?? '')
  if (fault === 'THROTTLED') throw fail(fault, `${url.host} returned 429: too many requests`)
  if (fault === 'HTTP_ERROR') throw fail(fault, `${url.host} returned ${status}`)
  if (status >= 400) {
    const refusal = role === 'AUTHORITY' ? readOAuthError(body, url.host) : undefined
    if (refusal?.code === 'DEVICE_CODE_PENDING' && step === 'token') return waitToSlowDown(response, body, signal)
    if (refusal !== undefined) throw refusal
    if (isAgentChallenge(response, context)) return { ...response, bodyAsText: '{}' }
    if (fault === 'NOT_FOUND') {
      throw fail(fault, `${url.host} returned 404 for ${url.pathname}`, {
        [step === 'token' ? 'tokenPath' : 'path']: url.pathname,
        ...(body === undefined ? {} : { words: wordsOfError(body, response) }),
      })
    }
    if (role === 'IDENTITY_ENDPOINT') {
      const [error, words] = [identityError(body), wordsOfError(body, response)]
      const said = [error, words && `"${words}"`].filter((each) => each !== undefined).join(': ')
      const message = `The identity endpoint ${url.host} returned ${status}${said === '' ? '' : ` (${said})`}`
      const evidence = { host: url.host, status: String(status), error, words }
      throw new ServiceError('MANAGED_IDENTITY_REJECTED', message, { evidence })
    }
    if (body !== undefined) {
      const words = wordsOfError(body, response)
      throw fail('HTTP_ERROR', `${url.host} returned ${status} to a sign-in request`, { words })
    }
  }
  if (body === undefined) {
    const contentType = response.headers.get('content-type')?.slice(0, 80)
    const receivedBytes = isCutJson(bodyAsText ?? '') ? String(Buffer.byteLength(bodyAsText ?? '')) : undefined
    const kind =
      receivedBytes === undefined
        ? kindOf(bodyAsText ?? '')
        : `a document that breaks off before its end, after ${receivedBytes} bytes`
    throw fail('RESPONSE_INVALID', `${url.host} returned ${status} with ${kind}`, { contentType, receivedBytes })
  }
  if (step === 'openid-configuration') requireOpenIdConfiguration(body, url, egress)
  if (step === 'token' || step === 'managed-identity') requireTokenResponse(body, url, role)
  if (step === 'device-code') return { ...response, bodyAsText: JSON.stringify(readDeviceCodeResponse(body, url)) }
  return response
}

/** A body that is not JSON, by its kind. */
function kindOf(text: string): string {
  if (text.trim() === '') return 'an empty body'
  return text.trimStart().startsWith('<') ? 'a page of HTML or XML' : 'a body that is not JSON'
}

/** An Azure Arc agent first responds with 401 and names a file. The file's content proves that the caller runs on its machine. */
function isAgentChallenge({ status, headers }: PipelineResponse, { role, step }: ResponseContext): boolean {
  if (role !== 'IDENTITY_ENDPOINT' || step !== 'managed-identity' || status !== 401) return false
  return /^basic realm=/i.test(headers.get('www-authenticate') ?? '')
}

/**
 * The error name of an identity endpoint, alone or in an object: letters only, because a text could echo what was sent. The machine's own
 * endpoint gives `invalid_request` to a refusal of the login authority too, whose number says that the audience is unknown.
 */
function identityError(body: unknown): string | undefined {
  if (/AADSTS(500011|50001)\b/.test(String(valueAt(body, 'error_description')))) return 'invalid_resource'
  const found = ['error.code', 'error', 'code', 'Message'].map((path) => valueAt(body, path))
  return found.find(
    (value): value is string => typeof value === 'string' && /^[A-Za-z][A-Za-z_]{0,60}(_\d{1,4})?$/.test(value),
  )
}

/**
 * Evidence from a response: the target of a redirect, without query, the seconds to wait, and what a gateway or proxy says of itself.
 */
export function responseEvidence(response: PipelineResponse, url: URL) {
  const waits = response.status === 429 || response.status === 503
  return {
    host: url.host,
    location: redirectTarget(response, url),
    retryAfterSeconds: waits ? retryAfterSeconds(response.headers.get('retry-after')) : undefined,
    ...wordsOfPage(response),
  }
}

/** Without query and fragment, which may echo what was sent. */
function redirectTarget({ status, headers }: PipelineResponse, url: URL): string | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url.href)) return undefined
  const { origin, pathname, protocol } = new URL(location, url)
  return /^https?:$/.test(protocol) ? `${origin}${pathname}`.slice(0, 200) : undefined
}

/** Milliseconds that a Retry-After header requests, given in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(value: string | undefined, now: number = Date.now()): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** `Retry-After` in whole seconds, as evidence. */
export function retryAfterSeconds(value: string | undefined): string | undefined {
  const wait = retryAfterOf(value)
  return wait === undefined ? undefined : String(Math.ceil(wait / 1000))
}
