import { resourceManagerUrl } from '../../profile/endpoints.ts'
import type { FoundCheck } from '../found-check.ts'
import { probeChallenge } from './probe-challenge.ts'
import type { ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

/** The resource manager: its host, and the authority and audience it expects. */
export async function probeResourceManager(
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const { profile } = context
  return probeChallenge(
    {
      group: 'resource-manager',
      role: 'RESOURCE_MANAGER',
      url: new URL(resourceManagerUrl(profile, 'subscriptions?api-version=2022-12-01')),
      audiences: [...new Set([profile.resourceManagerAudience, profile.serviceAudiences.arm])],
    },
    context,
    hosts,
  )
}
