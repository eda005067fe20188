import { readVariable } from '../../base/env.ts'
import { createHash } from 'node:crypto'
import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { exchange } from '../../transport/exchange.ts'
import { Layers } from '../checks.ts'
import type { Check, Endpoint, HostFacts, Observation, ProbeContext } from '../run.ts'
import { skewOf } from './probe-authority.ts'
import type { Evidence } from '../../errors.ts'
import type { Layer } from '../../findings/finding.ts'
import { hostnameOf, isAddress, isLoopback, portOf } from '../../base/address.ts'
import type { Env } from '../../base/env.ts'
import { withoutUndefined } from '../../base/json.ts'
import { isPlaceholder } from '../../profile/field-path.ts'
import { certificateFaults, NetworkError, type ProxyError } from '../../transport/network-error.ts'
import { isProxyFile, proxyFor, withScheme, type ProxyVerdict } from '../../transport/egress.ts'
import { responseTimeoutMs } from '../../transport/attempt.ts'
import { openTunnel } from '../../transport/proxy-connection.ts'
import { checkCertificate, openSocket, resolveName, type HostEndpoint } from './connect.ts'

/** The result of the layers below HTTP. */
interface HostVerdict {
  readonly checks: readonly Check[]
  /** Why no request can reach this host. */
  readonly stopped?: string | undefined
  /** The proxy that requests must take. */
  readonly proxy?: URL | undefined
}

/** The results by origin. */
type HostVerdicts = Map<string, Promise<HostVerdict>>

/**
 * Probes all endpoints concurrently, and each host once. The lookup of the login authority goes first, and the token shares it. Never rejects. If the signal of the context aborts, the current checks fail and
 * the later ones are skipped.
 */
export async function runProbes(context: ProbeContext): Promise<readonly Check[]> {
  const verdicts: HostVerdicts = new Map()
  const groups = await Promise.all(context.endpoints.map((endpoint) => probeEndpoint(endpoint, context, verdicts)))
  return groups.flat()
}

/** Checks the connection to an endpoint, then runs its probe. */
export async function probeEndpoint(
  endpoint: Endpoint,
  context: ProbeContext,
  verdicts?: HostVerdicts,
): Promise<readonly Check[]> {
  const { id, role } = endpoint
  const { proxy, stopped, checks } = await probeHost(endpoint, context, verdicts)
  const layers = new Layers(id, stopped)
  const signal = () => layerSignal(context)
  let observed: HostFacts = {}
  await endpoint.probe?.({
    endpoint,
    context,
    check: (...given) => layers.check(...given),
    async get(url, { headers = {}, documents } = {}) {
      observed = { ...observed, path: url.pathname }
      const request = createPipelineRequest({
        url: url.href,
        headers: createHttpHeaders({ accept: 'application/json', ...headers }),
        allowInsecureConnection: url.protocol === 'http:',
        disableKeepAlive: true,
      })
      const response = await exchange(request, { role, proxy, signal: signal(), documents })
      observed = { ...observed, ...observedIn(response, context) }
      return response
    },
    signal,
  })
  const [first, ...others] = layers.checks
  return [...checks, ...(first ? [{ ...first, observed: { ...first.observed, ...observed } }] : []), ...others]
}

/** The clock of the host, and the digest of an HTML page: several hosts may return the same page of a gateway. */
function observedIn(response: PipelineResponse, { now = Date.now }: ProbeContext): HostFacts {
  const text = response.bodyAsText ?? ''
  const isPage = /^\s*<(?!\?xml)/i.test(text)
  const page = isPage ? createHash('sha256').update(text).digest('hex') : undefined
  return withoutUndefined({ skewSeconds: skewOf(response, now()), page })
}

/** Checks a host once. The first endpoint on the host gets the checks; the others share only the outcome. */
export async function probeHost(
  endpoint: HostEndpoint,
  context: ProbeContext,
  verdicts: HostVerdicts = new Map(),
): Promise<HostVerdict> {
  const { origin } = endpoint.url
  const shared = verdicts.get(origin)
  if (shared !== undefined) return { ...(await shared), checks: [] }
  const verdict = checkLayers(endpoint, context)
  verdicts.set(origin, verdict)
  return verdict
}

/** Checks proxy, DNS, TCP and TLS of a host, in this order. */
async function checkLayers(endpoint: HostEndpoint, context: ProbeContext): Promise<HostVerdict> {
  const { id, role, url } = endpoint
  const { env, now = Date.now } = context
  const host = hostnameOf(url)
  const layers = new Layers(id)
  const skip = async (...given: readonly (readonly [Layer, Omit<Observation, 'status'>])[]) => {
    for (const [layer, reason] of given) await layers.reach(layer, () => ({ status: 'skip', ...reason }))
  }
  // A placeholder never resolves, and a lookup would reach a public DNS server.
  if (isPlaceholder(url.href)) {
    const reason = { message: `${host} is a placeholder: ask the cloud operator for the address` }
    await skip(['proxy', { code: 'PLACEHOLDER_PROFILE', ...reason }], ['dns', reason], ['tcp', reason], ['tls', reason])
    return { checks: layers.checks, stopped: 'the host is a placeholder' }
  }
  const verdict = proxyFor(url, env)
  const proxy = await layers.reach('proxy', async () => {
    const observed = observeProxy(endpoint, verdict, env)
    // Plain http needs no tunnel. The request of the probe shows whether the proxy works.
    if (observed.value !== undefined && url.protocol === 'https:')
      await checkTunnel(endpoint, observed.value, context, layerSignal(context))
    return observed
  })
  if (proxy !== undefined) {
    const reason = { message: `Requests to ${host} go through a proxy, which makes the connection` }
    await skip(['dns', reason], ['tcp', reason], ['tls', reason])
    return { checks: layers.checks, proxy }
  }

  const addresses = await layers.reach('dns', async () => {
    if (isAddress(url)) return { status: 'skip', message: `${host} is an address, not a name` }
    const found = await resolveName(endpoint, layerSignal(context))
    const [first = '', ...others] = found
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return { message: `${host} resolves to ${first}${more}`, value: found, observed: { addresses: found } }
  })
  const socket = await layers.reach('tcp', async () => {
    const value = await openSocket(endpoint, layerSignal(context), addresses)
    return { message: `${host} accepts connections on port ${portOf(url)}`, value }
  })
  await layers.reach('tls', async () => {
    if (endpoint.isPlainTcp === true || url.protocol === 'http:') socket?.destroy()
    if (endpoint.isPlainTcp === true)
      return { status: 'skip', message: `The protocol at port ${portOf(url)} begins without TLS` }
    if (url.protocol === 'http:') {
      const isLocal = role === 'IDENTITY_ENDPOINT' || isLoopback(host)
      if (isLocal) return { status: 'skip', message: 'The endpoint is plain http on this machine' }
      return { status: 'warn', code: 'PLAIN_HTTP', message: `The address of ${host} is plain http, without TLS` }
    }
    // Only for the type: without a socket, the check before failed and this one is skipped.
    if (socket === undefined) throw new NetworkError(role, 'UNREACHABLE', `There is no connection to ${host}`)
    return checkCertificate(endpoint, socket, { signal: layerSignal(context), env, now: now() })
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
      evidence: { variable: proxy.variable, host, ...mistakeOf(readVariable(env, proxy.variable) ?? '') },
    })
  }
  const hint = ignoredEntries.length > 0 ? `; the service ignores entries of ${noProxy} with *, / or :` : ''
  return { message: `${proxy.variable} applies to ${host}${hint}`, value: proxy.url }
}

/** Evidence for a fix, if the mistake in a proxy variable is a known one. */
function mistakeOf(value: string): Evidence {
  if (isProxyFile(value)) return { problem: 'configuration file' }
  const proxyToSet = withScheme(value)
  if (proxyToSet !== undefined) return { proxyToSet }
  return /^https?:\/\/.*@/i.test(value.trim()) ? { problem: 'account malformed' } : {}
}

/** Aborts at the deadline of a layer or of the whole run. */
function layerSignal({ signal, timeoutMs = responseTimeoutMs() }: ProbeContext): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

/**
 * Opens and closes a connection to a host through the proxy.
 *
 * @throws {NetworkError} `…_PROXY_FAILED`, with the evidence for its fix.
 */
async function checkTunnel(
  endpoint: HostEndpoint,
  proxy: URL,
  context: ProbeContext,
  signal: AbortSignal,
): Promise<void> {
  try {
    ;(await openTunnel(proxy, endpoint.url, signal)).destroy()
  } catch (error) {
    const failure = error as ProxyError
    const { message, evidence } = await explain(failure, { ...endpoint, url: proxy }, context, signal)
    throw new NetworkError(endpoint.role, 'PROXY_FAILED', `The proxy for ${endpoint.url.host} ${message}`, {
      cause: failure,
      evidence,
    })
  }
}

/** Makes a handshake with the proxy, which shows why its certificate is refused, or that an http proxy speaks TLS. */
async function explain(
  { message, evidence }: ProxyError,
  proxy: HostEndpoint,
  { env, now = Date.now }: ProbeContext,
  signal: AbortSignal,
): Promise<Pick<ProxyError, 'message' | 'evidence'>> {
  const plain = proxy.url.protocol === 'http:'
  const mayBeTls = plain && evidence.problem === undefined && (evidence.status ?? '400') === '400'
  if (!mayBeTls && evidence.problem !== 'untrusted') return { message, evidence }
  try {
    const socket = await openSocket(proxy, signal)
    await checkCertificate(proxy, socket, { signal, env, now: now() })
  } catch (failure) {
    if (!(failure instanceof NetworkError)) throw failure
    if (!certificateFaults.has(failure.fault)) return { message, evidence }
    if (!plain) return { message: `is not trusted. ${failure.message}`, evidence: { ...failure.evidence, ...evidence } }
  }
  if (!plain) return { message, evidence }
  return {
    message: 'speaks TLS, but its variable has an http URL',
    evidence: { proxy: proxy.url.host, problem: 'TLS' },
  }
}
