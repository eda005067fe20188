declare global {
  interface AbortSignal {}
}
type JsonObject = Readonly<Record<string, unknown>>;
/** Parameters of faults. Each has a default, so that a kind alone is a complete fault. */
interface FaultParameters {
  /** Seconds. Default is 3600. */
  'status-429': {
    readonly retryAfterSeconds?: number;
  };
  /** Milliseconds between two bytes. Default is 50. */
  'slow-drip': {
    readonly everyMilliseconds?: number;
  };
  /** `number` defaults to 90033, a transient error; `error` and `status` to those of a known number. */
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
  /** `status` defaults to 401, `body` (sent as JSON) to the good answer. */
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
type FaultKind = 'refused' | 'silent-tls' | 'untrusted-ca' | 'expired-certificate' | 'not-yet-valid-certificate' | 'wrong-name' | 'self-signed' | 'missing-intermediate' | 'silent' | 'reset' | 'status-429' | 'status-500' | 'status-503' | 'not-found' | 'html' | 'invalid-json' | 'truncated' | 'not-utf8' | 'byte-order-mark' | 'empty' | 'redirect' | 'slow-drip' | 'huge-body' | 'foreign-issuer' | 'foreign-token-endpoint' | 'missing-token-endpoint' | 'no-expires-in' | 'device-missing-interval' | 'replaced-fields' | 'replaced-status' | 'replaced-claims' | 'wrong-audience' | 'audience-without-slash' | 'wrong-tenant' | 'expired-token' | 'short-lived-token' | 'opaque-token' | 'aadsts' | 'clock-skew' | 'rejects-token' | 'forbidden' | 'firewall' | 'foreign-challenge' | 'missing-challenge';
/** Where a fault applies: a whole role, or one step of it. */
type FaultTarget = 'login' | 'resource-manager' | 'vault' | 'storage' | 'managed-identity' | 'login/openid-configuration' | 'login/token' | 'login/device-code' | 'resource-manager/metadata' | 'resource-manager/subscriptions';
/** A fault with its parameters. */
type FaultChoice = { [K in FaultKind]: {
  readonly kind: K;
} & (K extends keyof FaultParameters ? FaultParameters[K] : unknown); }[FaultKind];
/** The parts of the enclave, each on its own loopback port. The profile does not name `foreign`. */
type Role = 'login' | 'resource-manager' | 'vault' | 'storage' | 'managed-identity' | 'foreign';
/** One request that arrived, without its body and headers: they hold secrets. */
interface RecordedRequest {
  readonly role: Role;
  readonly method: string;
  readonly path: string;
  /** The query string without its question mark. */
  readonly query: string;
  /** Absent until the answer is sent. */
  readonly status?: number;
}
/** Every environment-specific value of one cloud. A field without a value is absent, never `undefined`. */
interface CloudProfile {
  /** Identifier of the profile. Must not be empty. */
  readonly name: string;
  /** Name for people, shown on the page and in logs. Must not be empty. */
  readonly displayName: string;
  /** The kind of cloud. */
  readonly environment: 'public' | 'usgovernment' | 'usgovernmentsecret' | 'usgovernmenttopsecret' | 'platformstackcloud' | 'custom';
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
  /** Values that only other tools need: for exports and the metadata host. This service contacts none of them. */
  readonly extensions?: {
    /** Address and audience of the directory API. */
    readonly microsoftGraph?: string;
    /** Address and audience of the retired directory API, which older tools insist on. */
    readonly graph?: string;
    /** Address of the template gallery. */
    readonly gallery?: string;
    /** Audience of batch accounts. */
    readonly batch?: string;
    /** Address and audience of log queries. */
    readonly logAnalytics?: string;
    /** Address and audience of application telemetry queries. */
    readonly applicationInsights?: string;
    /** Audience of container registries. */
    readonly containerRegistry?: string;
    /** Address of the older SQL management API. */
    readonly sqlManagement?: string;
    /** Audience of the MySQL and PostgreSQL services. */
    readonly openSourceDatabases?: string;
    /** Audience of the older data lake stores. */
    readonly dataLake?: string;
    /** Address and audience of the older management API. */
    readonly serviceManagement?: string;
  };
  /** Deployment notes or warnings. */
  readonly notes?: string;
}
/** Environment variables by name. A blank value counts as unset. */
interface Env {
  /** Name of a built-in profile. Default: platform-us-government. */
  readonly PLATFORM_CLOUD?: string | undefined;
  /** Path of a custom profile file. It wins over PLATFORM_CLOUD. */
  readonly CUSTOM_CLOUD_PROFILE_PATH?: string | undefined;
  /** `true` applies the override variables to a custom file too. Default: false. */
  readonly PLATFORM_OVERRIDE_CUSTOM_PROFILE?: string | undefined;
  /** Overrides `authorityHost`. */
  readonly PLATFORM_AUTHORITY_HOST?: string | undefined;
  /** Overrides `resourceManagerEndpoint`. */
  readonly PLATFORM_RESOURCE_MANAGER_ENDPOINT?: string | undefined;
  /** Overrides `resourceManagerAudience`. */
  readonly PLATFORM_RESOURCE_MANAGER_AUDIENCE?: string | undefined;
  /** Overrides `resourceManagerAudience`. */
  readonly PLATFORM_ARM_AUDIENCE?: string | undefined;
  /** Overrides `serviceDnsSuffixes.storage`. */
  readonly PLATFORM_STORAGE_DNS_SUFFIX?: string | undefined;
  /** Overrides `serviceDnsSuffixes.keyVault`. */
  readonly PLATFORM_KEYVAULT_DNS_SUFFIX?: string | undefined;
  /** Overrides `serviceDnsSuffixes.sqlServer`. */
  readonly PLATFORM_SQL_DNS_SUFFIX?: string | undefined;
  /** Overrides `serviceDnsSuffixes.containerRegistry`. */
  readonly PLATFORM_ACR_DNS_SUFFIX?: string | undefined;
  /** Overrides `serviceAudiences.storage`. */
  readonly PLATFORM_STORAGE_AUDIENCE?: string | undefined;
  /** Overrides `serviceAudiences.keyVault`. */
  readonly PLATFORM_KEYVAULT_AUDIENCE?: string | undefined;
  /** Overrides `tenantId`, the tenant that every credential signs in to. */
  readonly PLATFORM_TENANT_ID?: string | undefined;
  /** How the workload signs in: `managedIdentity`, `workloadIdentity`, `platformCli`, `deviceCode`, `clientSecret`, `clientCertificate`, `usernamePassword`, `default`. Default: derived from the host. */
  readonly AUTH_MODE?: 'managedIdentity' | 'workloadIdentity' | 'platformCli' | 'deviceCode' | 'clientSecret' | 'clientCertificate' | 'usernamePassword' | 'default' | (string & {}) | undefined;
  /** Client (application) id. With managedIdentity: client id of a user-assigned identity. */
  readonly PLATFORM_CLIENT_ID?: string | undefined;
  /** clientSecret: the secret. */
  readonly PLATFORM_CLIENT_SECRET?: string | undefined;
  /** File with the value of PLATFORM_CLIENT_SECRET. A changed file applies without a restart. */
  readonly PLATFORM_CLIENT_SECRET_PATH?: string | undefined;
  /** workloadIdentity: file of the federated token. If this variable, the tenant or the client id is unset, the AZURE_ variable that a cluster injects applies. */
  readonly PLATFORM_FEDERATED_TOKEN_FILE?: string | undefined;
  /** clientCertificate: PEM file with certificate and private key. */
  readonly PLATFORM_CLIENT_CERTIFICATE_PATH?: string | undefined;
  /** clientCertificate: password of the private key. */
  readonly PLATFORM_CLIENT_CERTIFICATE_PASSWORD?: string | undefined;
  /** File with the value of PLATFORM_CLIENT_CERTIFICATE_PASSWORD. A changed file applies without a restart. */
  readonly PLATFORM_CLIENT_CERTIFICATE_PASSWORD_PATH?: string | undefined;
  /** usernamePassword: the user. */
  readonly PLATFORM_USERNAME?: string | undefined;
  /** usernamePassword: the password. */
  readonly PLATFORM_PASSWORD?: string | undefined;
  /** File with the value of PLATFORM_PASSWORD. A changed file applies without a restart. */
  readonly PLATFORM_PASSWORD_PATH?: string | undefined;
  /** Secrets (names of variables, comma-separated) whose value really has the form of a reference, such as `${…}`. The value of every other variable and secret file must not. */
  readonly PLATFORM_LITERAL_SECRETS?: string | undefined;
  /** Further hosts (`host`, `host:port`, an IPv6 address or `[address]:port`, comma-separated) that an OpenID configuration may name as token endpoint, in addition to the login authority. */
  readonly PLATFORM_ALLOWED_TOKEN_HOSTS?: string | undefined;
  /** Deadline of one token attempt in milliseconds, 1000 to 120000. Default: 10000. */
  readonly PLATFORM_TOKEN_TIMEOUT_MS?: string | undefined;
  /** `true` reads the resource manager audience from the live metadata document. A failure is an error. Default: false. */
  readonly PLATFORM_DISCOVER_AUDIENCE?: string | undefined;
  /** Subscription shown in the diagnostics. */
  readonly PLATFORM_SUBSCRIPTION_ID?: string | undefined;
  /** Storage account to check. */
  readonly PLATFORM_STORAGE_ACCOUNT?: string | undefined;
  /** Key vault to check. */
  readonly PLATFORM_KEY_VAULT?: string | undefined;
  /** `error`, `warning`, `info` or `verbose`. `verbose` adds the URLs that the credential library contacts. Default: info. */
  readonly PLATFORM_LOG_LEVEL?: 'error' | 'warning' | 'info' | 'verbose' | (string & {}) | undefined;
  /** Text above and below the page, such as a classification. */
  readonly PLATFORM_CLASSIFICATION_BANNER?: string | undefined;
  /** Schedule on which the timer checks every profile: six-field NCRONTAB. Default: every 15 minutes, at an offset derived from the name of the site or host. */
  readonly SMOKE_TEST_SCHEDULE?: string | undefined;
  /** Whether the timer also requests a token and probes the active cloud. Default: yes, except for deviceCode and platformCli. */
  readonly SMOKE_TEST_CHECK_TOKEN?: string | undefined;
  /** `true` serves `/metadata/endpoints` and `/common/discovery/instance` from the profile, for other tools. Default: false. */
  readonly PLATFORM_SERVE_METADATA?: string | undefined;
  /** `true` refuses to start unless OpenSSL runs in FIPS mode. Default: false. */
  readonly PLATFORM_REQUIRE_FIPS?: string | undefined;
  /** Access level of the routes except `/api/health`: `function`, `anonymous` or `admin`. Default: function. */
  readonly HTTP_AUTH_LEVEL?: 'function' | 'anonymous' | 'admin' | (string & {}) | undefined;
  /** Server: port, or the path of a Unix socket or named pipe. Default: 3000. */
  readonly PORT?: string | undefined;
  /** Server: address to listen on. An address other than loopback needs a host key. Default: 127.0.0.1. */
  readonly PLATFORM_LISTEN_ADDRESS?: string | undefined;
  /** Server: the function key. If it is set, every address requires it. */
  readonly PLATFORM_HOST_KEY?: string | undefined;
  /** Server: file of the function key. */
  readonly PLATFORM_HOST_KEY_PATH?: string | undefined;
  /** Server: PEM file with the certificate and its chain, to serve https. */
  readonly PLATFORM_TLS_CERTIFICATE_PATH?: string | undefined;
  /** Server: PEM file with the private key of that certificate. */
  readonly PLATFORM_TLS_KEY_PATH?: string | undefined;
  /** GUID of the directory. The exported `az` script needs it with a federation service. */
  readonly PLATFORM_DIRECTORY_ID?: string | undefined;
  readonly https_proxy?: string | undefined;
  readonly http_proxy?: string | undefined;
  readonly all_proxy?: string | undefined;
  readonly no_proxy?: string | undefined;
  readonly [name: Uppercase<string>]: string | undefined;
}
/** The values of AUTH_MODE, in the order of the documents. `default` is the chain of the modes that the environment configures. */
declare const authModes: readonly ['managedIdentity', 'workloadIdentity', 'platformCli', 'deviceCode', 'clientSecret', 'clientCertificate', 'usernamePassword', 'default'];
type AuthMode = (typeof authModes)[number];
interface EnclaveOptions {
  /** The mode of `environment`. Default is `clientSecret`. */
  readonly mode?: AuthMode;
  /**
   * Whether TLS clients of this process trust the enclave until it is closed. Default is true. Needs Node 22.19 or 24.5; on an older Node,
   * run the tests in a child process with `environment`.
   */
  readonly trust?: boolean;
  /** Default is a random GUID. Ignored with a federation service, whose tenant is `adfs`. */
  readonly tenantId?: string;
  /** The login authority is a federation service, as on an on-premises stack. Default is false. */
  readonly federationService?: boolean;
  /** Default is 3600. Under 300 no client caches a token. */
  readonly tokenLifetimeSeconds?: number;
  /** Defaults are 900 and 1. */
  readonly deviceCode?: {
    readonly lifetimeSeconds?: number;
    readonly intervalSeconds?: number;
  };
  /** Active from the start. `setFault` changes them. */
  readonly faults?: readonly {
    readonly fault: FaultChoice;
    readonly target?: FaultTarget;
  }[];
}
/** A running sovereign cloud on loopback. */
interface Enclave {
  readonly profile: CloudProfile;
  /** The variables to use the enclave, for the library and for child processes. They trust its certificates by NODE_EXTRA_CA_CERTS. */
  readonly environment: Env;
  /** The variables for another mode. */
  environmentFor(mode: AuthMode): Env;
  /** Addresses of its storage account and key vault, whose host names do not resolve outside of it. */
  readonly storageUrl: string;
  readonly keyVaultUrl: string;
  /** Every request that arrived, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the first request, past or future, that satisfies the predicate. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /**
   * Turns a fault on, or with `undefined` off. Resolves when it applies to the next connection.
   *
   * @param target Default is the place where the fault is most common.
   */
  setFault(fault: FaultChoice | undefined, target?: FaultTarget): Promise<void>;
  /** Signs in as a person would. Throws if no sign-in with the code is pending. */
  approveDeviceCode(userCode: string): void;
  declineDeviceCode(userCode: string): void;
  expireDeviceCode(userCode: string): void;
  /** Closes every port, drops every connection, and removes its files. */
  close(): Promise<void>;
}
/** Starts a sovereign cloud on free ports of loopback, for the tests of applications. The same cloud as `cloud-profile enclave`. */
declare function startEnclave({ mode, trust, ...options }?: EnclaveOptions): Promise<Enclave>;
export { Enclave, EnclaveOptions, type FaultChoice, type FaultTarget, type RecordedRequest, startEnclave };