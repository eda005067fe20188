declare global {
  interface AbortSignal {}
}
import { Env } from "cloud-profile-service";
/** The kinds of cloud that a profile can describe. */
declare const cloudEnvironments: readonly ['public', 'usgovernment', 'usgovernmentsecret', 'usgovernmenttopsecret', 'platformstackcloud', 'custom'];
type CloudEnvironment = (typeof cloudEnvironments)[number];
/** The values that a cloud publishes for a service. At least one of suffix, address and audience is present. */
interface CloudService {
  /** What follows the name of a resource in its host name. Starts with ".". */
  readonly dnsSuffix?: string;
  /** The one address of a service that has no named resources. */
  readonly url?: string;
  /** Token audience in the spelling that the service expects, with or without a final "/". */
  readonly audience?: string;
  /** Port of the service. Default is 443. */
  readonly port?: number;
  /** Further hosts of the service: a host equal to one, or below one, belongs to this cloud. */
  readonly otherHosts?: readonly string[];
  /** Whether the service is retired. Its values are recognized only. */
  readonly retired?: boolean;
}
/** Every environment-specific value of one cloud. A field without a value is absent, never `undefined`. */
interface CloudProfile {
  /** Identifier of the profile. Must not be empty. */
  readonly name: string;
  /** Name for people, shown on the page and in logs. Must not be empty. */
  readonly displayName: string;
  /** The kind of cloud. */
  readonly environment: CloudEnvironment;
  /** Login endpoint of the identity provider: an https URL that ends with "/". A federation service ends with "/adfs/". */
  readonly authorityHost: string;
  /** REST endpoint of the resource manager: an http or https URL that ends with "/". */
  readonly resourceManagerEndpoint: string;
  /** Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It need not be the endpoint. */
  readonly resourceManagerAudience: string;
  /** Default tenant: a GUID, a domain name, or "adfs" for a federation service. */
  readonly tenantId?: string;
  /** Address of the portal, for people. */
  readonly portalUrl?: string;
  /** Where the resource manager publishes its metadata document. Leave it out in a cloud that has none. */
  readonly metadataEndpoint?: string;
  /** What follows the name of a resource in its host name. Each starts with ".". */
  readonly serviceDnsSuffixes: {
    /** DNS suffix of storage accounts (blob). */
    readonly storage: string;
    /** DNS suffix of key vaults. */
    readonly keyVault: string;
    /** DNS suffix of SQL servers. */
    readonly sqlServer: string;
    /** DNS suffix of container registries. */
    readonly containerRegistry: string;
  };
  /** Token audiences of the services. Each is an absolute URL that ends with "/". */
  readonly serviceAudiences: {
    /** Usually equal to resourceManagerAudience. */
    readonly arm: string;
    /** Audience of storage accounts; the same in every known cloud. */
    readonly storage: string;
    /** Audience of key vaults; each cloud has its own. */
    readonly keyVault: string;
  };
  /** Deployment notes or warnings. */
  readonly notes?: string;
  /** What applications use beside the fields above, by the name of the service. What serviceDnsSuffixes and serviceAudiences say is not repeated; queue, table, file and dfs derive from a storage suffix that begins with ".blob.". */
  readonly services?: Readonly<Record<string, CloudService>>;
  /** Other names for the values above. */
  readonly aliases?: {
    /** Other addresses of the login authority. */
    readonly authorityHosts?: readonly string[];
    /** Other issuers of its tokens, without the tenant. */
    readonly issuers?: readonly string[];
    /** Other audiences that the resource manager accepts. */
    readonly resourceManagerAudiences?: readonly string[];
  };
  /** What other tools call this cloud, by tool: az, goAutorest, terraform. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** Audience of the tokens that a federated credential of this cloud accepts. */
  readonly federatedAudience?: string;
  /** What this cloud does not have: dotted paths of DNS suffixes and audiences, or names of services. The fields keep a value that ends with ".invalid". */
  readonly absent?: readonly string[];
}
/** A service whose host names a profile can build. */
type DnsService = keyof CloudProfile['serviceDnsSuffixes'];
/** The metadata of a cloud, read from any known shape of the document that its resource manager publishes. */
interface CloudMetadata {
  /** Normalized, with a final slash. The requested endpoint if the document names none. */
  readonly resourceManagerEndpoint: string;
  /** Normalized, with a final slash, always https. May be an alias such as `https://login.windows.net/`. */
  readonly loginEndpoint: string;
  /** Identifiers of the resource manager as the document spells them, with or without a final slash. Never empty. */
  readonly audiences: readonly [string, ...string[]];
  /** As the document says, `common` included. */
  readonly tenant?: string;
  readonly portalEndpoint?: string;
  readonly graphEndpoint?: string;
  readonly galleryEndpoint?: string;
  /** As the document spells them: without a leading dot, storage as `core.<cloud>`. */
  readonly dnsSuffixes?: Readonly<Partial<Record<DnsService, string>>>;
}
interface DiscoverOptions {
  /** Ends the query early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole query, a retry included. Default is 5000. */
  readonly timeoutMs?: number | undefined;
  /** The variables that may name a proxy. */
  readonly env?: Env | undefined;
}
/** Makes the compiler refuse a key that `Options` does not have, in a variable too: `K` is inferred as the keys that are passed. */
type OnlyKnown<K extends PropertyKey, Options> = Options & { readonly [N in K]?: N extends keyof Options ? unknown : never; };
/**
 * The query address of a metadata document. A resource manager endpoint (it ends with `/`) or a bare host gets the path `/metadata/endpoints`; a
 * metadata endpoint keeps its path and query, with `api-version` set. Never has a double slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the endpoint isn't an http or https URL or carries user information.
 */
declare function metadataUrl(endpoint: string): string;
/**
 * Asks a cloud's resource manager what cloud this is: one GET without authentication, without redirects, of at most
 * 1 MiB. A failure is an error, never a default.
 *
 * @param from A resource manager or metadata endpoint; or a profile, whose metadataEndpoint is requested about its
 *   resourceManagerEndpoint.
 * @param options The environment may name a proxy. Default is the environment of the process.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
declare function discoverCloud<K extends PropertyKey = never>(from: CloudProfile | string, options?: OnlyKnown<K, DiscoverOptions>): Promise<CloudMetadata>;
/**
 * The scope of resource manager tokens as a cloud publishes its audience, with or without a final slash. A stack makes its audience up, so
 * only its metadata knows it.
 *
 * @throws {ServiceError} `METADATA_INVALID` for an audience that doesn't belong to the profile's resource manager: a token for it could be
 *   used elsewhere.
 */
declare function discoveredScope(profile: CloudProfile, metadata: CloudMetadata): string;
/**
 * Reads a metadata document of any known version. Makes no request.
 *
 * @param document Parsed JSON: one cloud, or a list of clouds.
 * @param endpoint The resource manager or metadata endpoint that was requested. It selects the entry of a list; a document that describes
 *   only other clouds is refused.
 * @throws {ServiceError} `METADATA_INVALID` that names the field, `METADATA_CLOUD_NOT_LISTED`, or `ARGUMENT_INVALID` for the endpoint.
 */
declare function parseCloudMetadata(document: unknown, endpoint: string): CloudMetadata;
export { type CloudMetadata, type DiscoverOptions, discoverCloud, discoveredScope, metadataUrl, parseCloudMetadata };