import { getServers } from 'node:dns'
import { hostnameOf } from '../base/address.ts'
import { errorCode } from '../base/files.ts'
import { isServiceError, ServiceError, type NetworkRole } from '../errors.ts'
import { unansweredLookup } from './host-lookup.ts'
import { NetworkError, networkFaultOf } from './network-error.ts'
import { exhaustedResource } from '../base/files.ts'
import { ProxyError } from './proxy-connection.ts'

/** A response exceeds its size limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

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
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `the request to ${host}`, error)
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

/** A limit of this process that stopped a request before it reached a host. */
export function toExhaustionError(errno: string, what: string, cause: unknown): ServiceError {
  return new ServiceError('PROCESS_RESOURCES_EXHAUSTED', `This process has no resources left for ${what} (${errno})`, {
    cause,
    evidence: { errno },
  })
}

/**
 * Explains a lookup without addresses.
 *
 * @param error Absent when time ran out before a DNS server responded.
 * @param serverFailure The answer of a DNS server that failed, such as `SERVFAIL`.
 */
export function toLookupError(role: NetworkRole, name: string, error?: unknown, serverFailure?: string): ServiceError {
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `the lookup of ${name}`, error)
  const fault = error === undefined ? 'DNS_UNAVAILABLE' : (networkFaultOf(error) ?? 'DNS_FAILED')
  const reason = error === undefined ? 'no DNS server responded in time' : (errorCode(error) ?? 'unknown error')
  const evidence = { host: name, reason }
  if (fault !== 'DNS_UNAVAILABLE') {
    return new NetworkError(role, fault, `The name ${name} does not resolve (${reason})`, { cause: error, evidence })
  }
  const servers = getServers().join(', ') || 'none'
  if (serverFailure !== undefined) {
    const message = `The DNS servers of this machine responded ${serverFailure} to the lookup of ${name}`
    return new NetworkError(role, fault, message, { cause: error, evidence: { ...evidence, servers, serverFailure } })
  }
  const asked = unansweredLookup(name) ?? name
  const queue = asked === name ? '' : `, which the lookup of ${name} waits for`
  return new NetworkError(role, fault, `No DNS server responded to the lookup of ${asked}${queue} (${reason})`, {
    cause: error,
    evidence: { ...evidence, servers },
  })
}
