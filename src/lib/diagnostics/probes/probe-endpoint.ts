import { createHash } from 'node:crypto'
import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { exchange, getRequest } from '../../transport/exchange.ts'
import { checksInOrder } from '../checks.ts'
import type { Check, Endpoint, HostFacts, Observation, ProbeContext } from '../run.ts'
import { skewOf } from './probe-authority.ts'
import type { Evidence } from '../../errors.ts'
import type { Layer } from '../../findings/finding.ts'
import { hostnameOf, isAddress, isLoopback, portOf } from '../../base/address.ts'
import { type Env, readVariable } from '../../base/env.ts'
import { withoutUndefined } from '../../base/json.ts'
import { isPlaceholder } from '../../profile/field-path.ts'
import { certificateFaults, NetworkError, type ProxyError } from '../../transport/network-error.ts'
import { isProxyFile, proxyFor, withScheme } from '../../transport/egress.ts'
import { openTunnel } from '../../transport/proxy-connection.ts'
import { checkCertificate, type HostEndpoint, layerSignal, openSocket, resolveName } from './connect.ts'

/** The result of the layers below HTTP. */
interface HostVerdict {
  readonly checks: readonly Check[]
  /** Why no request can reach this host. */
  readonly stopped?: string | undefined
  /** The proxy that requests must take. */
  readonly proxy?: URL | undefined
}

/** Probes all endpoints concurrently, and each host once. Never rejects. If the signal aborts, current checks fail and later ones are skipped. */
export async function runProbes(context: ProbeContext): Promise<readonly Check[]> {
  const verdicts: Verdicts = new Map()
  const groups = await Promise.all(context.endpoints.map((endpoint) => probeEndpoint(endpoint, context, verdicts)))
  return groups.flat()
}

type Verdicts = Map<string, Promise<HostVerdict>>

/** Checks the connection to an endpoint, then runs its probe. The first endpoint on a host gets the checks of the connection. */
async function probeEndpoint(endpoint: Endpoint, context: ProbeContext, verdicts: Verdicts): Promise<readonly Check[]> {
  const { id, role, url } = endpoint
  const shared = verdicts.get(url.origin)
  const verdict = shared ?? probeHost(endpoint, context)
  verdicts.set(url.origin, verdict)
  const { proxy, stopped, checks: ofHost } = await verdict
  const { check, checks } = checksInOrder(id, stopped)
  let observed: HostFacts = {}
  await endpoint.probe?.({
    endpoint,
    context,
    check,
    async get(at, headers = {}) {
      observed = { ...observed, path: at.pathname }
      const documents = role === 'AUTHORITY' ? context.documents : undefined
      const options = { role, proxy, signal: layerSignal(context), documents }
      const response = await exchange(getRequest(at.href, headers), options)
      observed = { ...observed, ...observedIn(response) }
      return response
    },
  })
  const [first, ...others] = checks
  const own = first ? [{ ...first, observed: { ...first.observed, ...observed } }, ...others] : []
  return [...(shared ? [] : ofHost), ...own]
}

/** The clock of the host, and the digest of an HTML page: several hosts may return the same page of a gateway. */
function observedIn(response: PipelineResponse): HostFacts {
  const text = response.bodyAsText ?? ''
  const isPage = /^\s*<(?!\?xml)/i.test(text)
  const page = isPage ? createHash('sha256').update(text).digest('hex') : undefined
  return withoutUndefined({ skewSeconds: skewOf(response, Date.now()), page })
}

/** Checks proxy, DNS, TCP and TLS of a host, in this order. */
export async function probeHost(endpoint: HostEndpoint, context: ProbeContext): Promise<HostVerdict> {
  const { id, role, url, isPlainTcp = false } = endpoint
  const { env } = context
  const host = hostnameOf(url)
  const { check, checks, stopped } = checksInOrder(id)
  const skip = async (layers: readonly Layer[], message: string, code?: 'PLACEHOLDER_PROFILE') => {
    for (const layer of layers) await check(layer, () => ({ status: 'skip', message, ...(code && { code }) }))
  }
  // A placeholder never resolves, and a lookup would reach a public DNS server.
  if (isPlaceholder(url.href)) {
    const message = `${host} is a placeholder: ask the cloud operator for the address`
    await skip(['proxy'], message, 'PLACEHOLDER_PROFILE')
    await skip(['dns', 'tcp', 'tls'], message)
    return { checks, stopped: 'the host is a placeholder' }
  }
  const proxy = await check('proxy', async () => {
    const observed = observeProxy(endpoint, env)
    // Plain http needs no tunnel. The request of the probe shows whether the proxy works.
    if (observed.value !== undefined && url.protocol === 'https:') await checkTunnel(endpoint, observed.value, context)
    return observed
  })
  if (proxy !== undefined) {
    await skip(['dns', 'tcp', 'tls'], `Requests to ${host} go through a proxy, which makes the connection`)
    return { checks, proxy }
  }
  const addresses = await check('dns', async () => {
    if (isAddress(url)) return { status: 'skip', message: `${host} is an address, not a name` }
    const found = await resolveName(endpoint, layerSignal(context))
    const [first = '', ...others] = found
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return { message: `${host} resolves to ${first}${more}`, value: found, observed: { addresses: found } }
  })
  const socket = await check('tcp', async () => {
    const value = await openSocket(endpoint, layerSignal(context), addresses?.[0])
    return { message: `${host} accepts connections on port ${portOf(url)}`, value }
  })
  await check('tls', async () => {
    // The type allows no socket, but then this check is skipped.
    const isTls = !isPlainTcp && url.protocol === 'https:'
    if (isTls && socket !== undefined) return checkCertificate(endpoint, socket, { signal: layerSignal(context), env })
    socket?.destroy()
    if (isPlainTcp) return { status: 'skip', message: `The protocol at port ${portOf(url)} begins without TLS` }
    const isLocal = role === 'IDENTITY_ENDPOINT' || isLoopback(host)
    if (isLocal) return { status: 'skip', message: 'The endpoint is plain http on this machine' }
    return { status: 'warn', code: 'PLAIN_HTTP', message: `The address of ${host} is plain http, without TLS` }
  })
  return { checks, stopped: stopped() }
}

function observeProxy({ role, url }: HostEndpoint, env: Env): Observation<URL> {
  const { proxy, exempted, noProxy, ignoredEntries } = proxyFor(url, env)
  const host = hostnameOf(url)
  if (exempted !== undefined) return { message: `${noProxy} exempts ${host} from the proxy of ${exempted}` }
  if (proxy === undefined) return { message: `No proxy variable applies to ${host}` }
  const { variable, url: value } = proxy
  if (value === undefined) {
    const evidence = { variable, host, ...mistakeOf(readVariable(env, variable) ?? '') }
    throw new NetworkError(role, 'PROXY_FAILED', `${variable} must be an http or https proxy URL`, { evidence })
  }
  const hint = ignoredEntries.length > 0 ? `; the service ignores entries of ${noProxy} with *, / or :` : ''
  return { message: `${variable} applies to ${host}${hint}`, value }
}

/** Evidence for a fix, if the mistake in a proxy variable is a known one. */
function mistakeOf(value: string): Evidence {
  if (isProxyFile(value)) return { problem: 'configuration file' }
  const proxyToSet = withScheme(value)
  if (proxyToSet !== undefined) return { proxyToSet }
  return /^https?:\/\/.*@/i.test(value.trim()) ? { problem: 'account malformed' } : {}
}

/** Opens a tunnel. If that fails, a handshake may show why the certificate of the proxy is refused, or that an http proxy speaks TLS. */
async function checkTunnel(endpoint: HostEndpoint, proxy: URL, context: ProbeContext): Promise<void> {
  const { role, url } = endpoint
  const options = { signal: layerSignal(context), env: context.env }
  try {
    ;(await openTunnel(proxy, url, options.signal)).destroy()
  } catch (error) {
    const cause = error as ProxyError
    let { message, evidence } = cause
    const isPlain = proxy.protocol === 'http:'
    const mayBeTls = isPlain && evidence.problem === undefined && (evidence.status ?? '400') === '400'
    if (mayBeTls || evidence.problem === 'untrusted') {
      const at = { ...endpoint, url: proxy }
      const handshake = openSocket(at, options.signal).then((socket) => checkCertificate(at, socket, options))
      const refusal = await handshake.then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (refusal !== undefined && !(refusal instanceof NetworkError)) throw refusal
      const isCertificate = refusal === undefined || certificateFaults.has(refusal.fault)
      if (isPlain && isCertificate) {
        message = 'speaks TLS, but its variable has an http URL'
        evidence = { proxy: proxy.host, problem: 'TLS' }
      } else if (refusal !== undefined && isCertificate) {
        message = `is not trusted. ${refusal.message}`
        evidence = { ...refusal.evidence, ...evidence }
      }
    }
    throw new NetworkError(role, 'PROXY_FAILED', `The proxy for ${url.host} ${message}`, { cause, evidence })
  }
}
