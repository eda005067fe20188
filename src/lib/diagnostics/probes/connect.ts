import { once } from 'node:events'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { hostnameOf, isLoopback, portOf } from '../../base/address.ts'
import { errorCode, exhaustedResource } from '../../base/files.ts'
import { withoutUndefined } from '../../base/json.ts'
import { unlessAborted } from '../../base/waiting.ts'
import type { NetworkFault } from '../../errors.ts'
import { lookUp, serverFailureOf } from '../../transport/host-lookup.ts'
import { NetworkError, networkFaultOf, toExhaustionError, toLookupError } from '../../transport/network-error.ts'
import { connectionOptions } from '../../transport/proxy-connection.ts'
import type { Endpoint, Observation, ProbeContext } from '../run.ts'
import { connect as secureConnect, type DetailedPeerCertificate } from 'node:tls'
import type { Env } from '../../base/env.ts'
import { trustOptions } from '../../transport/certificate-authorities.ts'
import {
  dateOf,
  describeCertificate,
  describeRefusal,
  nameOf,
  sentNames,
  verifyErrorOf,
} from '../../transport/describe-certificate.ts'
import { renewalDays } from '../../base/certificates.ts'
import { durationText } from '../../base/dates.ts'

/** The parts of an endpoint that a connection needs. Only the origin of the address counts. */
export type HostEndpoint = Pick<Endpoint, 'id' | 'role' | 'url' | 'isPlainTcp'>

/** The addresses of a host name. @throws {NetworkError} `…_DNS_FAILED`; `…_DNS_UNAVAILABLE` if no DNS server responds. */
export async function resolveName({ role, url }: HostEndpoint, signal: AbortSignal): Promise<string[]> {
  const name = hostnameOf(url)
  try {
    return (await unlessAborted(lookUp(name), signal)).map(({ address }) => address)
  } catch (error) {
    if (signal.aborted) throw toLookupError(role, name)
    // For SERVFAIL, the system reports that no server responded.
    const isUnavailable = networkFaultOf(error) === 'DNS_UNAVAILABLE'
    throw toLookupError(role, name, error, isUnavailable ? await serverFailureOf(name) : undefined)
  }
}

const privateNetworks = new BlockList()
for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']) {
  const [address = '', prefix] = network.split('/')
  privateNetworks.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** The kind of network that an address belongs to. */
export function addressKind(address: string): 'this machine' | 'link-local' | 'private' | 'public' {
  if (isLoopback(address) || address === '0.0.0.0' || address === '::') return 'this machine'
  if (/^(169\.254\.|fe[89ab])/i.test(address)) return 'link-local'
  return privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ? 'private' : 'public'
}

/** Opens a connection to the host. The caller destroys the socket. @param address The result of the lookup, for the evidence of a failure. */
export async function openSocket({ role, url }: HostEndpoint, signal: AbortSignal, address?: string): Promise<Socket> {
  const port = portOf(url)
  const socket = connect({ host: hostnameOf(url), port, ...connectionOptions() })
  // `once` reports the first error. A later error would have no listener and end the process.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    const at = { role, host: `${url.hostname}:${port}`, signal, address }
    throw toSocketError(error, `The connection to ${url.hostname} port ${port}`, 'UNREACHABLE', at)
  }
}

type SocketPlace = Pick<HostEndpoint, 'role'> & {
  readonly host: string
  readonly signal: AbortSignal
  readonly address?: string | undefined
}

/** @param otherwise The fault if the code of the error is unknown. */
function toSocketError(error: unknown, what: string, otherwise: NetworkFault, at: SocketPlace): Error {
  const { role, host, signal, address } = at
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `a connection to ${host}`, error)
  // A loopback name is meant to be on this machine.
  const isMeant = address === undefined || isLoopback(host.replace(/:\d+$/, ''))
  const kind = isMeant ? undefined : addressKind(address)
  const code = errorCode(error) ?? 'unknown error'
  const evidence = { host, reason: signal.aborted ? 'no response in time' : code, address, addressKind: kind }
  const place = kind === 'this machine' ? `${address}, an address of this machine` : `the ${kind} address ${address}`
  const subject = kind === undefined || kind === 'public' ? what : `${what} at ${place}`
  const [fault, message] = signal.aborted
    ? (['TIMEOUT', `${subject} got no response in time`] as const)
    : ([networkFaultOf(error) ?? otherwise, `${subject} failed (${code})`] as const)
  return new NetworkError(role, fault, message, { cause: error, evidence })
}

/** Reports Node's verdict. The handshake accepts every certificate, to show the issuer of a refused one. This is safe: no data is sent. */
export async function checkCertificate(
  { role, url }: HostEndpoint,
  socket: Socket,
  { signal, env }: { readonly signal: AbortSignal; readonly env: Env },
): Promise<Observation> {
  const host = hostnameOf(url)
  const secure = secureConnect({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
    ...trustOptions(),
  })
  secure.on('error', () => {})
  try {
    await once(secure, 'secureConnect', { signal })
    const certificate = secure.getPeerCertificate(true)
    if (!secure.authorized) {
      // Declared as Error, but Node sets a code as a string.
      const verdict: unknown = secure.authorizationError
      const code = typeof verdict === 'string' ? verdict : 'CERT_REJECTED'
      const rule = verifyErrorOf(secure) ?? code
      const fault = networkFaultOf(Object.assign(new Error(rule), { code }), host) ?? 'UNTRUSTED'
      const [message, found] = describeRefusal(fault, certificate, { host, code, rule, env })
      const evidence = { host: url.host, ...found }
      throw new NetworkError(role, fault, message, { evidence, chain: sentNames(certificate) })
    }
    return observeGood(certificate, secure.getProtocol() ?? 'TLS', url.host)
  } catch (error) {
    if (error instanceof NetworkError) throw error
    throw toSocketError(error, `The TLS handshake with ${url.host}`, 'TLS_FAILED', { role, host: url.host, signal })
  } finally {
    secure.destroy()
    socket.destroy()
  }
}

function observeGood(peer: DetailedPeerCertificate, protocol: string, host: string): Observation {
  const seconds = (Date.parse(peer.valid_to) - Date.now()) / 1000
  const message = `${protocol}, certificate issued by ${nameOf(peer.issuer)}, expires in ${durationText(seconds)}`
  const results = withoutUndefined({ observed: { chain: sentNames(peer) }, certificate: describeCertificate(peer) })
  if (seconds >= renewalDays * 86_400) return { message, ...results }
  const end = dateOf(peer.valid_to)
  const evidence = { host, validTo: end }
  return { status: 'warn', code: 'CERTIFICATE_EXPIRES_SOON', message: `${message}, on ${end}`, evidence, ...results }
}

/** Aborts at the deadline of a layer or of the whole run. */
export function layerSignal({ signal, timeoutMs }: Pick<ProbeContext, 'signal' | 'timeoutMs'>): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}
