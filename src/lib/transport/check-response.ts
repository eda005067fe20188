import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { parseJson } from '../base/json.ts'
import { ServiceError, type NetworkFault, type NetworkRole } from '../errors.ts'
import type { TraceStepName } from './attempt.ts'
import { responseEvidence } from './response-evidence.ts'
import { readDeviceCodeResponse, waitToSlowDown } from './device-code-response.ts'
import type { EgressPolicy } from './egress.ts'
import { requireOpenIdConfiguration } from './openid-configuration.ts'
import { readOAuthError } from './oauth-error.ts'
import { NetworkError } from './network-error.ts'
import { retryAfterOf } from './retry-after.ts'
import { requireTokenResponse } from './token-response.ts'

export interface ResponseContext {
  readonly role: NetworkRole
  readonly step: TraceStepName
  readonly url: URL
  readonly egress: EgressPolicy
  /** Aborts at the end of the attempt. Default is never. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a response against its step: a status that is not success is a failure with any body. A response that is not JSON never
 * reaches the credential library, which would quote it in an error's message, with its headers.
 *
 * @returns The response for the library. Two error responses pass, because they are part of an exchange: "authorization pending" of a
 *   device-code flow, and the challenge of an Azure Arc agent.
 * @throws {ServiceError} that names the problem.
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
    throw fail('REDIRECTED', `${url.host} responded with a redirect${target}, which is never followed`, {
      path: url.pathname,
    })
  }
  if (status === 407) throw fail('PROXY_FAILED', `The proxy for ${url.host} requires credentials (407)`)
  // Callers of other roles check the status themselves: a 401 of the resource manager is a result.
  if (role !== 'AUTHORITY' && role !== 'IDENTITY_ENDPOINT') return response

  const body = parseJson(bodyAsText ?? '')
  if (status === 429) throw fail('THROTTLED', `${url.host} returned 429: too many requests`)
  if (status >= 500) throw fail('HTTP_ERROR', `${url.host} returned ${status}`)
  if (status >= 400) {
    const refusal = role === 'AUTHORITY' ? readOAuthError(body, url.host) : undefined
    if (refusal?.code === 'DEVICE_CODE_PENDING' && step === 'token') return waitToSlowDown(response, body, signal)
    if (refusal !== undefined) throw refusal
    if (isAgentChallenge(response, context)) return { ...response, bodyAsText: '{}' }
    if (status === 404) {
      throw fail('NOT_FOUND', `${url.host} returned 404 for ${url.pathname}`, {
        [step === 'token' ? 'tokenPath' : 'path']: url.pathname,
      })
    }
    if (role === 'IDENTITY_ENDPOINT') {
      throw new ServiceError('MANAGED_IDENTITY_REJECTED', `The identity endpoint ${url.host} returned ${status}`)
    }
    if (body !== undefined) throw fail('HTTP_ERROR', `${url.host} returned ${status} to a sign-in request`)
  }
  if (body === undefined) {
    const contentType = response.headers.get('content-type')?.slice(0, 80)
    throw fail('RESPONSE_INVALID', `${url.host} returned ${status} with ${kindOf(bodyAsText ?? '')}`, { contentType })
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

/** An Azure Arc agent first answers 401 and names a file whose content proves that the caller runs on its machine. */
function isAgentChallenge({ status, headers }: PipelineResponse, { role, step }: ResponseContext): boolean {
  if (role !== 'IDENTITY_ENDPOINT' || step !== 'managed-identity' || status !== 401) return false
  return /^basic realm=/i.test(headers.get('www-authenticate') ?? '')
}
