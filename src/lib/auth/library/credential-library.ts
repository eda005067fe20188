// This folder holds what works around faults of the credential library (@azure/identity 4.14, msal-node 7.2). Each comment names the fault,
// so that a new release can be tried by deleting lines.

import type { HttpClient } from '@azure/core-rest-pipeline'
import type { DeviceCodeInfo, TokenCredentialOptions } from '@azure/identity'
import { isServiceError, ServiceError } from '../../errors.ts'
import type { Attempt } from '../../transport/attempt.ts'
import { causesOf } from '../../base/files.ts'

/** The parts of the credential library, and of the library beneath it, that this service uses. By name, so that a bundler omits the rest. */
export { createEmptyPipeline, createHttpHeaders, createPipelineRequest, logPolicy } from '@azure/core-rest-pipeline'
export {
  ClientAssertionCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  OnBehalfOfCredential,
  UsernamePasswordCredential,
} from '@azure/identity'
export { createClientLogger } from '@azure/logger'
export { ManagedIdentityApplication } from '@azure/msal-node'

/**
 * The options of a credential. Fault: the library retries for minutes; the guarded client retries, and a second layer would multiply the
 * attempts. Fault: it takes a proxy from the environment, also for the identity endpoint, and logs its password; a proxy in the options keeps
 * it from that, and the guarded client chooses the real one. Fault: some credentials change the object, so each gets a new one.
 */
export function credentialOptions(httpClient: HttpClient): TokenCredentialOptions {
  return { httpClient, retryOptions: { maxRetries: 0 }, proxyOptions: { host: 'http://proxy.invalid', port: 1 } }
}

/** Fault: `DeviceCodeInfo` lacks `expiresIn`, which every response has: the transport refuses one without it. */
export function promptPerson(info: DeviceCodeInfo & { readonly expiresIn?: number }, attempt: Attempt): void {
  const { userCode, verificationUri, expiresIn = 0 } = info
  attempt.prompt({ userCode, verificationUri, expiresOnTimestamp: Date.now() + expiresIn * 1000 })
}

/** A code and its message. */
export type Failure = Pick<ServiceError, 'code' | 'message'>

const unexpected: Failure = {
  code: 'UNEXPECTED',
  message: 'The token attempt failed for an unknown reason',
}

/**
 * Explains why an attempt failed. Fault: the library gives one opaque text for a dozen causes, and its messages may quote the response, so the
 * failure that the transport recorded comes first, and the library's text is never passed on.
 *
 * @param otherwise The error if no request failed.
 */
export function toTokenError(error: unknown, attempt: Attempt, otherwise: Failure = unexpected): ServiceError {
  const options = { cause: error }
  if (attempt.promptFailure !== undefined) return attempt.promptFailure
  const ours = causesOf(error).find(isServiceError)
  if (attempt.isPrompted && attempt.signal.aborted) {
    return new ServiceError('DEVICE_CODE_EXPIRED', 'The sign-in was not approved before its code expired', options)
  }
  if (ours !== undefined && ours.code !== 'TOKEN_TIMEOUT') return ours
  if (isServiceError(attempt.failure)) return attempt.failure
  if (ours !== undefined || attempt.signal.aborted) {
    const message = `No token within ${attempt.timeoutMs} ms (PLATFORM_TOKEN_TIMEOUT_MS)`
    return new ServiceError('TOKEN_TIMEOUT', message, options)
  }
  return new ServiceError(otherwise.code, otherwise.message, options)
}
