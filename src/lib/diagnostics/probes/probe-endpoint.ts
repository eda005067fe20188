import { createHash } from 'node:crypto'
import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { exchange, type ExchangeOptions } from '../../transport/exchange.ts'
import { type FoundCheck, Layers, type Seen } from '../checks.ts'
import type { ConfiguredEndpoint, ProbeContext } from '../endpoint.ts'
import { skewOf } from './probe-authority.ts'
import { createHostProbes, layerSignal, type HostProbes } from './probe-host.ts'

/**
 * Probes every endpoint at once, each host once. Always answers, at the latest when the context's signal aborts;
 * what it cut off is a failed check, and what that would have led to is skipped.
 */
export async function runProbes(context: ProbeContext): Promise<readonly FoundCheck[]> {
  const hosts = createHostProbes(context)
  const groups = await Promise.all(context.endpoints.map((endpoint) => probeEndpoint(endpoint, context, hosts)))
  return groups.flat()
}

/** The connection to one endpoint, then its own probe. */
export async function probeEndpoint(
  endpoint: ConfiguredEndpoint,
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { id, role } = endpoint
  const host = await hosts.probe(endpoint)
  const layers = new Layers(id, host.stopped)
  const signal = () => layerSignal(context)
  let seen: Seen = {}
  await endpoint.probe({
    endpoint,
    context,
    layers,
    async get(url, { headers = {}, documents } = {}) {
      const response = await requestHost({ role, url, headers, proxy: host.proxy, signal: signal(), documents })
      seen = { ...seen, ...seenIn(response, url, context) }
      return response
    },
    signal,
  })
  const [first, ...others] = layers.checks
  return [...host.checks, ...(first === undefined ? [] : [{ ...first, seen: { ...first.seen, ...seen } }]), ...others]
}

/** What a response says of the clock of its host, and whether it is a page that several hosts may share. */
function seenIn(response: PipelineResponse, url: URL, { now = Date.now }: ProbeContext): Seen {
  const skewSeconds = skewOf(response, now())
  const text = response.bodyAsText ?? ''
  const isPage = /^\s*<(?!\?xml)/i.test(text)
  return {
    path: url.pathname,
    ...(skewSeconds === undefined ? {} : { skewSeconds }),
    ...(isPage ? { page: createHash('sha256').update(text).digest('hex') } : {}),
  }
}

interface HostRequest extends Pick<ExchangeOptions, 'role' | 'proxy' | 'signal' | 'documents'> {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One GET without credentials, on a new connection, never repeated or redirected. Any status is a result: unlike the client of credentials,
 * a probe reports an unexpected status.
 *
 * @throws {NetworkError} if there is no response, or the proxy responded instead.
 */
async function requestHost({ url, headers = {}, ...options }: HostRequest): Promise<PipelineResponse> {
  const request = createPipelineRequest({
    url: url.href,
    headers: createHttpHeaders({ accept: 'application/json', ...headers }),
    allowInsecureConnection: url.protocol === 'http:',
    disableKeepAlive: true,
  })
  try {
    return await exchange(request, options)
  } catch (error) {
    throw Object.assign(error as Error, { seen: { path: url.pathname } })
  }
}
