import type { ConfiguredEndpoint, ProbeContext } from '../../endpoints/endpoint.ts'
import type { FoundCheck } from '../found-check.ts'
import { askHost } from './ask-host.ts'
import { Layers } from './layers.ts'
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

/** The connection to one endpoint, then what its own probe asks. */
export async function probeEndpoint(
  endpoint: ConfiguredEndpoint,
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { id, role } = endpoint
  const host = await hosts.probe(endpoint)
  const layers = new Layers(id, host.stopped)
  const signal = () => layerSignal(context)
  await endpoint.probe({
    endpoint,
    context,
    ask: (name, question) => layers.ask(name, question),
    askAnyway: (name, question) => layers.ask(name, question, true),
    get: (url, { headers = {}, documents } = {}) =>
      askHost({ role, url, headers, proxy: host.proxy, signal: signal(), documents }),
    signal,
  })
  return [...host.checks, ...layers.checks]
}
