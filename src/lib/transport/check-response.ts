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
 * Checks the response to a request of the credential library, which would quote a response that isn't JSON in an error message.
 *
 * @returns The response for the library. Two errors are a regular part of a sign-in: a pending device code, and the challenge of an Arc agent.
 * @throws {ServiceError} for any other error status, and for an invalid response.
 */
export async function checkResponse(response: PipelineResponse, context: ResponseContext): Promise<PipelineResponse> {
  const { role, step, url, egress, signal } = context
  const { status, bodyAsText } = response
  const fail = (fault: NetworkFault, message: string, more: ServiceErrorOptions['evidence'] = {}) => {
    const evidence = { status: String(status), ...responseEvidence(response, url), ...more }
    const retryAfterMs = retryAfterOf(response.headers.get('retry-after'))
    return new NetworkError(role, fault, message, { status, retryAfterMs, evidence })
  }
  const fault = statusFault(status)
  if (fault === 'REDIRECTED') {
    const { location } = responseEvidence(response, url)
    const target = location === undefined ? '' : ` to ${new URL(location).host}`
    throw fail(fault, `${url.host} responded with a redirect${target}, which the service does not follow`, {
      path: url.pathname,
    })
  }
  // For other roles the caller checks the status, because a 401 of the resource manager is a result.
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
        path: url.pathname,
        ...(step === 'token' && { problem: 'token endpoint' }),
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
    const text = bodyAsText ?? ''
    const receivedBytes = isCutJson(text) ? String(Buffer.byteLength(text)) : undefined
    const cut = receivedBytes && `a document that breaks off before its end, after ${receivedBytes} bytes`
    throw fail('RESPONSE_INVALID', `${url.host} returned ${status} with ${cut ?? kindOf(text)}`, {
      contentType,
      receivedBytes,
    })
  }
  if (step === 'openid-configuration') requireOpenIdConfiguration(body, url, egress)
  if (step === 'token' || step === 'managed-identity') requireTokenResponse(body, url, role)
  if (step === 'device-code') return { ...response, bodyAsText: JSON.stringify(readDeviceCodeResponse(body, url)) }
  return response
}

/** Describes a body that isn't JSON. */
function kindOf(text: string): string {
  if (text.trim() === '') return 'an empty body'
  return text.trimStart().startsWith('<') ? 'a page of HTML or XML' : 'a body that is not JSON'
}

/** An Azure Arc agent first responds with 401 and names a file. Only a caller on the same machine can read the file and repeat the request. */
function isAgentChallenge({ status, headers }: PipelineResponse, { role, step }: ResponseContext): boolean {
  if (role !== 'IDENTITY_ENDPOINT' || step !== 'managed-identity' || status !== 401) return false
  return /^basic realm=/i.test(headers.get('www-authenticate') ?? '')
}

/** The error name in a response of an identity endpoint. Accepts only a name, because another text could echo the request. */
function identityError(body: unknown): string | undefined {
  // The endpoint of a VM returns `invalid_request` even if the login authority refused the audience.
  if (/AADSTS(500011|50001)\b/.test(String(valueAt(body, 'error_description')))) return 'invalid_resource'
  const found = ['error.code', 'error', 'code', 'Message'].map((path) => valueAt(body, path))
  return found.find(
    (value): value is string => typeof value === 'string' && /^[A-Za-z][A-Za-z_]{0,60}(_\d{1,4})?$/.test(value),
  )
}

/** Evidence from a response: the target of a redirect, the seconds to wait, and the texts of a gateway or proxy. */
export function responseEvidence(response: PipelineResponse, url: URL) {
  const waits = response.status === 429 || response.status === 503
  return {
    host: url.host,
    location: redirectTarget(response, url),
    retryAfterSeconds: waits ? retryAfterSeconds(response.headers.get('retry-after')) : undefined,
    ...wordsOfPage(response),
  }
}

/** The target without query and fragment, which may echo the request. */
function redirectTarget({ status, headers }: PipelineResponse, url: URL): string | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url.href)) return undefined
  const { origin, pathname, protocol } = new URL(location, url)
  return /^https?:$/.test(protocol) ? `${origin}${pathname}`.slice(0, 200) : undefined
}

/** The time that a Retry-After header requests, in milliseconds. The header has seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** `Retry-After` in whole seconds, as evidence. */
export function retryAfterSeconds(value: string | undefined): string | undefined {
  const wait = retryAfterOf(value)
  return wait === undefined ? undefined : String(Math.ceil(wait / 1000))
}
