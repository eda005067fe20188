import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { proxyPolicy, type HttpClient, type PipelinePolicy, type PipelineRequest } from '@azure/core-rest-pipeline'
import debug from 'debug'
import type { NetworkRole } from '../errors.ts'
import type { Env } from '../profile/overrides.ts'
import { NetworkError } from './network-error.ts'
import { proxyFor } from './proxy-for.ts'

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
  const policies = new Map<string, PipelinePolicy>()
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
    send({ agent: _agent, proxySettings: _settings, ...given }, proxy) {
      const request = { ...given, requestOverrides: overridesOf(new URL(given.url)) }
      if (proxy === undefined) return inner.sendRequest({ ...request, agent: agentOf(request) })
      const policy = policies.get(proxy.href) ?? proxyPolicy(settingsOf(proxy), { customNoProxyList: [] })
      policies.set(proxy.href, policy)
      return policy.sendRequest(request, (each) => inner.sendRequest(each))
    },
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

function settingsOf({ protocol, hostname, port, username, password }: URL) {
  const defaultPort = protocol === 'https:' ? 443 : 80
  return { host: `${protocol}//${hostname}`, port: port === '' ? defaultPort : Number(port), username, password }
}
