import { getFips } from 'node:crypto'
import { getServers } from 'node:dns'
import { isIPv6 } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { hostnameOf } from '../base/address.ts'
import { causesOf, errorCode, exhaustedResource } from '../base/files.ts'
import {
  type Evidence,
  isServiceError,
  type NetworkFault,
  type NetworkRole,
  ServiceError,
  type ServiceErrorOptions,
} from '../errors.ts'
import type { Env } from '../base/env.ts'
import { describeRefusal, type RefusedPeer } from './describe-certificate.ts'
import { isLookupPending } from './host-lookup.ts'

/** The host, the network or the DNS server may recover from these faults by itself. */
const transientFaults: ReadonlySet<NetworkFault> = new Set([
  'DNS_UNAVAILABLE',
  'REFUSED',
  'UNREACHABLE',
  'TIMEOUT',
  'RESET',
  'THROTTLED',
  'HTTP_ERROR',
])

/** Faults of a certificate that Node refuses. */
export const certificateFaults: ReadonlySet<NetworkFault | undefined> = new Set([
  'UNTRUSTED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_NAME_MISMATCH',
  'CERTIFICATE_INVALID',
  'CERTIFICATE_WEAK',
  'CERTIFICATE_IPV6_UNSUPPORTED',
])

/** A failure to reach a host, or an invalid response from it. */
export class NetworkError extends ServiceError {
  readonly role: NetworkRole
  readonly fault: NetworkFault
  /** HTTP status. Absent if there was no response. */
  declare readonly status?: number
  /** The subjects of the certificates that the host sent, if Node refused them. */
  declare readonly chain?: readonly string[]

  constructor(
    role: NetworkRole,
    fault: NetworkFault,
    message: string,
    { status, chain, ...options }: ServiceErrorOptions & Pick<NetworkError, 'status' | 'chain'> = {},
  ) {
    super(`${role}_${fault}`, message, options)
    this.role = role
    this.fault = fault
    if (status !== undefined) this.status = status
    if (chain !== undefined) this.chain = chain
  }

  override get isTransient(): boolean {
    // If a firewall or a rule of this machine forbids the connection, a retry doesn't help until a person changes the rule.
    return transientFaults.has(this.fault) && !['EACCES', 'EPERM'].includes(this.evidence?.['reason'] ?? '')
  }
}

/** The error codes of Node and OpenSSL for each fault. */
export const codesOfFault: Readonly<Partial<Record<NetworkFault, readonly string[]>>> = {
  DNS_FAILED: ['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME'],
  DNS_UNAVAILABLE: ['EAI_AGAIN', 'EAI_FAIL'],
  REFUSED: ['ECONNREFUSED'],
  UNREACHABLE: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
  TIMEOUT: ['ETIMEDOUT', 'ESOCKETTIMEDOUT'],
  RESET: ['ECONNRESET', 'EPIPE', 'ECONNABORTED'],
  UNTRUSTED: [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_UNTRUSTED',
    'CERT_REJECTED',
  ],
  // Node has the code UNSPECIFIED for the other verdicts of OpenSSL, such as a violated name constraint.
  CERTIFICATE_INVALID: [
    'CERT_SIGNATURE_FAILURE',
    'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
    'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
    'ERROR_IN_CERT_NOT_BEFORE_FIELD',
    'ERROR_IN_CERT_NOT_AFTER_FIELD',
    'CERT_CHAIN_TOO_LONG',
    'PATH_LENGTH_EXCEEDED',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'CERT_REVOKED',
    'UNSPECIFIED',
  ],
  // In FIPS mode, a short RSA key causes ERR_SSL_INVALID_KEY_LENGTH before its certificate is checked.
  CERTIFICATE_WEAK: [
    'ERR_SSL_CA_KEY_TOO_SMALL',
    'ERR_SSL_CA_MD_TOO_WEAK',
    'ERR_SSL_EE_KEY_TOO_SMALL',
    'ERR_SSL_INVALID_KEY_LENGTH',
  ],
  CERTIFICATE_EXPIRED: ['CERT_HAS_EXPIRED'],
  CERTIFICATE_NOT_YET_VALID: ['CERT_NOT_YET_VALID'],
  CERTIFICATE_NAME_MISMATCH: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  TLS_FAILED: ['EPROTO'],
}
const faultsByCode: ReadonlyMap<string, NetworkFault> = new Map(
  Object.entries(codesOfFault).flatMap(([fault, codes]) => codes.map((code) => [code, fault as NetworkFault])),
)

/** OpenSSL's texts for those UNSPECIFIED verdicts that concern a key or a signature algorithm. */
const weakness = /too weak|explicit ECC|signature algorithm/i

/** In FIPS mode, OpenSSL has no MD5, so it reports an MD5 signature as a signature failure. */
const isWeak = (code: string, text: string) =>
  code === 'UNSPECIFIED' ? weakness.test(text) : code === 'CERT_SIGNATURE_FAILURE' && getFips() === 1

let isAccepted: boolean | undefined

/** Some releases of Node match no certificate with an IPv6 address. */
function acceptsIPv6Certificates(): boolean {
  const certificate = { subject: {}, subjectaltname: 'IP Address:0:0:0:0:0:0:0:1' } as PeerCertificate
  isAccepted ??= checkServerIdentity('::1', certificate) === undefined
  return isAccepted
}

/** The fault of a socket error, by its code or by the code of an error that it wraps. @param hostname The host, without brackets. */
export function networkFaultOf(
  error: unknown,
  hostname = '',
  acceptsIPv6 = acceptsIPv6Certificates,
): NetworkFault | undefined {
  const fault = causesOf(error).flatMap((each) => faultOf(each) ?? [])[0]
  if (fault !== 'CERTIFICATE_NAME_MISMATCH' || !isIPv6(hostname) || acceptsIPv6()) return fault
  return 'CERTIFICATE_IPV6_UNSUPPORTED'
}

function faultOf(error: Error): NetworkFault | undefined {
  const code = errorCode(error) ?? ''
  if (isWeak(code, error.message)) return 'CERTIFICATE_WEAK'
  // An error of the HTTP parser: the response isn't HTTP.
  if (code.startsWith('HPE_')) return 'RESPONSE_INVALID'
  const fault = faultsByCode.get(code) ?? (/^(ERR_SSL_|ERR_TLS_|CERT_)/.test(code) ? 'TLS_FAILED' : undefined)
  // An unknown code of a failed connection.
  return fault ?? ('syscall' in error && error.syscall === 'connect' ? 'UNREACHABLE' : undefined)
}

/** The fault of a status, for any kind of host. `undefined` for success, and for a refusal such as 401 whose body gives the reason. */
export function statusFault(status: number): NetworkFault | undefined {
  if (status === 407) return 'PROXY_FAILED'
  if (status >= 300 && status < 400) return 'REDIRECTED'
  if (status === 404) return 'NOT_FOUND'
  if (status === 429) return 'THROTTLED'
  return status >= 500 ? 'HTTP_ERROR' : undefined
}

/** A failure of the proxy, not of the host behind it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  /** The fix depends on these values. */
  readonly evidence: Evidence

  constructor(message: string, { evidence = {}, ...options }: ErrorOptions & { readonly evidence?: Evidence } = {}) {
    super(message, options)
    this.evidence = evidence
  }
}

interface Progress {
  /** Whether the request ran out of time. */
  readonly aborted: boolean
  /** Bytes of the body that arrived. Absent if the headers didn't arrive. */
  readonly received?: number | undefined
  /** The certificate of the host, if the host sent it. */
  readonly peer?: RefusedPeer | undefined
  /** The variables that name certificate authorities. */
  readonly env?: Env | undefined
}

/** Converts the error of a request to an error with a code of its role. A ServiceError passes through unchanged. */
export function toRequestError(error: unknown, role: NetworkRole, url: URL, progress: Progress): Error {
  const { aborted, received, peer, env = {} } = progress
  if (isServiceError(error)) return error
  const { host, pathname: path } = url
  const name = hostnameOf(url)
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `the request to ${host}`, error)
  const failure = (fault: NetworkFault, message: string, more: ServiceErrorOptions['evidence'] = {}) =>
    new NetworkError(role, fault, message, { cause: error, evidence: { host, ...more } })
  if (error instanceof ProxyError) {
    return failure('PROXY_FAILED', `The proxy for ${host} ${error.message}`, error.evidence)
  }
  if (aborted && received === undefined && isLookupPending(name)) return toLookupError(role, name)
  if (received !== undefined) {
    const evidence = { path, receivedBytes: String(received) }
    const slow = `${host} is slow: it sent ${received} bytes of its response to ${path}, but not the rest in time`
    if (aborted) return failure('TIMEOUT', slow, evidence)
    return failure('RESET', `The response of ${host} to ${path} ended early, after ${received} bytes`, evidence)
  }
  if (aborted) return failure('TIMEOUT', `${host} did not respond in time to ${path}`, { path })
  const code = errorCode(error)
  const fault = networkFaultOf(error, name) ?? 'RESPONSE_INVALID'
  if (peer !== undefined && certificateFaults.has(fault)) {
    const { certificate, rule = code ?? '' } = peer
    return failure(fault, ...describeRefusal(fault, certificate, { host: name, code: code ?? '', rule, env }))
  }
  // The fix for an unreachable host depends on the code, which shows who rejects the connection.
  const reason = fault === 'UNREACHABLE' && code !== undefined ? { reason: code } : {}
  return failure(fault, `The request to ${host} failed${code === undefined ? '' : ` (${code})`}`, reason)
}

/** An error for a limit of this process, which stopped a request before it reached a host. */
export function toExhaustionError(errno: string, what: string, cause: unknown): ServiceError {
  return new ServiceError('PROCESS_RESOURCES_EXHAUSTED', `This process has no resources left for ${what} (${errno})`, {
    cause,
    evidence: { reason: errno },
  })
}

/** Makes the error of a failed lookup. Without `error`, no DNS server responded in time. @param serverFailure Such as `SERVFAIL`. */
export function toLookupError(role: NetworkRole, name: string, error?: unknown, serverFailure?: string): ServiceError {
  const errno = exhaustedResource(error)
  if (errno !== undefined) return toExhaustionError(errno, `the lookup of ${name}`, error)
  const fault = error === undefined ? 'DNS_UNAVAILABLE' : (networkFaultOf(error) ?? 'DNS_FAILED')
  const reason = error === undefined ? 'no DNS server responded in time' : (errorCode(error) ?? 'unknown error')
  const refuse = (message: string, more: Evidence = {}) =>
    new NetworkError(role, fault, message, { cause: error, evidence: { host: name, reason, ...more } })
  if (fault !== 'DNS_UNAVAILABLE') return refuse(`The name ${name} does not resolve (${reason})`)
  const servers = getServers().join(', ') || 'none'
  if (serverFailure === undefined)
    return refuse(`No DNS server responded to the lookup of ${name} (${reason})`, { servers })
  const message = `The DNS servers of this machine responded ${serverFailure} to the lookup of ${name}`
  return refuse(message, { servers, problem: serverFailure })
}
