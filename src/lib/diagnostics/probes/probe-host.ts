import type { Observation, ProbeContext } from '../../endpoints/endpoint.ts'
import type { FoundCheck } from '../found-check.ts'
import { isPlaceholder } from '../../profile/placeholders.ts'
import { NetworkError } from '../../transport/network-error.ts'
import { longestAnswerMs } from '../../transport/attempt.ts'
import { proxyFor, withScheme, type ProxyVerdict } from '../../transport/proxy-for.ts'
import { checkCertificate } from './check-certificate.ts'
import { openSocket, resolveName, type HostEndpoint } from './connect.ts'
import { hostnameOf, isAddress, isLoopback, portOf } from '../../base/address.ts'
import type { Env } from '../../base/env.ts'
import type { Evidence } from '../../errors.ts'
import { Layers } from './layers.ts'
import { checkTunnel } from './probe-proxy.ts'

/** The results of the layers below HTTP. */
interface HostVerdict {
  readonly checks: readonly FoundCheck[]
  /** Why no further question can reach this host. */
  readonly stopped?: string | undefined
  /** The proxy that requests must take. */
  readonly proxy?: URL | undefined
}

/** Probes each host once for all callers. */
export interface HostProbes {
  /** The verdict on a host; its checks go to the first endpoint that asks, and the others share the outcome. */
  probe(endpoint: HostEndpoint): Promise<HostVerdict>
}

export function createHostProbes(context: ProbeContext): HostProbes {
  const known = new Map<string, Promise<HostVerdict>>()
  return {
    async probe(endpoint) {
      const { origin } = endpoint.url
      const shared = known.get(origin)
      if (shared !== undefined) return { ...(await shared), checks: [] }
      const verdict = probeHost(endpoint, context)
      known.set(origin, verdict)
      return verdict
    },
  }
}

/** Proxy, DNS, TCP and TLS of one host, each on top of the one before. */
async function probeHost(endpoint: HostEndpoint, context: ProbeContext): Promise<HostVerdict> {
  const { id, role, url } = endpoint
  const { env, now = Date.now } = context
  const host = hostnameOf(url)
  if (isPlaceholder(url.href)) return skipPlaceholder(endpoint)

  const layers = new Layers(id)
  const verdict = proxyFor(url, env)
  const proxy = await layers.ask('proxy', async () => {
    const observed = observeProxy(endpoint, verdict, env)
    // Plain http needs no tunnel: its own request shows whether the proxy works.
    if (observed.value !== undefined && url.protocol === 'https:') {
      await checkTunnel(endpoint, observed.value, context, layerSignal(context))
    }
    return observed
  })
  if (proxy !== undefined) {
    for (const name of ['dns', 'tcp', 'tls']) {
      await layers.ask(name, () => ({
        status: 'skip',
        message: `Requests to ${host} go through a proxy, which makes the connection`,
      }))
    }
    return { checks: layers.checks, proxy }
  }

  await layers.ask('dns', async () => {
    if (isAddress(url)) return { status: 'skip', message: `${host} is an address, not a name` }
    const [first = '', ...others] = await resolveName(endpoint, layerSignal(context))
    return { message: `${host} resolves to ${first}${others.length > 0 ? ` and ${others.length} more` : ''}` }
  })
  const socket = await layers.ask('tcp', async () => {
    const value = await openSocket(endpoint, layerSignal(context))
    return { message: `${host} accepts connections on port ${portOf(url)}`, value }
  })
  await layers.ask('tls', async () => {
    if (url.protocol === 'http:') {
      socket?.destroy()
      return observePlainHttp(host)
    }
    // Without a socket the layer before failed, and this question is skipped.
    if (socket === undefined) throw new NetworkError(role, 'UNREACHABLE', `There is no connection to ${host}`)
    return checkCertificate(endpoint, { socket, signal: layerSignal(context), env, now: now() })
  })
  return { checks: layers.checks, stopped: layers.stopped }
}

function observeProxy({ role, url }: HostEndpoint, verdict: ProxyVerdict, env: Env): Observation<URL> {
  const { proxy, exempted, noProxy, ignoredEntries } = verdict
  const host = hostnameOf(url)
  if (exempted !== undefined) return { message: `${noProxy} exempts ${host} from the proxy of ${exempted}` }
  if (proxy === undefined) return { message: `No proxy variable applies to ${host}` }
  if (proxy.url === undefined) {
    throw new NetworkError(role, 'PROXY_FAILED', `${proxy.variable} must be an http or https proxy URL`, {
      evidence: { variable: proxy.variable, host, ...mistakeOf(env[proxy.variable] ?? '') },
    })
  }
  const hint = ignoredEntries.length > 0 ? `; the service ignores entries of ${noProxy} with *, / or :` : ''
  return { message: `${proxy.variable} applies to ${host}${hint}`, value: proxy.url }
}

/** Why a value is no proxy URL, where its correction is known. */
function mistakeOf(value: string): Evidence {
  const proxyToSet = withScheme(value)
  if (proxyToSet !== undefined) return { proxyToSet }
  return /^https?:\/\/.*@/i.test(value.trim()) ? { accountMalformed: 'percent-encoding' } : {}
}

function observePlainHttp(host: string): Observation {
  if (isLoopback(host)) {
    return { status: 'skip', message: 'The endpoint is plain http on this machine' }
  }
  return { status: 'warn', code: 'PLAIN_HTTP', message: `The address of ${host} is plain http, without TLS` }
}

/** A placeholder can never resolve, and a lookup would show the attempt to a public DNS server. */
async function skipPlaceholder({ id, url }: HostEndpoint): Promise<HostVerdict> {
  const layers = new Layers(id)
  const message = `${hostnameOf(url)} is a placeholder: ask the cloud operator for the address`
  await layers.ask('proxy', () => ({ status: 'skip', code: 'PLACEHOLDER_PROFILE', message }))
  for (const name of ['dns', 'tcp', 'tls']) await layers.ask(name, () => ({ status: 'skip', message }))
  return { checks: layers.checks, stopped: 'the host is a placeholder' }
}

/** The end of one layer: its own time, or that of the whole run. */
export function layerSignal({ signal, timeoutMs = longestAnswerMs() }: ProbeContext): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}
