import type { CloudProfile } from './cloud-profile.ts'

/**
 * The directory graph where a profile has none: it is retired, but `az` and the providers of Terraform insist on an address. The domain is
 * reserved, so that a client that uses it reaches no host.
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
