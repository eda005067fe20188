import { createServer } from 'node:https'
import type { CertificateAuthority } from 'cloud-profile-enclave/enclave'
import { listen } from './free-port.ts'
import { startForwardProxy } from './forward-proxy.ts'

export type ProxiedAuthority = Awaited<ReturnType<typeof startProxiedAuthority>>

const name = 'login.proxied.test'
const token = { token_type: 'Bearer', access_token: 'opaque', expires_in: 3600 }

/**
 * Starts a login authority under a name that only a proxy knows, because requests to loopback never use a proxy.
 *
 * @param others Further names of the authority for the proxy and the certificate.
 */
export async function startProxiedAuthority(ca: CertificateAuthority, others: readonly string[] = []) {
  const names = [name, ...others]
  const { privateKeyPem: key, chainPem: cert } = await ca.issue({ commonName: name, usage: 'server', names })
  const authority = createServer({ key, cert }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url.endsWith('openid-configuration') ? openIdConfiguration : token))
  })
  authority.on('tlsClientError', () => {})
  const port = await listen(authority)
  const origin = `https://${name}:${port}`
  const base = `${origin}/tenant.test`
  const openIdConfiguration = {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    jwks_uri: `${base}/keys`,
  }
  const proxy = await startForwardProxy({ ports: new Map(names.map((each) => [each, port])) })
  return {
    authorityHost: `${origin}/`,
    proxyUrl: `http://${proxy.host}`,
    proxy,
    close() {
      proxy.close()
      authority.close()
    },
  }
}
