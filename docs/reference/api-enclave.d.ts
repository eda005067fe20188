/** The parts of the enclave, each on a separate loopback port. */
type Role = ProfileRole | 'managed-identity' | 'foreign';
/** The roles that a profile names. */
declare const profileRoles: readonly ['login', 'resource-manager', 'vault', 'storage', 'graph', 'registry', 'app-configuration', 'ai'];
type ProfileRole = (typeof profileRoles)[number];
/** Kinds of requests to which a fault can be limited. */
declare const steps: readonly ['login/openid-configuration', 'login/token', 'login/device-code', 'resource-manager/metadata', 'resource-manager/subscriptions'];
type Step = (typeof steps)[number];
/** The kinds of cloud that a profile can describe. */
type CloudEnvironment = 'public' | 'usgovernment' | 'usgovernmentsecret' | 'usgovernmenttopsecret' | 'platformstackcloud' | 'custom';
/** The values that a cloud publishes for a service. At least one of suffix, address and audience is present. */
interface CloudService {
  /** The part of a host name after the name of the resource. Starts with ".". */
  readonly dnsSuffix?: string;
  /** The one address of a service that has no named resources. */
  readonly url?: string;
  /** Token audience in the spelling that the service expects, with or without a final "/". */
  readonly audience?: string;
  /** Id of the service's application, which tokens may name as their audience. */
  readonly applicationId?: string;
  /** Port of the service. Default is 443. */
  readonly port?: number;
  /** Further hosts of the service. These hosts, and all hosts below them, belong to this cloud. */
  readonly otherHosts?: readonly string[];
  /** Whether the service is retired. Its values are then recognized, but not used. */
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
  /** Audience of resource manager tokens: an identifier in the form of an absolute URL that ends with "/". It may differ from the endpoint. */
  readonly resourceManagerAudience: string;
  /** Default tenant: a GUID, a domain name, or "adfs" for a federation service. */
  readonly tenantId?: string;
  /** Address of the portal, for people. */
  readonly portalUrl?: string;
  /** Address of the metadata document of the resource manager. Leave it out if the cloud has none. */
  readonly metadataEndpoint?: string;
  /** The part of a host name after the name of the resource. Each starts with ".". */
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
  /** Further services of the cloud, by name. Do not repeat values of serviceDnsSuffixes and serviceAudiences. If the storage suffix begins with ".blob.", queue, table, file and dfs derive from it. */
  readonly services?: Readonly<Record<string, CloudService>>;
  /** Other names for the values above. */
  readonly aliases?: {
    /** Other addresses of the login authority. */
    readonly authorityHosts?: readonly string[];
    /** Other issuers of the tokens of the login authority, without the tenant. */
    readonly issuers?: readonly string[];
    /** Other audiences that the resource manager accepts. */
    readonly resourceManagerAudiences?: readonly string[];
  };
  /** Name of this cloud in other tools, by tool: az, goAutorest, terraform. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** Audience that a federated token needs in this cloud. */
  readonly federatedAudience?: string;
  /** Hosts that people take for hosts of this cloud, although no cloud has them. */
  readonly guessedHosts?: {
    /** Hosts taken for the login authority. */
    readonly login?: readonly string[];
    /** Hosts taken for the resource manager. */
    readonly resourceManager?: readonly string[];
  };
  /** Values that this cloud does not have: dotted paths of DNS suffixes and audiences, or names of services. These fields keep a value that ends with ".invalid". */
  readonly absent?: readonly string[];
}
interface DeviceCodeTiming {
  /** Seconds. Default is 900. */
  readonly lifetimeSeconds?: number;
  /** Seconds between polls. Default is 1. */
  readonly intervalSeconds?: number;
}
/** The content of the storage account and the key vault at the start. */
interface Seed {
  /** Names of containers of the storage account, in addition to `example`. */
  readonly containers?: readonly string[] | undefined;
  /** Names of queues, which need azurite. */
  readonly queues?: readonly string[] | undefined;
  /** Secrets of the key vault by name, in addition to `example`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Names of RSA keys of the key vault, in addition to `example`. */
  readonly keys?: readonly string[] | undefined;
  /** A folder: `containers/NAME/…` are blobs, `secrets.json` and `settings.json` (App Configuration) are JSON objects of names and texts. */
  readonly seed?: string | undefined;
}
declare const everyRole: readonly ["login", "resource-manager", "vault", "storage", "managed-identity"];
type FaultRole = (typeof everyRole)[number];
/** The target of a fault: a role, or one step of a role. */
type FaultTarget = FaultRole | Step;
/** The words of a text. */
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
type FaultKind = Words<'refused silent-tls untrusted-ca expired-certificate not-yet-valid-certificate wrong-name'> | Words<'self-signed missing-intermediate silent reset status-429 status-500 status-503 not-found'> | Words<'html invalid-json truncated not-utf8 byte-order-mark empty redirect slow-drip huge-body'> | Words<'foreign-issuer foreign-token-endpoint missing-token-endpoint no-expires-in'> | Words<'device-missing-interval replaced-fields replaced-status replaced-claims wrong-audience'> | Words<'audience-without-slash wrong-tenant expired-token short-lived-token opaque-token aadsts'> | Words<'clock-skew rejects-token forbidden firewall foreign-challenge missing-challenge'>;
type JsonObject = Readonly<Record<string, unknown>>;
/** A fault. Each parameter belongs to some kinds, and has a default. */
interface Fault {
  readonly kind: FaultKind;
  /** For `status-429`. Default is 3600. */
  readonly retryAfterSeconds?: number;
  /** For `slow-drip`: milliseconds between two bytes. Default is 50. */
  readonly everyMilliseconds?: number;
  /** For `aadsts`. Default is 90033, a transient error. */
  readonly number?: number;
  /** For `aadsts`. Default is the error of the number. */
  readonly error?: string;
  /** For `aadsts`, where the number has a default, and for `replaced-status`, with the default 401. */
  readonly status?: number;
  /** For `wrong-audience`. Default is an audience that was not requested. */
  readonly audience?: string;
  /** For `replaced-fields`. Default is `{ expires_in: 1e13 }`. `undefined` omits a field. */
  readonly fields?: JsonObject;
  /** For `replaced-status`: sent as JSON. Default is the valid response. */
  readonly body?: unknown;
  /** For `replaced-claims`. Default is `{ exp: 'tomorrow' }`. `undefined` omits a claim. */
  readonly claims?: JsonObject;
  /** For `short-lived-token`, with the default 5, and for `clock-skew`, with the default 3600: added to the clock for Date and tokens. */
  readonly seconds?: number;
}
/** A request without body and headers, because they contain secrets. */
interface RecordedRequest {
  readonly role: Role;
  readonly method: string;
  readonly path: string;
  /** The query string without its question mark. */
  readonly query: string;
  /** Absent until the response is sent. */
  readonly status?: number;
}
/** A fault and its target. Default is the most common target of the fault. */
interface FaultSetting {
  readonly fault: Fault;
  readonly target?: FaultTarget;
}
/** `current` accepts every API version, and `stack` refuses versions that an on-premises stack doesn't have. */
declare const versionSets: readonly ['current', 'stack'];
type VersionSet = (typeof versionSets)[number];
/** Options of a cloud for the tests of an application. */
interface CloudOptions extends Seed {
  /**
   * The cloud to simulate: its identity provider, audiences, suffixes and services. Default is a private cloud. With `cloud`,
   * `federationService` has no effect, because the path of `authorityHost` decides.
   */
  readonly cloud?: CloudProfile | undefined;
  /** Default is a random GUID. Has no effect with a federation service: its tenant is `adfs`. */
  readonly tenantId?: string | undefined;
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined;
  /** A further secret of the application. The random one in `environment` is valid too. */
  readonly clientSecret?: string | undefined;
  /** The login authority is a federation service (AD FS), as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined;
  /** API versions of the services. Default is `stack` if `cloud` is a stack, else `current`, which accepts every version. */
  readonly versions?: VersionSet | undefined;
  /**
   * Whether to accept the resource manager endpoint and `https://storage.azure.com/` as audiences, and to return a normalized scope. Default is
   * false, because not every real cloud accepts them, and a client may compare the returned scope with the requested scope.
   */
  readonly lenient?: boolean | undefined;
  /**
   * Serves blobs, queues and tables with azurite, after the enclave has checked token, audience and version. `true` starts an installed azurite.
   * `http://127.0.0.1:10000` is the blob service of a running one; its queues and tables have the next two ports. Default is the block blobs of
   * the enclave.
   */
  readonly azurite?: string | true | undefined;
  /** Names of a storage account and a vault for the lists of the resource manager. Default is none; the services respond to every name. */
  readonly resources?: {
    readonly storage?: string | undefined;
    readonly vault?: string | undefined;
  } | undefined;
  /**
   * What to request in place of a resource or scope that the cloud does not know. Added to the text of AADSTS500011 and AADSTS70011. Default
   * is the audience of the cloud with the same first label.
   */
  readonly adviceOn?: ((resource: string) => string | undefined) | undefined;
  /** Faults from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[] | undefined;
  /** Lifetime of access tokens in seconds. Default is 3600. Clients don't cache a token with less than 300. */
  readonly tokenLifetimeSeconds?: number | undefined;
  readonly deviceCode?: DeviceCodeTiming | undefined;
}
type Settings = Readonly<Record<string, string>>;
/** The values of AUTH_MODE. The enclave has settings for each. */
type EnclaveAuthMode = Words<'managedIdentity workloadIdentity platformCli deviceCode'> | Words<'clientSecret clientCertificate usernamePassword default'>;
/** How tests observe and change the enclave. */
interface EnclaveControls {
  /** Every request that arrived, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  readonly waitForRequest: (predicate: (request: RecordedRequest) => boolean) => Promise<RecordedRequest>;
  /**
   * Sets a fault, or clears faults with `undefined`. Resolves when the change applies to the next connection.
   *
   * @param target Default is the most common target of the fault, or for `undefined` every target.
   */
  readonly setFault: (fault: Fault | undefined, target?: FaultTarget) => Promise<void>;
  /** Signs in as a person would. Throws if no sign-in with this code is pending. */
  readonly approveDeviceCode: (userCode: string) => void;
  readonly declineDeviceCode: (userCode: string) => void;
  readonly expireDeviceCode: (userCode: string) => void;
}
interface EnclaveOptions extends CloudOptions {
  /** The mode of `environment`. Default is `clientSecret`. */
  readonly mode?: EnclaveAuthMode | undefined;
  /**
   * Whether TLS clients of this process trust the enclave until it is closed. Default is true, which needs Node 22.19 or 24.5. On an older
   * Node, run the tests in a child process with the variables of `environment`.
   */
  readonly trust?: boolean | undefined;
}
declare global {
  /** For an application that compiles with an older TypeScript library. The types of Node declare it in the same way. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}
/** A running sovereign cloud on loopback. */
interface Enclave extends EnclaveControls {
  readonly profile: CloudProfile;
  /** The variables that the library or a child process needs to use the enclave, among them NODE_EXTRA_CA_CERTS. */
  readonly environment: Settings;
  /** The variables for another mode. */
  environmentFor(mode: EnclaveAuthMode): Settings;
  /** Loopback addresses of the storage account and the key vault. */
  readonly storageUrl: string;
  readonly keyVaultUrl: string;
  /** Closes every port and connection, and removes the files of the enclave. */
  close(): Promise<void>;
  /** The same as {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
/**
 * Starts a sovereign cloud on free ports of loopback, for the tests of applications. `cloud-profile enclave` runs the same cloud.
 *
 * @throws {Error} if `trust` needs a newer Node, or if a mode, a fault or a target does not exist.
 */
declare function startEnclave({ mode, trust, ...options }?: EnclaveOptions): Promise<Enclave>;
export { Enclave, type EnclaveAuthMode, EnclaveOptions, type Fault as FaultChoice, type FaultTarget, type RecordedRequest, startEnclave };