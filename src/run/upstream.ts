import { request as requestPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as requestSecure } from 'node:https'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { withBrackets } from '../lib/base/address.ts'
import type { Env } from '../lib/base/env.ts'
import { ServiceError } from '../lib/errors.ts'
import { readProxies } from '../lib/base/env.ts'
import { proxyFor } from '../lib/transport/proxy-for.ts'
import { openTunnel, proxyAddress, proxyAuthorization } from '../lib/transport/proxy-connection.ts'
import type { Target } from './discovery.ts'

/** The way from this machine to a host: through the proxy of the operator, or direct. */
export interface Upstream {
  connect(target: Target, signal: AbortSignal): Promise<Socket>
  /** Sends a request without TLS on, and its response back. */
  forward(request: IncomingMessage, response: ServerResponse, url: URL): void
}

/** Headers that belong to one connection (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** @throws {ServiceError} `SETTING_INVALID` for a proxy variable without a proxy URL: nothing must bypass a proxy. */
export function createUpstream(env: Env): Upstream {
  const proxies = readProxies(env)
  // HTTP_PROXY wins for requests without TLS.
  const plain = { ...proxies, ...((proxies['HTTP_PROXY'] ?? proxies['http_proxy']) ? withoutSecure : {}) }
  const proxyOf = (url: URL): URL | undefined => {
    const { proxy, ignoredEntry } = proxyFor(url, url.protocol === 'http:' ? plain : proxies)
    // The child's own reading of NO_PROXY is wider than that of the credential library.
    if (proxy === undefined || ignoredEntry !== undefined) return undefined
    if (proxy.url !== undefined) return proxy.url
    throw new ServiceError('SETTING_INVALID', `${proxy.variable} must be an http or https proxy URL`)
  }
  for (const scheme of ['http', 'https']) proxyOf(new URL(`${scheme}://proxy-check.invalid/`))
  return {
    async connect({ host, port }, signal) {
      const url = new URL(`https://${withBrackets(host)}:${port}/`)
      const proxy = proxyOf(url)
      if (proxy !== undefined) return openTunnel(proxy, url, signal)
      const socket = connect({ host, port, allowHalfOpen: true, signal })
      await once(socket, 'connect')
      return socket
    },
    forward(request, response, url) {
      const proxy = proxyOf(url)
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.has(name)))
      const { method } = request
      const options =
        proxy === undefined
          ? { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path: `${url.pathname}${url.search}` }
          : { ...proxyAddress(proxy), path: url.href }
      const send = proxy?.protocol === 'https:' ? requestSecure : requestPlain
      const account = proxy === undefined ? {} : proxyAuthorization(proxy)
      const sent = send(
        { ...options, method, headers: { ...headers, host: url.host, ...account }, agent: false },
        (received) => {
          // The operator's proxy wants credentials of the operator: the child must not send its own.
          const { statusCode = 502, headers: returned } = received
          response.writeHead(statusCode === 407 ? 502 : statusCode, returned)
          received.pipe(response)
        },
      )
      sent.on('error', () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end(`cloud-profile: no connection to ${url.host}\n`)
      })
      response.on('close', () => sent.destroy())
      request.pipe(sent)
    },
  }
}

const withoutSecure = { HTTPS_PROXY: undefined, https_proxy: undefined, ALL_PROXY: undefined, all_proxy: undefined }
