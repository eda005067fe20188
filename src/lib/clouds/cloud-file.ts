/** A service in a cloud file. */
export interface ListedService {
  /** What follows the name of a resource in its host name. Starts with ".". */
  readonly dnsSuffix?: string
  /** The one address of a service that has no named resources. */
  readonly url?: string
  readonly audience?: string
  /** Default is 443. */
  readonly port?: number
  /** Further hosts and suffixes of the service: a host equal to one, or below one, belongs to the cloud. */
  readonly otherHosts?: readonly string[]
  /** Whether the service is retired in every cloud. */
  readonly retired?: boolean
}

/** A cloud: a profile, or the part of one that is published. Its files are in `cloud-profiles`. */
export interface CloudFile {
  readonly name: string
  readonly displayName: string
  readonly environment?: string
  readonly authorityHost?: string
  readonly resourceManagerEndpoint?: string
  readonly resourceManagerAudience?: string
  readonly portalUrl?: string
  readonly metadataEndpoint?: string
  readonly serviceDnsSuffixes?: Readonly<
    Partial<Record<'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry', string>>
  >
  readonly serviceAudiences?: Readonly<Partial<Record<'arm' | 'storage' | 'keyVault', string>>>
  readonly services?: Readonly<Record<string, ListedService>>
  readonly aliases?: {
    /** Other addresses of the login authority. */
    readonly authorityHosts?: readonly string[]
    /** Other issuers of its tokens. */
    readonly issuers?: readonly string[]
    /** Other identifiers that the resource manager accepts as the audience of a token. */
    readonly resourceManagerAudiences?: readonly string[]
  }
  /** What other tools call the cloud, by tool. */
  readonly toolNames?: Readonly<Record<string, string>>
  /** Audience of the tokens that a federated credential accepts. */
  readonly federatedAudience?: string
  readonly notes?: string
}
