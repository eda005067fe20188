import { once } from 'node:events'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { hostnameOf, isLoopback, portOf } from '../../base/address.ts'
import { errorCode } from '../../base/files.ts'
import { unlessAborted } from '../../base/waiting.ts'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { lookUp, serverFailureOf } from '../../transport/host-lookup.ts'
import { NetworkError, networkFaultOf, toExhaustionError, toLookupError } from '../../transport/network-error.ts'
import { exhaustedResource } from '../../base/files.ts'
import { connectionOptions, isForToken } from '../../transport/proxy-connection.ts'
import type { ConfiguredEndpoint } from '../endpoint.ts'

/** The part of an endpoint that connections are made to: only the origin of its address counts. */
export type HostEndpoint = Pick<ConfiguredEndpoint, 'id' | 'role' | 'url' | 'isPlainTcp'>

/**
 * The addresses of a host name.
 *
 * @throws {NetworkError} `…_DNS_FAILED`; `…_DNS_UNAVAILABLE` if no DNS server gives an answer.
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

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4')
}
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** What an address says by itself of where it leads. */
export function addressKind(address: string): 'this machine' | 'link-local' | 'private' | 'public' {
  if (isLoopback(address) || address === '0.0.0.0' || address === '::') return 'this machine'
  if (/^(169\.254\.|fe[89ab])/i.test(address)) return 'link-local'
  return privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ? 'private' : 'public'
}

/**
 * A connection to the host. The caller destroys it.
 *
 * @param addresses Those of the lookup, for the evidence of a failure.
 * @throws {NetworkError} such as `…_REFUSED`.
 */
export async function openSocket(
  { role, url }: HostEndpoint,
  signal: AbortSignal,
  addresses: readonly string[] = [],
): Promise<Socket> {
  const port = portOf(url)
  const socket = connect({ host: hostnameOf(url), port, ...connectionOptions(role) })
  // The awaited event reports the error; a later error would have no listener.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    const [address] = addresses
    const what = `The connection to ${url.hostname} port ${port}`
    throw toSocketError(error, {
      role,
      host: `${url.hostname}:${port}`,
      signal,
      what,
      otherwise: 'UNREACHABLE',
      address,
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
  /** What the name resolves to. */
  readonly address?: string | undefined
}

export function toSocketError(error: unknown, { role, host, signal, what, otherwise, address }: SocketFailure): Error {
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `a connection to ${host}`, error)
  const kind = address === undefined ? undefined : addressKind(address)
  // A host that the profile calls by a loopback name is meant to be on this machine.
  const evidence = {
    host,
    reason: signal.aborted ? 'no response in time' : codeOf(error),
    address,
    addressKind: isLoopback(host.replace(/:\d+$/, '')) ? undefined : kind,
  }
  const at =
    kind === undefined || kind === 'public'
      ? ''
      : kind === 'this machine'
        ? `${address}, an address of this machine`
        : `the ${kind} address ${address}`
  const where = at === '' || isLoopback(host.replace(/:\d+$/, '')) ? '' : ` at ${at}`
  const options = { cause: error, evidence }
  if (signal.aborted) return new NetworkError(role, 'TIMEOUT', `${what}${where} got no response in time`, options)
  return new NetworkError(
    role,
    networkFaultOf(error) ?? otherwise,
    `${what}${where} failed (${codeOf(error)})`,
    options,
  )
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? 'unknown error'
}
