/** The parts of the enclave, each on its own loopback port. The profile does not name `foreign`. */
type Role = 'login' | 'resource-manager' | 'vault' | 'storage' | 'graph' | 'registry' | 'app-configuration' | 'ai' | 'managed-identity' | 'foreign';
/** The kinds of requests that a fault can be limited to. */
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
  /** Values that this cloud does not have: dotted paths of DNS suffixes and audiences, or names of services. These fields keep a value that ends with ".invalid". */
  readonly absent?: readonly string[];
}
interface DeviceCodeTiming {
  /** Seconds. Default is 900. */
  readonly lifetimeSeconds?: number;
  /** Between two polls, in seconds. Default is 1. */
  readonly intervalSeconds?: number;
}
declare const everyRole: readonly ["login", "resource-manager", "vault", "storage", "managed-identity"];
/** The roles a fault can be set on. */
type FaultRole = (typeof everyRole)[number];
/** Where a fault applies: a whole role, or one step of it. */
type FaultTarget = FaultRole | Step;
/** The kinds of fault. Listed, because types derived from the table would bring its functions along. */
type FaultKind = 'refused' | 'silent-tls' | 'untrusted-ca' | 'expired-certificate' | 'not-yet-valid-certificate' | 'wrong-name' | 'self-signed' | 'missing-intermediate' | 'silent' | 'reset' | 'status-429' | 'status-500' | 'status-503' | 'not-found' | 'html' | 'invalid-json' | 'truncated' | 'not-utf8' | 'byte-order-mark' | 'empty' | 'redirect' | 'slow-drip' | 'huge-body' | 'foreign-issuer' | 'foreign-token-endpoint' | 'missing-token-endpoint' | 'no-expires-in' | 'device-missing-interval' | 'replaced-fields' | 'replaced-status' | 'replaced-claims' | 'wrong-audience' | 'audience-without-slash' | 'wrong-tenant' | 'expired-token' | 'short-lived-token' | 'opaque-token' | 'aadsts' | 'clock-skew' | 'rejects-token' | 'forbidden' | 'firewall' | 'foreign-challenge' | 'missing-challenge';
/** One fault, discriminated by `kind`. */
type Fault = { [K in FaultKind]: {
  readonly kind: K;
} & (K extends keyof FaultParameters ? FaultParameters[K] : unknown); }[FaultKind];
type ParameterName = { [K in keyof FaultParameters]: keyof FaultParameters[K]; }[keyof FaultParameters];
/** A fault, or a kind that is known only when the program runs, without parameters. */
type FaultChoice = Fault | ({
  readonly kind: FaultKind;
} & { readonly [P in ParameterName]?: never; });
type JsonObject = Readonly<Record<string, unknown>>;
/** Parameters of faults. Each has a default, so that a kind is a complete fault. */
interface FaultParameters {
  /** Seconds. Default is 3600. */
  'status-429': {
    readonly retryAfterSeconds?: number;
  };
  /** Milliseconds between two bytes. Default is 50. */
  'slow-drip': {
    readonly everyMilliseconds?: number;
  };
  /** `number` defaults to 90033, a transient error; `error` and `status` to the values of a known number. */
  aadsts: {
    readonly number?: number;
    readonly error?: string;
    readonly status?: number;
  };
  /** Default is an audience that was not requested. */
  'wrong-audience': {
    readonly audience?: string;
  };
  /** Default is `{ expires_in: 1e13 }`. `undefined` omits a field. */
  'replaced-fields': {
    readonly fields?: JsonObject;
  };
  /** `status` defaults to 401, `body` (sent as JSON) to the good response. */
  'replaced-status': {
    readonly status?: number;
    readonly body?: unknown;
  };
  /** Default is `{ exp: 'tomorrow' }`. `undefined` omits a claim. */
  'replaced-claims': {
    readonly claims?: JsonObject;
  };
  /** Default is 5. */
  'short-lived-token': {
    readonly seconds?: number;
  };
  /** Added to the enclave's time: Date header, tokens, and its own checks of them. Default is 3600. */
  'clock-skew': {
    readonly seconds?: number;
  };
}
/** A fault and where to set it. Without a target: the first one of the fault's row in `faultTable`. */
interface FaultSetting {
  readonly fault: FaultChoice;
  readonly target?: FaultTarget;
}
/** Sets of interface versions: a hyperscale cloud accepts every version, an on-premises stack refuses newer ones. */
declare const versionSets: readonly ['current', 'stack'];
type VersionSet = (typeof versionSets)[number];
/** What storage account and key vault contain when the enclave starts. */
interface Seed {
  /** Names of containers of the storage account, in addition to `example`. */
  readonly containers?: readonly string[] | undefined;
  /** Names of queues. They need azurite. */
  readonly queues?: readonly string[] | undefined;
  /** Secrets of the key vault by name, in addition to `example`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Names of RSA keys of the key vault, in addition to `example`. */
  readonly keys?: readonly string[] | undefined;
  /**
   * A folder with more: `containers/NAME/…` has the blobs of a container, `secrets.json` and `settings.json` are objects with the secrets of the key
   * vault and the settings of App Configuration.
   */
  readonly seed?: string | undefined;
}
/** One request that arrived, without its body and headers, which have secrets. */
interface RecordedRequest {
  readonly role: Role;
  readonly method: string;
  readonly path: string;
  /** The query string without its question mark. */
  readonly query: string;
  /** Absent until the response is sent. */
  readonly status?: number;
}
/** What an application's tests choose of a cloud. */
interface CloudOptions extends Seed {
  /**
   * The cloud that it plays: its kind, audiences, suffixes and services. Default is a private cloud. With `cloud`, `federationService` has no
   * effect: the address of the login authority says what it is.
   */
  readonly cloud?: CloudProfile | undefined;
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string | undefined;
  /** The client id of the application. Default is a random GUID. */
  readonly clientId?: string | undefined;
  /** A secret of the application, for a program with its own. The random one, which `environment` has, works too. */
  readonly clientSecret?: string | undefined;
  /** The login authority is a federation service (AD FS), as on an on-premises stack. Default is false. */
  readonly federationService?: boolean | undefined;
  /** The interface versions of its services. Default is `stack` for a `cloud` that is a stack, else `current`, which refuses none. */
  readonly versions?: VersionSet | undefined;
  /**
   * Accepts the resource manager endpoint and `https://storage.azure.com/` as audiences, and returns a normalized scope. Default is false:
   * neither is an identifier in every real cloud, and a client may compare the returned scope with the requested one.
   */
  readonly lenient?: boolean | undefined;
  /**
   * Leads blobs, queues and tables to azurite, behind the enclave's checks of token, audience and version. `true` starts an installed one;
   * `http://127.0.0.1:10000` is the blob service of a running one, whose queues and tables have the next two ports. Default is the enclave's
   * own block blobs.
   */
  readonly azurite?: string | true | undefined;
  /** Active from the start. `setFault` changes them. */
  readonly faults?: readonly FaultSetting[] | undefined;
  /** Lifetime of access tokens in seconds. Default is 3600. Under 300 no client caches them. */
  readonly tokenLifetimeSeconds?: number | undefined;
  readonly deviceCode?: DeviceCodeTiming | undefined;
}
type Settings = Readonly<Record<string, string>>;
/** The ways of authentication that the enclave can be used in, by the values of AUTH_MODE. */
type EnclaveAuthMode = 'managedIdentity' | 'workloadIdentity' | 'platformCli' | 'deviceCode' | 'clientSecret' | 'clientCertificate' | 'usernamePassword' | 'default';
/** What tests observe and change. */
interface EnclaveControls {
  /** Every request that arrived, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  readonly waitForRequest: (predicate: (request: RecordedRequest) => boolean) => Promise<RecordedRequest>;
  /**
   * Turns a fault on, or with `undefined` off. Resolves when it applies to the next connection.
   *
   * @param target Default is the place where the fault is most common; to turn off, every place.
   */
  readonly setFault: (fault: FaultChoice | undefined, target?: FaultTarget) => Promise<void>;
  /** Signs in as a person would. Throws if no sign-in with the code is pending. */
  readonly approveDeviceCode: (userCode: string) => void;
  readonly declineDeviceCode: (userCode: string) => void;
  readonly expireDeviceCode: (userCode: string) => void;
}
interface EnclaveOptions extends CloudOptions {
  /** The mode of `environment`. Default is `clientSecret`. */
  readonly mode?: EnclaveAuthMode | undefined;
  /**
   * Whether TLS clients of this process trust the enclave until it is closed. Default is true. Needs Node 22.19 or 24.5; on an older Node,
   * run the tests in a child process with `environment`.
   */
  readonly trust?: boolean | undefined;
}
declare global {
  /** As the types of Node declare it, for an application without the newest library of the compiler. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}
/** A running sovereign cloud on loopback. */
interface Enclave extends EnclaveControls {
  readonly profile: CloudProfile;
  /** The variables to use the enclave, for the library and for child processes. They trust its certificates by NODE_EXTRA_CA_CERTS. */
  readonly environment: Settings;
  /** The variables for another mode. */
  environmentFor(mode: EnclaveAuthMode): Settings;
  /** Addresses of its storage account and key vault, for clients that can't resolve their host names. */
  readonly storageUrl: string;
  readonly keyVaultUrl: string;
  /** Closes every port, drops every connection, and removes its files. */
  close(): Promise<void>;
  /** As {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
/**
 * Starts a sovereign cloud on free ports of loopback, for the tests of applications. The same cloud as `cloud-profile enclave`.
 *
 * @throws {Error} if `trust` needs a newer Node, or a mode, a fault or its target does not exist.
 */
declare function startEnclave({ mode, trust, ...options }?: EnclaveOptions): Promise<Enclave>;
export { Enclave, type EnclaveAuthMode, EnclaveOptions, type FaultChoice, type FaultTarget, type RecordedRequest, startEnclave };