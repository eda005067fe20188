import type { CloudService } from '../clouds/services-of.ts'
import type { DnsService } from '../profile/cloud-profile.ts'

/** The metadata of a cloud, read from any known shape of the document that its resource manager publishes. */
export interface CloudMetadata {
  /** Normalized, with a final slash. The requested endpoint if the document names none. */
  readonly resourceManagerEndpoint: string
  /** Normalized, with a final slash, always https. May be an alias such as `https://login.windows.net/`. */
  readonly loginEndpoint: string
  /** Identifiers of the resource manager as the document spells them, with or without a final slash. Never empty. */
  readonly audiences: readonly [string, ...string[]]
  /** As the document says, `common` included. */
  readonly tenant?: string
  readonly portalEndpoint?: string
  readonly graphEndpoint?: string
  readonly galleryEndpoint?: string
  /** As the document spells them: without a leading dot, storage as `core.<cloud>`. */
  readonly dnsSuffixes?: Readonly<Partial<Record<DnsService, string>>>
}

/** Metadata with all that the newer versions add. */
export interface WholeCloudMetadata extends CloudMetadata {
  /** The services that the document names, as a profile stores them. */
  readonly services?: Readonly<Record<string, CloudService>>
}
