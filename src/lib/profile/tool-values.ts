import { usualStorageAudience, type KnownCloud } from '../clouds/known-clouds.ts'
import { equalUrls } from '../base/address.ts'
import type { CloudName } from '../clouds/cloud-service.ts'
import { knownCloudOf } from '../clouds/known-cloud-of.ts'
import { profileServices } from '../clouds/profile-services.ts'
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
export function knownToTools(profile: CloudProfile): KnownCloud | undefined {
  const known = knownCloudOf(profile)
  if (known === undefined) return undefined
  const { serviceDnsSuffixes: suffixes, serviceAudiences: audiences, resourceManagerAudience } = profile
  const hasHost = (id: string, host = '') =>
    profileServices.some((service) => {
      const values = service[known.terraform as CloudName]
      return service.id === id && values !== 'not published' && values.hosts?.includes(host.toLowerCase())
    })
  const isSame =
    known.audiences.some((audience) => equalUrls(audience, resourceManagerAudience)) &&
    equalUrls(audiences.storage, usualStorageAudience) &&
    hasHost('key-vault', URL.parse(audiences.keyVault)?.host) &&
    hasHost('storage', storageEndpointSuffix(profile)) &&
    hasHost('key-vault', withoutDot(suffixes.keyVault)) &&
    hasHost('sql', withoutDot(suffixes.sqlServer)) &&
    hasHost('container-registry', withoutDot(suffixes.containerRegistry))
  return isSame ? known : undefined
}
