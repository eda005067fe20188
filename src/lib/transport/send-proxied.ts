import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Readable } from 'node:stream'
import {
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import debug from 'debug'
import type { NetworkRole } from '../errors.ts'
import { hostnameOf } from '../base/address.ts'
import type { Env } from '../base/env.ts'
import { trustOptions } from './certificate-authorities.ts'
import { connectionOptions } from './connection-options.ts'
import { NetworkError } from './network-error.ts'
import { proxyFor } from './proxy-for.ts'
import { proxyAddress, proxyAuthorization, toProxyError, toRefusal, Tunnel } from './tunnel.ts'

// If DEBUG is set, the library's proxy agents print the address of the proxy with its password.
debug.log = () => {}

/** Sends through the proxy that `proxyFor` chooses. The proxy settings of a request are ignored. */
export interface ProxiedClient {
  /** The proxy of a host. @throws {NetworkError} `…_PROXY_FAILED` when its variable holds no proxy URL. */
  proxyOf(url: URL, role: NetworkRole): URL | undefined
  send: (request: PipelineRequest, route: Route) => ReturnType<HttpClient['sendRequest']>
}

interface Route {
  readonly role: NetworkRole
  readonly proxy: URL | undefined
}

/** Milliseconds after which an idle connection is closed. */
const idleTimeoutMs = 15_000

/** @param proxies The variables that name proxies, as `readProxies` picks them. */
export function createProxiedClient(inner: HttpClient, proxies: Env): ProxiedClient {
  return {
    proxyOf(url, role) {
      // The identity endpoint is link-local: a proxy would only capture its secret header.
      const proxy = role === 'IDENTITY_ENDPOINT' ? undefined : proxyFor(url, proxies).proxy
      if (proxy === undefined || proxy.url !== undefined) return proxy?.url
      throw new NetworkError(
        role,
        'PROXY_FAILED',
        `${proxy.variable} must be an http or https proxy URL, so ${url.host} cannot be reached`,
      )
    },
    async send({ agent: _agent, proxySettings: _settings, ...given }, { role, proxy }) {
      const url = new URL(given.url)
      const request = { ...given, requestOverrides: overridesOf(url, role) }
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

/** A request without TLS needs no tunnel: the proxy gets the whole URL (RFC 9112, section 3.2.2). */
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
    const response = await inner.sendRequest({ ...request, url: origin, headers, agent, requestOverrides })
    if (response.status === 407) throw refuse(response, proxy)
    return response
  } catch (error) {
    throw toProxyError(error, proxy)
  }
}

function refuse({ status, headers, readableStreamBody }: PipelineResponse, proxy: URL): Error {
  // Of Node, so that it can be destroyed.
  ;(readableStreamBody as Readable | undefined)?.destroy()
  return toRefusal(proxy, status, headers.get('proxy-authenticate'))
}

/** Idle connections to one host that are kept. */
const maxFreeSockets = 8

/** They belong to the process: those of a credential would keep a connection for each credential that was dropped. */
const agents = new Map<string, Agent>()

/** If NODE_USE_ENV_PROXY is set, Node's global agents use the proxy of the environment, on loopback too. These agents do not. */
function agentOf({ url, disableKeepAlive }: PipelineRequest): Agent {
  const { protocol } = new URL(url)
  const keepAlive = disableKeepAlive !== true
  const key = `${protocol} ${keepAlive}`
  const options = { keepAlive, maxFreeSockets, timeout: idleTimeoutMs }
  const agent = agents.get(key) ?? new (protocol === 'https:' ? SecureAgent : Agent)(options)
  agents.set(key, agent)
  return agent
}

/**
 * Certificates are checked even if NODE_TLS_REJECT_UNAUTHORIZED=0 was set after the start. The library keeps the brackets of an IPv6
 * address, which no resolver accepts.
 */
function overridesOf(url: URL, role: NetworkRole): Readonly<Record<string, unknown>> {
  return { rejectUnauthorized: true, hostname: hostnameOf(url), ...trustOptions(), ...connectionOptions(role) }
}
