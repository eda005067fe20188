/** The kinds of cloud that a profile can describe. */
export const cloudEnvironments = [
  'public',
  'usgovernment',
  'usgovernmentsecret',
  'usgovernmenttopsecret',
  'platformstackcloud',
  'custom',
] as const

export type CloudEnvironment = (typeof cloudEnvironments)[number]

/** The values that a cloud publishes for a service. At least one of suffix, address and audience is present. */
export interface CloudService {
  /** What follows the name of a resource in its host name. Starts with ".". */
  readonly dnsSuffix?: string
  /** The one address of a service that has no named resources. */
  readonly url?: string
  /** Token audience in the spelling that the service expects, with or without a final "/". */
  readonly audience?: string
  /** Port of the service. Default is 443. */
  readonly port?: number
  /** Further hosts of the service: a host equal to one, or below one, belongs to this cloud. */
  readonly otherHosts?: readonly string[]
  /** Whether the service is retired. Its values are recognized only. */
  readonly retired?: boolean
}

/** Every environment-specific value of one cloud. A field without a value is absent, never `undefined`. */
export interface CloudProfile {
  /** Identifier of the profile. Must not be empty. */
  readonly name: string
  /** Name for people, shown on the page and in logs. Must not be empty. */
  readonly displayName: string
  /** The kind of cloud. */
  readonly environment: CloudEnvironment
  /** Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/". */
  readonly authorityHost: string
  /** REST endpoint of the resource manager: an http or https URL that ends with "/". */
  readonly resourceManagerEndpoint: string
  /** Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It need not be the endpoint. */
  readonly resourceManagerAudience: string
  /** Default tenant: a GUID, a domain name, or "adfs" for a federation service. */
  readonly tenantId?: string
  /** Address of the portal, for people. */
  readonly portalUrl?: string
  /** Where the resource manager publishes its metadata document. Leave it out in a cloud that has none. */
  readonly metadataEndpoint?: string
  /** What follows the name of a resource in its host name. Each starts with ".". */
  readonly serviceDnsSuffixes: Readonly<Record<'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry', string>>
  /** Token audiences of the services. Each is an absolute URL that ends with "/". */
  readonly serviceAudiences: Readonly<Record<'arm' | 'storage' | 'keyVault', string>>
  /** What applications use beside the fields above, by the name of the service. What serviceDnsSuffixes and serviceAudiences say is not repeated; queue, table, file and dfs derive from a storage suffix that begins with ".blob.". */
  readonly services?: Readonly<Record<string, CloudService>>
  /** Other names of what the fields above name. */
  readonly aliases?: {
    /** Other addresses of the login authority. */
    readonly authorityHosts?: readonly string[]
    /** Other issuers of its tokens, without the tenant. */
    readonly issuers?: readonly string[]
    /** Other audiences that the resource manager accepts. */
    readonly resourceManagerAudiences?: readonly string[]
  }
  /** What other tools call this cloud, by tool: az, goAutorest, terraform. */
  readonly toolNames?: Readonly<Record<string, string>>
  /** Audience of the tokens that a federated credential of this cloud accepts. */
  readonly federatedAudience?: string
  /** Deployment notes or warnings. */
  readonly notes?: string
}

/** A service whose host names a profile can build. */
export type DnsService = keyof CloudProfile['serviceDnsSuffixes']

/** A cloud: a profile, or the part of one that is published. Its files are in `cloud-profiles`. */
export interface CloudFile extends Partial<
  Omit<CloudProfile, 'environment' | 'serviceDnsSuffixes' | 'serviceAudiences'>
> {
  readonly name: string
  readonly displayName: string
  readonly environment?: string
  readonly serviceDnsSuffixes?: Partial<CloudProfile['serviceDnsSuffixes']>
  readonly serviceAudiences?: Partial<CloudProfile['serviceAudiences']>
}
