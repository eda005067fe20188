import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import {
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import debug from 'debug'
import type { NetworkRole } from '../errors.ts'
import type { Env } from '../base/env.ts'
import { NetworkError } from './network-error.ts'
import { proxyFor } from './proxy-for.ts'
import { proxyAddress, proxyAuthorization, toProxyError, Tunnel } from './tunnel.ts'

// The agents of proxies tell their address with its password, and what they send, to whoever sets DEBUG.
debug.log = () => {}

/** Sends over the proxy that our own rules choose, whatever a pipeline above put into the request. */
export interface ProxiedClient {
  /** The proxy that a host is reached by. @throws {NetworkError} `…_PROXY_FAILED` when its variable holds no URL. */
  proxyOf(url: URL, role: NetworkRole): URL | undefined
  send: (request: PipelineRequest, proxy: URL | undefined) => ReturnType<HttpClient['sendRequest']>
}

/** @param proxies The variables that name proxies, as `readProxies` picks them. */
export function createProxiedClient(inner: HttpClient, proxies: Env): ProxiedClient {
  const agentOf = createDirectAgents()
  return {
    proxyOf(url, role) {
      // The identity endpoint is link-local: a proxy would only capture its secret header.
      const proxy = role === 'IDENTITY_ENDPOINT' ? undefined : proxyFor(url, proxies).proxy
      if (proxy === undefined || proxy.url !== undefined) return proxy?.url
      throw new NetworkError(
        role,
        'PROXY_FAILED',
        `${proxy.variable} must be a proxy's http or https URL, and is none, so ${url.host} cannot be reached`,
      )
    },
    async send({ agent: _agent, proxySettings: _settings, ...given }, proxy) {
      const url = new URL(given.url)
      const request = { ...given, requestOverrides: overridesOf(url) }
      if (proxy === undefined) return inner.sendRequest({ ...request, agent: agentOf(request) })
      if (url.protocol === 'http:') return sendPlain(inner, request, proxy)
      const tunnel = new Tunnel(proxy, url, request.abortSignal)
      try {
        return await inner.sendRequest({ ...request, agent: tunnel })
      } catch (error) {
        throw tunnel.failure ?? error
      }
    },
  }
}

/** Without TLS there is no tunnel: the proxy is asked for the whole URL. */
async function sendPlain(inner: HttpClient, request: PipelineRequest, proxy: URL): Promise<PipelineResponse> {
  const { protocol, origin } = proxy
  const headers = createHttpHeaders({
    ...request.headers.toJSON(),
    host: new URL(request.url).host,
    ...proxyAuthorization(proxy),
  })
  const agent = new (protocol === 'https:' ? SecureAgent : Agent)()
  const requestOverrides = { ...proxyAddress(proxy), path: request.url }
  try {
    return await inner.sendRequest({ ...request, url: origin, headers, agent, requestOverrides })
  } catch (error) {
    throw toProxyError(error)
  }
}

/** Agents of our own: with NODE_USE_ENV_PROXY those of Node take the proxy of the environment, on loopback and in clear. */
function createDirectAgents(): (request: PipelineRequest) => Agent {
  const agents = new Map<string, Agent>()
  return ({ url, disableKeepAlive }) => {
    const { protocol } = new URL(url)
    const keepAlive = disableKeepAlive !== true
    const key = `${protocol} ${keepAlive}`
    const agent = agents.get(key) ?? new (protocol === 'https:' ? SecureAgent : Agent)({ keepAlive })
    agents.set(key, agent)
    return agent
  }
}

/**
 * Certificates are checked whatever NODE_TLS_REJECT_UNAUTHORIZED says by now. The library connects to an IPv6 address with its brackets,
 * which nothing resolves.
 */
function overridesOf({ hostname }: URL): Readonly<Record<string, unknown>> {
  const checked = { rejectUnauthorized: true }
  return hostname.startsWith('[') ? { ...checked, hostname: hostname.slice(1, -1) } : checked
}
