import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { parseJson } from '../base/json.ts'
import { ServiceError, type NetworkFault, type NetworkRole } from '../errors.ts'
import type { TraceStepName } from './attempt.ts'
import { responseEvidence } from './response-evidence.ts'
import { readDeviceCodeResponse, waitToSlowDown } from './device-code-response.ts'
import type { EgressPolicy } from './egress.ts'
import { readOpenIdConfiguration } from './openid-configuration.ts'
import { readOAuthError } from './oauth-error.ts'
import { NetworkError } from './network-error.ts'
import { retryAfterOf } from './retry-after.ts'
import { requireTokenResponse } from './token-response.ts'

export interface ResponseContext {
  readonly role: NetworkRole
  readonly step: TraceStepName
  readonly url: URL
  readonly egress: EgressPolicy
  /** The end of the attempt. Default is never. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Holds an answer against what its step may return, and throws what is wrong with it: a status that is not success is a failure, whatever
 * its body. An answer that is no JSON never reaches the credential library, which would quote it, headers and all, in an error's message.
 *
 * @returns The answer as the library may have it. Two that are no success are let through, for they are part of an exchange: the one by
 *   which a device-code flow waits, and the challenge of an agent.
 */
export async function checkResponse(response: PipelineResponse, context: ResponseContext): Promise<PipelineResponse> {
  const { role, step, url, egress, signal } = context
  const { status, bodyAsText } = response
  const fail = (fault: NetworkFault, message: string, more: Readonly<Record<string, string | undefined>> = {}) => {
    const evidence = { status: String(status), ...responseEvidence(response, url), ...more }
    return new NetworkError(role, fault, message, {
      status,
      retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
      evidence,
    })
  }
  if (status >= 300 && status < 400) {
    const { location } = responseEvidence(response, url)
    const target = location === undefined ? '' : ` to ${new URL(location).host}`
    throw fail('REDIRECTED', `${url.host} answered with a redirect${target}, which is never followed`)
  }
  if (status === 407) throw fail('PROXY_FAILED', `The proxy on the way to ${url.host} wants credentials (407)`)
  // Own calls look at their answers themselves: a 401 of the resource manager is a result.
  if (role !== 'AUTHORITY' && role !== 'IDENTITY_ENDPOINT') return response

  const body = parseJson(bodyAsText ?? '')
  if (status === 429) throw fail('THROTTLED', `${url.host} answers 429: too many requests`)
  if (status >= 500) throw fail('HTTP_ERROR', `${url.host} answers ${status}`)
  if (status >= 400) {
    const refusal = role === 'AUTHORITY' ? readOAuthError(body, url.host) : undefined
    if (refusal?.code === 'DEVICE_CODE_PENDING' && step === 'token') return waitToSlowDown(response, body, signal)
    if (refusal !== undefined) throw refusal
    if (isAgentChallenge(response, context)) return { ...response, bodyAsText: '{}' }
    if (status === 404) {
      throw fail('NOT_FOUND', `${url.host} answers 404 for ${url.pathname}`, { path: url.pathname })
    }
    if (role === 'IDENTITY_ENDPOINT') {
      throw new ServiceError('MANAGED_IDENTITY_REJECTED', `The identity endpoint ${url.host} answers ${status}`)
    }
    if (body !== undefined) throw fail('HTTP_ERROR', `${url.host} answers ${status} to a request of the sign-in`)
  }
  if (body === undefined) {
    const contentType = response.headers.get('content-type')?.slice(0, 80)
    throw fail('RESPONSE_INVALID', `${url.host} answered ${status} with ${kindOf(bodyAsText ?? '')}`, { contentType })
  }
  if (step === 'openid-configuration') readOpenIdConfiguration(body, url.href, egress)
  if (step === 'token' || step === 'managed-identity') requireTokenResponse(body, url)
  if (step === 'device-code') return { ...response, bodyAsText: JSON.stringify(readDeviceCodeResponse(body, url)) }
  return response
}

/** What is there in place of JSON. */
function kindOf(text: string): string {
  if (text.trim() === '') return 'an empty body'
  return text.trimStart().startsWith('<') ? 'a page of HTML or XML' : 'something that is not JSON'
}

/** An Azure Arc agent first answers 401 and names a file whose content proves that the caller runs on its machine. */
function isAgentChallenge({ status, headers }: PipelineResponse, { role, step }: ResponseContext): boolean {
  if (role !== 'IDENTITY_ENDPOINT' || step !== 'managed-identity' || status !== 401) return false
  return /^basic realm=/i.test(headers.get('www-authenticate') ?? '')
}
