import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import type { Env } from '../../base/env.ts'
import { trustOptions } from '../../transport/certificate-authorities.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { networkFaultOf } from '../../transport/network-error.ts'
import { dateOf, describeCertificate, describeRefusal, nameOf, seenChain } from './describe-certificate.ts'
import { renewalDays } from '../../base/certificates.ts'
import type { Observation } from '../checks.ts'
import { durationText } from '../../base/dates.ts'
import { hostnameOf } from '../../base/address.ts'
import { toSocketError, type HostEndpoint } from './connect.ts'

export interface HandshakeOptions {
  /** Connected; destroyed at the end. */
  readonly socket: Socket
  readonly signal: AbortSignal
  readonly env: Env
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Makes a TLS handshake and judges the certificate as Node would.
 *
 * The handshake itself accepts any certificate, because the issuer of a refused certificate could not be read. That is safe here: nothing
 * is sent over the connection, nothing read from it is used, and the check reports Node's own verdict.
 *
 * @throws {NetworkError} such as `…_UNTRUSTED`.
 */
export async function checkCertificate(endpoint: HostEndpoint, options: HandshakeOptions): Promise<Observation> {
  const { socket, signal, env, now } = options
  const { role, url } = endpoint
  const host = hostnameOf(url)
  const secure = connect({
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
      // The type says Error, but Node sets the code as text.
      const verdict: unknown = secure.authorizationError
      const code = typeof verdict === 'string' ? verdict : 'CERT_REJECTED'
      const rule = wordsOf(secure) ?? code
      const fault = networkFaultOf(Object.assign(new Error(rule), { code }), host) ?? 'UNTRUSTED'
      const refusal = { host, address: url.host, code, rule, env, now }
      const { message, evidence } = describeRefusal(fault, certificate, refusal)
      const seen = { chain: seenChain(certificate) }
      throw Object.assign(new NetworkError(role, fault, message, { evidence }), { seen })
    }
    return observeGood(certificate, secure.getProtocol() ?? 'TLS', url.host, now)
  } catch (error) {
    if (error instanceof NetworkError) throw error
    const what = `The TLS handshake with ${url.host}`
    throw toSocketError(error, { role, host: url.host, signal, what, otherwise: 'TLS_FAILED' })
  } finally {
    secure.destroy()
    socket.destroy()
  }
}

/** OpenSSL's words for its verdict. Node shows them only in the error of a connection that insists on a good certificate. */
function wordsOf(secure: TLSSocket): string | undefined {
  const { ssl } = secure as TLSSocket & { readonly ssl?: { readonly verifyError?: () => Error | null } }
  return ssl?.verifyError?.()?.message
}

function observeGood(peer: DetailedPeerCertificate, protocol: string, host: string, now: number): Observation {
  const certificate = describeCertificate(peer)
  const seconds = (Date.parse(peer.valid_to) - now) / 1000
  const message = `${protocol}, certificate issued by ${nameOf(peer.issuer)}, expires in ${durationText(seconds)}`
  const seen = { seen: { chain: seenChain(peer) }, ...(certificate === undefined ? {} : { certificate }) }
  if (seconds >= renewalDays * 86_400) return { message, ...seen }
  const end = dateOf(peer.valid_to)
  return {
    status: 'warn',
    code: 'CERTIFICATE_EXPIRES_SOON',
    message: `${message}, on ${end}`,
    evidence: { host, validTo: end },
    ...seen,
  }
}
