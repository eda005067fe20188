import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import type { NetworkFault, NetworkRole } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { networkFaultOf } from '../../transport/network-fault.ts'

/** A host to be probed, and whom it stands for. */
export interface HostTarget {
  /** The first part of its checks' ids, such as `authority`. */
  readonly group: string
  readonly role: NetworkRole
  /** Absolute; only its origin counts. */
  readonly url: URL
}

/** The name or address to connect to: a URL keeps the brackets of an IPv6 address. */
export function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)
}

/**
 * The addresses of a host name.
 *
 * @throws {NetworkError} `…_DNS_FAILED`, also when the DNS server does not answer in time.
 */
export async function resolveName({ role, url }: HostTarget, signal: AbortSignal): Promise<string[]> {
  const name = hostnameOf(url)
  try {
    const found = await unlessAborted(lookup(name, { all: true }), signal)
    return found.map(({ address }) => address)
  } catch (error) {
    const reason = signal.aborted ? 'no DNS server answered in time' : codeOf(error)
    throw new NetworkError(role, 'DNS_FAILED', `The name ${name} does not resolve (${reason})`, {
      cause: error,
      evidence: { host: name, reason },
    })
  }
}

/**
 * A connection to the host. The caller destroys it.
 *
 * @throws {NetworkError} such as `…_REFUSED`.
 */
export async function openSocket({ role, url }: HostTarget, signal: AbortSignal): Promise<Socket> {
  const port = portOf(url)
  const socket = connect({ host: hostnameOf(url), port })
  // Whoever awaits an event sees the error; one that comes later has nobody left to tell.
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
  /** For an error that says nothing. */
  readonly otherwise: NetworkFault
}

export function toSocketError(error: unknown, { role, host, signal, what, otherwise }: SocketFailure): NetworkError {
  const options = { cause: error, evidence: { host, reason: signal.aborted ? 'no answer in time' : codeOf(error) } }
  if (signal.aborted) return new NetworkError(role, 'TIMEOUT', `${what} was not answered in time`, options)
  return new NetworkError(role, networkFaultOf(error) ?? otherwise, `${what} failed (${codeOf(error)})`, options)
}

export function isAddress(url: URL): boolean {
  return isIP(hostnameOf(url)) !== 0
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}

/** Gives up waiting for work that cannot be stopped. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
  ])
}
