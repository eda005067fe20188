import { errorCode } from '../base/error-code.ts'
import { isServiceError, type NetworkRole } from '../errors.ts'
import { hostnameOf } from '../base/address.ts'
import { unansweredLookup } from './host-lookup.ts'
import { toLookupError } from './lookup-error.ts'
import { NetworkError } from './network-error.ts'
import { networkFaultOf } from './network-fault.ts'
import { BodyTooLargeError } from './read-bounded-text.ts'
import { ProxyError } from './tunnel.ts'

/** A request without a valid response. */
export interface FailedRequest {
  readonly role: NetworkRole
  readonly url: URL
  /** Whether it ran out of time. */
  readonly aborted: boolean
}

/** Explains a failed request under the code of its role. ServiceErrors pass through unchanged. */
export function toRequestError(error: unknown, { role, url, aborted }: FailedRequest): Error {
  if (isServiceError(error)) return error
  const { host } = url
  const name = hostnameOf(url)
  if (error instanceof ProxyError) {
    const evidence = { host, ...error.evidence }
    return new NetworkError(role, 'PROXY_FAILED', `The proxy for ${host} ${error.message}`, { cause: error, evidence })
  }
  if (aborted && unansweredLookup(name) !== undefined) return toLookupError(role, name)
  const options = { cause: error, evidence: { host } }
  if (aborted) return new NetworkError(role, 'TIMEOUT', `${host} did not respond in time`, options)
  if (error instanceof BodyTooLargeError) {
    return new NetworkError(role, 'RESPONSE_TOO_LARGE', `${host} sent ${error.message}`, options)
  }
  const fault = networkFaultOf(error, name) ?? 'RESPONSE_INVALID'
  const code = errorCode(error)
  return new NetworkError(
    role,
    fault,
    `The request to ${host} failed${code === undefined ? '' : ` (${code})`}`,
    options,
  )
}
