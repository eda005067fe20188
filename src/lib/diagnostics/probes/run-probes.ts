import type { FoundCheck } from '../found-check.ts'
import { probeAuthority } from './probe-authority.ts'
import type { ProbeContext } from './probe-context.ts'
import { createHostProbes } from './probe-host.ts'
import { probeMetadata } from './probe-metadata.ts'
import { probeResourceManager } from './probe-resource-manager.ts'
import { probeServices } from './probe-services.ts'

/**
 * Asks every part of the cloud at once, each host once. Always answers, at the latest when the context's signal aborts;
 * what it cut off is a failed check, and what that would have led to is skipped.
 */
export async function runProbes(context: ProbeContext): Promise<readonly FoundCheck[]> {
  const hosts = createHostProbes(context)
  const probes = [probeAuthority, probeResourceManager, probeMetadata, probeServices]
  const groups = await Promise.all(probes.map((probe) => probe(context, hosts)))
  return groups.flat()
}
