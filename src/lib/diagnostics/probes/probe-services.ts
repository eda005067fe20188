import { serviceUrl } from '../../profile/endpoints.ts'
import type { FoundCheck } from '../found-check.ts'
import { probeChallenge, type ChallengeTarget } from './probe-challenge.ts'
import type { ProbeContext } from './probe-context.ts'
import { createHostProbes, type HostProbes } from './probe-host.ts'

/** The key vault and the storage account that are configured: their hosts, and the audience each expects. */
export async function probeServices(
  context: ProbeContext,
  hosts: HostProbes = createHostProbes(context),
): Promise<readonly FoundCheck[]> {
  const checks = await Promise.all(serviceTargets(context).map((target) => probeChallenge(target, context, hosts)))
  return checks.flat()
}

/** The accounts that are configured. */
export interface ServiceNames {
  readonly keyVault?: string | undefined
  readonly storageAccount?: string | undefined
}

/** What the configured accounts are asked. */
export function serviceTargets({
  profile,
  keyVault,
  storageAccount,
}: Pick<ProbeContext, 'profile'> & ServiceNames): ChallengeTarget[] {
  const targets: ChallengeTarget[] = []
  if (keyVault !== undefined) {
    targets.push({
      group: 'key-vault',
      role: 'SERVICE',
      url: new URL('secrets?api-version=7.4', serviceUrl(profile, 'keyVault', keyVault)),
      audiences: [profile.serviceAudiences.keyVault],
      setting: 'serviceAudiences.keyVault (PLATFORM_KEYVAULT_AUDIENCE)',
    })
  }
  if (storageAccount !== undefined) {
    targets.push({
      group: 'storage',
      role: 'SERVICE',
      url: new URL('?comp=list', serviceUrl(profile, 'storage', storageAccount)),
      // Without a version of 2019-12-12 or later, storage sends no challenge.
      headers: { 'x-ms-version': '2021-12-02' },
      audiences: [profile.serviceAudiences.storage],
      setting: 'serviceAudiences.storage (PLATFORM_STORAGE_AUDIENCE)',
    })
  }
  return targets
}
