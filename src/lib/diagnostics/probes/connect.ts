import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { hostnameOf, portOf } from '../../base/address.ts'
import { errorCode } from '../../base/error-code.ts'
import { unlessAborted } from '../../base/unless-aborted.ts'
import type { ConfiguredEndpoint } from '../../endpoints/endpoint.ts'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { lookUp, serverFailureOf } from '../../transport/host-lookup.ts'
import { NetworkError, networkFaultOf } from '../../transport/network-error.ts'
import { connectionOptions, isForToken } from '../../transport/proxy-connection.ts'
import { toLookupError } from '../../transport/request-error.ts'

/** The part of an endpoint that connections are made to: only the origin of its address counts. */
export type HostEndpoint = Pick<ConfiguredEndpoint, 'id' | 'role' | 'url'>

/**
 * The addresses of a host name.
 *
 * @throws {NetworkError} `…_DNS_FAILED`; `…_DNS_UNAVAILABLE` if no DNS server responds.
 */
export async function resolveName({ role, url }: HostEndpoint, signal: AbortSignal): Promise<string[]> {
  const name = hostnameOf(url)
  try {
    const found = await unlessAborted(lookUp(name, isForToken(role)), signal)
    return found.map(({ address }) => address)
  } catch (error) {
    if (signal.aborted) throw toLookupError(role, name)
    // The system reports SERVFAIL as if no server had responded.
    const isUnavailable = networkFaultOf(error) === 'DNS_UNAVAILABLE'
    throw toLookupError(role, name, error, isUnavailable ? await serverFailureOf(name) : undefined)
  }
}

/**
 * A connection to the host. The caller destroys it.
 *
 * @throws {NetworkError} such as `…_REFUSED`.
 */
export async function openSocket({ role, url }: HostEndpoint, signal: AbortSignal): Promise<Socket> {
  const port = portOf(url)
  const socket = connect({ host: hostnameOf(url), port, ...connectionOptions(role) })
  // The awaited event reports the error; a later error would have no listener.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw toSocketError(error, {
      role,
      host: `${url.hostname}:${port}`,
      signal,
      what: `The connection to ${url.hostname} port ${port}`,
      otherwise: 'UNREACHABLE',
    })
  }
}

interface SocketFailure {
  readonly role: NetworkRole
  /** `host[:port]`. */
  readonly host: string
  readonly signal: AbortSignal
  /** The subject of the message. */
  readonly what: string
  /** For an error without a known code. */
  readonly otherwise: NetworkFault
}

export function toSocketError(error: unknown, { role, host, signal, what, otherwise }: SocketFailure): NetworkError {
  const options = { cause: error, evidence: { host, reason: signal.aborted ? 'no response in time' : codeOf(error) } }
  if (signal.aborted) return new NetworkError(role, 'TIMEOUT', `${what} got no response in time`, options)
  return new NetworkError(role, networkFaultOf(error) ?? otherwise, `${what} failed (${codeOf(error)})`, options)
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? 'unknown error'
}
