import type { ProbeContext } from '../../endpoints/endpoint.ts'
import type { Evidence } from '../../errors.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { openTunnel, type ProxyError } from '../../transport/proxy-connection.ts'
import { checkCertificate } from './check-certificate.ts'
import { openSocket, type HostEndpoint } from './connect.ts'

/**
 * Asks the proxy for a connection to a host, and closes it.
 *
 * @throws {NetworkError} `…_PROXY_FAILED`, with the values of its fix.
 */
export async function checkTunnel(
  endpoint: HostEndpoint,
  proxy: URL,
  context: ProbeContext,
  signal: AbortSignal,
): Promise<void> {
  try {
    const socket = await openTunnel(proxy, endpoint.url, signal)
    socket.destroy()
  } catch (error) {
    const failure = error as ProxyError
    const { message, evidence } = await explain(failure, { ...endpoint, url: proxy }, context, signal)
    throw new NetworkError(endpoint.role, 'PROXY_FAILED', `The proxy for ${endpoint.url.host} ${message}`, {
      cause: failure,
      evidence,
    })
  }
}

interface Explained {
  readonly message: string
  readonly evidence: Evidence
}

/** A handshake with the proxy tells why its certificate is refused, and whether a proxy that was asked without TLS speaks TLS. */
async function explain(
  { message, evidence }: ProxyError,
  proxy: HostEndpoint,
  { env, now = Date.now }: ProbeContext,
  signal: AbortSignal,
): Promise<Explained> {
  const plain = proxy.url.protocol === 'http:'
  const mayBeTls = plain && (Object.keys(evidence).length === 0 || evidence['proxyStatus'] === '400')
  if (!mayBeTls && evidence['distrustedProxy'] === undefined) return { message, evidence }
  try {
    const socket = await openSocket(proxy, signal)
    await checkCertificate(proxy, { socket, signal, env, now: now() })
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const isRefused = error.fault === 'UNTRUSTED' || error.fault.startsWith('CERTIFICATE_')
    if (!isRefused) return { message, evidence }
    if (!plain) return { message: `is not trusted. ${error.message}`, evidence: { ...error.evidence, ...evidence } }
  }
  if (!plain) return { message, evidence }
  return { message: 'speaks TLS, and was asked without it', evidence: { tlsProxy: proxy.url.host } }
}
