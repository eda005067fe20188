import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { Settings } from '../settings/settings.ts'
import { serviceTargets } from './probes/probe-services.ts'
import type { LookedAt } from './probe-matrix.ts'

/** The hosts on a token's way, in its order: what the matrix has a row for. */
export function lookedAt(
  profile: CloudProfile,
  settings: Pick<Settings, 'keyVault' | 'storageAccount'>,
): readonly LookedAt[] {
  const { authorityHost, resourceManagerEndpoint, metadataEndpoint } = profile
  return [
    { id: 'authority', role: 'AUTHORITY', url: new URL(authorityHost) },
    { id: 'resource-manager', role: 'RESOURCE_MANAGER', url: new URL(resourceManagerEndpoint) },
    ...(metadataEndpoint === undefined
      ? []
      : [{ id: 'metadata', role: 'METADATA' as const, url: new URL(metadataEndpoint) }]),
    ...serviceTargets({ profile, ...settings }).map(({ group, role, url }) => ({ id: group, role, url })),
  ]
}
