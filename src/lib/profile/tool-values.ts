import { equalUrls } from '../base/address.ts'
import type { CloudFile } from '../clouds/cloud-file.ts'
import { usualStorageAudience } from '../clouds/known-clouds.ts'
import { equalStorageSuffixes, knownCloudOf, resourceManagerAudiencesOf } from '../clouds/equal-values.ts'
import { ownerOf } from '../clouds/owner-of.ts'
import type { CloudProfile } from './cloud-profile.ts'

/**
 * The address of the directory graph for a profile without one. The service is retired, but `az` and the providers of Terraform require an
 * address. The domain is reserved, so a client that uses it reaches no host.
 */
export const unknownGraph = 'https://graph.placeholder.invalid/'

/** Tools that append `/.default` to an audience, or a path to an endpoint, must get it without its final slash. */
export function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** `vault.azure.net` for `.vault.azure.net`. */
export function withoutDot(suffix: string): string {
  return suffix.replace(/^\./, '')
}

/** Tools write the storage suffix without the blob service: `core.windows.net` for `.blob.core.windows.net`. */
export function storageEndpointSuffix({ serviceDnsSuffixes }: CloudProfile): string {
  return withoutDot(serviceDnsSuffixes.storage).replace(/^blob\./i, '')
}

/** Host and port where tools ask for metadata: of the metadata endpoint, or else of the resource manager. */
export function metadataHostOf({ metadataEndpoint, resourceManagerEndpoint }: CloudProfile): string {
  return new URL(metadataEndpoint ?? resourceManagerEndpoint).host
}

/**
 * The known cloud whose name is enough to configure a tool for this profile. `undefined` for a profile with the addresses of a known cloud
 * and other suffixes or audiences, because the name would replace those.
 */
function knownToTools(profile: CloudProfile): CloudFile | undefined {
  const known = knownCloudOf(profile)
  if (known === undefined) return undefined
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences, resourceManagerAudience } = profile
  const ownsAll = [audiences.keyVault, suffixes.keyVault, suffixes.sqlServer, suffixes.containerRegistry].every(
    (value) => ownerOf(value)?.clouds.includes(known) === true,
  )
  const isSame =
    ownsAll &&
    equalStorageSuffixes(suffixes.storage, known.serviceDnsSuffixes?.storage ?? '') &&
    resourceManagerAudiencesOf(known).some((audience) => equalUrls(audience, resourceManagerAudience)) &&
    equalUrls(audiences.storage, usualStorageAudience)
  return isSame ? known : undefined
}

/** The name of the cloud of a profile in a tool, if it is enough to configure the tool. @param tool A key of `toolNames`. */
export function toolNameOf(profile: CloudProfile, tool: string): string | undefined {
  return knownToTools(profile)?.toolNames?.[tool]
}
