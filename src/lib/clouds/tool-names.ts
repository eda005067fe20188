import { equalUrls } from '../base/address.ts'
import type { CloudFile, CloudProfile } from './cloud-profile.ts'
import { equalDnsSuffixes, knownCloudOf, resourceManagerAudiencesOf } from './equal-values.ts'
import { usualStorageAudience } from './known-clouds.ts'
import { includesCloud, ownerOf } from './owner-of.ts'

// Converts values of a profile to the spelling that other tools use.

/** The name by which a tool, a key of `toolNames`, knows the cloud. `undefined` if a value differs, because the tool would replace it. */
export function toolNameOf(profile: CloudProfile, tool: string): string | undefined {
  const known = knownCloudOf(profile)
  return known !== undefined && hasValuesOf(profile, known) ? known.toolNames?.[tool] : undefined
}

function hasValuesOf(profile: CloudProfile, known: CloudFile): boolean {
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences, resourceManagerAudience } = profile
  return (
    [audiences.keyVault, suffixes.keyVault, suffixes.sqlServer, suffixes.containerRegistry].every((value) =>
      includesCloud(ownerOf(value)?.clouds ?? [], known),
    ) &&
    equalDnsSuffixes(suffixes.storage, known.serviceDnsSuffixes?.storage ?? '') &&
    resourceManagerAudiencesOf(known).some((audience) => equalUrls(audience, resourceManagerAudience)) &&
    equalUrls(audiences.storage, usualStorageAudience)
  )
}

/** `vault.azure.net` for `.vault.azure.net`. */
export function withoutDot(suffix: string): string {
  return suffix.replace(/^\./, '')
}

/** Tools write the storage suffix without the blob service: `core.windows.net` for `.blob.core.windows.net`. */
export function storageEndpointSuffix({ serviceDnsSuffixes }: CloudProfile): string {
  return withoutDot(serviceDnsSuffixes.storage).replace(/^blob\./i, '')
}

/** The host and port where tools request metadata. Without a metadata endpoint, they request it from the resource manager. */
export function metadataHostOf({ metadataEndpoint, resourceManagerEndpoint }: CloudProfile): string {
  return new URL(metadataEndpoint ?? resourceManagerEndpoint).host
}
