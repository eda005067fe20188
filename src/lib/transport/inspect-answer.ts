import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { ServiceError, type NetworkRole } from '../errors.ts'
import { valueAt } from '../profile/field-path.ts'
import type { TraceStepName } from './attempt.ts'
import type { EgressPolicy } from './egress.ts'
import { readLoginDocument } from './login-document.ts'
import { readLoginError } from './login-error.ts'
import { NetworkError } from './network-error.ts'
import { answerEvidence } from './answer-evidence.ts'
import { retryAfterOf } from './retry-after.ts'

interface AnswerContext {
  readonly role: NetworkRole
  readonly step: TraceStepName
  readonly url: URL
  readonly egress: EgressPolicy
}

/**
 * Holds an answer against what its step may return, and throws what is wrong with it. An answer that is no JSON never
 * reaches the credential library, which would quote it, headers and all, in an error's message.
 *
 * `DEVICE_CODE_PENDING` is let through: it is how a device-code flow waits.
 */
export function inspectAnswer(response: PipelineResponse, { role, step, url, egress }: AnswerContext): void {
  const { status, bodyAsText } = response
  const evidence = answerEvidence(response, url)
  if (status >= 300 && status < 400)
    throw new NetworkError(role, 'REDIRECTED', `${url.host} answered with a redirect, which is never followed`, {
      evidence,
    })
  if (status === 407)
    throw new NetworkError(role, 'PROXY_FAILED', `The proxy on the way to ${url.host} wants credentials (407)`)
  // Own calls look at their answers themselves: a 401 of the resource manager is a result.
  if (role !== 'AUTHORITY' && role !== 'IDENTITY_ENDPOINT') return

  const body = parseJson(bodyAsText ?? '')
  if (status === 429)
    throw new NetworkError(role, 'THROTTLED', `${url.host} answers 429: too many requests`, {
      retryAfterMs: retryAfterOf(response),
      evidence,
    })
  if (status >= 500)
    throw new NetworkError(role, 'HTTP_ERROR', `${url.host} answers ${status}`, {
      retryAfterMs: retryAfterOf(response),
      evidence: { status: String(status), ...evidence },
    })
  if (role === 'AUTHORITY' && status >= 400) {
    const refusal = readLoginError(body, url.host)
    if (refusal?.code === 'DEVICE_CODE_PENDING') return
    if (refusal !== undefined) throw refusal
  }
  if (role === 'IDENTITY_ENDPOINT' && status >= 400 && status !== 401 && status !== 404) {
    // 401 is part of the exchange with an Azure Arc agent, so the library has to see it.
    throw new ServiceError('MANAGED_IDENTITY_REJECTED', `The identity endpoint ${url.host} answers ${status}`)
  }
  if (status === 404)
    throw new NetworkError(role, 'NOT_FOUND', `${url.host} answers 404 for ${url.pathname}`, {
      evidence: { host: url.host, path: url.pathname },
    })
  if (body === undefined)
    throw new NetworkError(role, 'RESPONSE_INVALID', `${url.host} answered ${status} with something that is not JSON`, {
      evidence: {
        host: url.host,
        status: String(status),
        contentType: response.headers.get('content-type')?.slice(0, 80),
      },
    })
  if (status >= 300) return
  if (step === 'login-document') readLoginDocument(body, url.href, egress)
  if (step === 'token' || step === 'managed-identity') requireToken(body, url)
  if (step === 'device-code') requireDeviceCode(body, url)
}

function requireToken(body: unknown, { host }: URL): void {
  const token = valueAt(body, 'access_token')
  if (typeof token === 'string' && token !== '') return
  throw new ServiceError('TOKEN_RESPONSE_INVALID', `${host} answered the token request without an access_token`)
}

/** The library polls without a pause when `interval` is missing, so a device code without one is refused. */
function requireDeviceCode(body: unknown, { host }: URL): void {
  const texts = ['user_code', 'device_code', 'verification_uri'].filter(
    (name) => typeof valueAt(body, name) !== 'string',
  )
  const numbers = ['expires_in', 'interval'].filter((name) => !(Number(valueAt(body, name)) > 0))
  const missing = [...texts, ...numbers]
  if (missing.length === 0) return
  throw new ServiceError('DEVICE_CODE_RESPONSE_INVALID', `${host} started the sign-in without ${missing.join(', ')}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
