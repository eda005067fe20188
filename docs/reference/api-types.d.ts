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
/** The kinds of cloud that a profile can describe. */
declare const cloudEnvironments: readonly ['public', 'usgovernment', 'usgovernmentsecret', 'usgovernmenttopsecret', 'platformstackcloud', 'custom'];
/** A service with a DNS suffix in the profile. */
type DnsService = keyof CloudProfile['serviceDnsSuffixes'];
/** The content of a file in `cloud-profiles`: a profile, or the published part of one. */
interface CloudFile extends Partial<Omit<CloudProfile, 'environment' | 'serviceDnsSuffixes' | 'serviceAudiences'>> {
  readonly name: string;
  readonly displayName: string;
  readonly environment?: string;
  readonly serviceDnsSuffixes?: Partial<CloudProfile['serviceDnsSuffixes']>;
  readonly serviceAudiences?: Partial<CloudProfile['serviceAudiences']>;
}
/** The kind of host that a network fault concerns. */
type NetworkRole = 'AUTHORITY' | 'RESOURCE_MANAGER' | 'METADATA' | 'IDENTITY_ENDPOINT' | 'SERVICE';
/** A fault of a connection or of its response. */
type NetworkFault = 'DNS_FAILED' | 'DNS_UNAVAILABLE' | 'REFUSED' | 'UNREACHABLE' | 'TIMEOUT' | 'RESET' | 'PROXY_FAILED' | 'UNTRUSTED' | 'CERTIFICATE_EXPIRED' | 'CERTIFICATE_NOT_YET_VALID' | 'CERTIFICATE_NAME_MISMATCH' | 'CERTIFICATE_INVALID' | 'CERTIFICATE_WEAK' | 'CERTIFICATE_IPV6_UNSUPPORTED' | 'TLS_FAILED' | 'REDIRECTED' | 'NOT_FOUND' | 'THROTTLED' | 'HTTP_ERROR' | 'RESPONSE_TOO_LARGE' | 'RESPONSE_INVALID';
/** A code of a `ServiceError`: a row of the findings. Codes are stable; messages are for people and may change. */
type ErrorCode = `${NetworkRole}_${NetworkFault}` | 'UNSUPPORTED_CLOUD' | 'PROFILE_INVALID' | 'PROFILE_UNREADABLE' | 'SETTING_INVALID' | 'REFERENCE_UNRESOLVED' | 'NODE_UNSUPPORTED' | 'FIPS_MODE_OFF' | 'ARGUMENT_INVALID' | 'SERVICE_NOT_PUBLISHED' | 'CREDENTIAL_SETTING_MISSING' | 'CREDENTIAL_FILE_UNREADABLE' | 'CREDENTIAL_KEY_UNUSABLE' | 'CERTIFICATE_PASSWORD_WRONG' | 'PLACEHOLDER_PROFILE' | 'PROCESS_RESOURCES_EXHAUSTED' | 'PROFILE_FILE_CHANGED' | 'UNEXPECTED' | 'EGRESS_BLOCKED' | 'TOKEN_ENDPOINT_FOREIGN' | 'ISSUER_MISMATCH' | 'OPENID_CONFIGURATION_INVALID' | 'CERTIFICATE_EXPIRES_SOON' | 'PLAIN_HTTP' | 'TENANT_OF_ANOTHER_CLOUD' | 'PUBLIC_NAMES_UNRESOLVED' | 'PRIVATE_NAMES_UNRESOLVED' | 'CLIENT_SECRET_INVALID' | 'CLIENT_NOT_PUBLIC' | 'CLIENT_UNKNOWN' | 'CLIENT_ASSERTION_REJECTED' | 'USER_REJECTED' | 'TENANT_UNKNOWN' | 'INSTANCE_UNKNOWN' | 'RESOURCE_UNKNOWN' | 'SCOPE_INVALID' | 'CONDITIONAL_ACCESS' | 'SIGN_IN_NOT_ALLOWED' | 'USER_ASSERTION_REJECTED' | 'ON_BEHALF_OF_NOT_ALLOWED' | 'CONSENT_REQUIRED' | 'TOKEN_REJECTED' | 'TOKEN_RESPONSE_INVALID' | 'TOKEN_TIMEOUT' | 'TOKEN_CANCELLED' | 'DEVICE_CODE_PENDING' | 'DEVICE_CODE_DECLINED' | 'DEVICE_CODE_EXPIRED' | 'DEVICE_CODE_RESPONSE_INVALID' | 'MANAGED_IDENTITY_UNAVAILABLE' | 'MANAGED_IDENTITY_ENDPOINT_FIXED' | 'MANAGED_IDENTITY_REJECTED' | 'CLI_NOT_INSTALLED' | 'CLI_NOT_LOGGED_IN' | 'CLI_FAILED' | 'CLI_TIMEOUT' | 'CHAIN_EXHAUSTED' | 'TOKEN_AUDIENCE_MISMATCH' | 'TOKEN_AUDIENCE_SLASH' | 'TOKEN_TENANT_MISMATCH' | 'TOKEN_ISSUER_MISMATCH' | 'TOKEN_EXPIRED' | 'TOKEN_NOT_YET_VALID' | 'TOKEN_OPAQUE' | 'CLOCK_SKEW' | 'RESOURCE_MANAGER_REJECTED_TOKEN' | 'RESOURCE_MANAGER_FORBIDDEN' | 'SERVICE_REJECTED_TOKEN' | 'SERVICE_FORBIDDEN' | 'SERVICE_FIREWALL' | 'CHALLENGE_AUTHORITY_MISMATCH' | 'CHALLENGE_AUDIENCE_MISMATCH' | 'CHALLENGE_MISSING' | 'API_VERSION_UNSUPPORTED' | 'METADATA_NOT_CONFIGURED' | 'METADATA_INVALID' | 'METADATA_CLOUD_NOT_LISTED' | 'METADATA_MISMATCH';
/** A code of a `Warning`: a row of the warnings among the findings. */
type WarningCode = 'UNKNOWN_FIELD' | 'OVERRIDE_UNUSED' | 'ARM_AUDIENCE_DIFFERS' | 'PLACEHOLDER_FIELD' | 'CLOUD_DEFAULTED' | 'FOREIGN_VALUE' | 'VAULT_AUDIENCE_OUTSIDE_SUFFIX' | 'TENANT_DIFFERS' | 'SECRET_SUSPECT' | 'TENANT_UNUSUAL' | 'GUID_TENANT_WITH_FEDERATION_SERVICE' | 'FEDERATION_SERVICE_OUTSIDE_STACK' | 'MANAGED_IDENTITY_ON_STACK' | 'FUNCTIONS_ON_STACK' | 'AUTHORITY_ALIAS' | 'UNKNOWN_VARIABLE' | 'LIBRARY_VARIABLE_IGNORED' | 'LIBRARY_VARIABLE_IN_EFFECT' | 'CLI_CLOUD_NOT_REGISTERED';
/** The fields of a profile that a fix may change. */
type ChangeableField = 'authorityHost' | 'resourceManagerEndpoint' | 'resourceManagerAudience' | 'metadataEndpoint' | 'tenantId' | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}` | `serviceAudiences.${'arm' | 'storage' | 'keyVault'}` | `services.${string}`;
/** The variable or the field of a profile file that a fix sets. */
type Change<Field extends string = ChangeableField> = {
  readonly variable: string;
  readonly value?: string;
} | {
  readonly field: Field;
  readonly file: string;
  readonly value?: string;
};
/** A failure that this service expects and can explain. `code` is stable; `message` is for people and contains no secret. */
declare class ServiceError extends Error {
  #private;
  readonly code: ErrorCode;
  /** The values that prove the failure, by name, such as `issuer`. They may be text of other systems, and contain no secret. */
  readonly evidence?: Readonly<Record<string, string>>;
  /** Milliseconds to wait before the next try, from the header Retry-After. */
  readonly retryAfterMs?: number;
  /** What to change, for an operator. Begins with a verb. Empty for an error that no function of the library threw. */
  readonly fix: string;
  /** The one setting that the fix changes; absent if the fix is not a setting. */
  readonly change?: Change;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions);
  /** `instanceof ServiceError` is true for an error of any copy of this class. Subclasses keep the normal test. */
  static [Symbol.hasInstance](value: unknown): boolean;
  /** `AbortError` for a call that its caller canceled, as SDKs expect. Otherwise `ServiceError`. */
  get name(): 'ServiceError' | 'AbortError';
  /** Whether the same call may succeed later without any change. */
  get isTransient(): boolean;
  /** For a structured log. */
  toJSON(): Readonly<Record<string, unknown>>;
}
/** Whether a value is a {@link ServiceError} of any copy of the library in this process. A canceled call is one too. */
declare function isServiceError(value: unknown): value is ServiceError;
/** A problem that an operator should know, and that does not stop the service. */
interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** Dotted path of the profile's field, if the warning is about one. */
  readonly field?: string;
  /** Shell commands that resolve the warning. The message doesn't repeat them. */
  readonly commands?: readonly string[];
}
/** The name of a built-in profile. */
type CloudName = 'platform-commercial' | 'platform-us-gov-secret' | 'platform-us-gov-topsecret' | 'platform-us-government' | 'platformstack-custom';
/** The services that a cloud has. */
type ServiceName = 'analysisServices' | 'apiManagement' | 'appConfiguration' | 'appService' | 'applicationInsights' | 'attestation' | 'automation' | 'backup' | 'batch' | 'blob' | 'classicPortal' | 'cloudServices' | 'cognitiveServices' | 'communication' | 'containerRegistry' | 'cosmos' | 'dataFactory' | 'dataLake' | 'databricks' | 'dfs' | 'digitalTwins' | 'directoryGraph' | 'eventGrid' | 'eventHubs' | 'exchangeOnline' | 'file' | 'fileSync' | 'foundry' | 'frontDoor' | 'gallery' | 'hdinsight' | 'healthData' | 'iotHub' | 'keyVault' | 'kubernetes' | 'kusto' | 'logAnalytics' | 'machineLearning' | 'managedHsm' | 'managedPrometheus' | 'mariadb' | 'microsoftGraph' | 'monitorIngestion' | 'monitorMetrics' | 'mysql' | 'officeManagement' | 'openai' | 'postgresql' | 'powerBi' | 'purview' | 'queue' | 'redis' | 'search' | 'serviceBus' | 'serviceManagement' | 'signalr' | 'sqlManagement' | 'sqlServer' | 'staticWebApps' | 'storageDnsZone' | 'synapse' | 'table' | 'trafficManager' | 'virtualDesktop' | 'virtualMachine';
/** The data that a person needs to sign in. Doesn't contain the device code, which is a secret. */
interface SignInPrompt {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number;
}
/** The values of AUTH_MODE, in the order of the documents. `default` is the chain of the modes that the environment configures. */
declare const authModes: readonly ['managedIdentity', 'workloadIdentity', 'platformCli', 'deviceCode', 'clientSecret', 'clientCertificate', 'usernamePassword', 'default'];
type AuthMode = (typeof authModes)[number];
/** An abort signal of the platform or of a library. A library's signal may have no reason. */
interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
/** A token and its expiry. */
interface AccessToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number;
  /** Milliseconds since the epoch from which the token should be renewed. */
  readonly refreshAfterTimestamp?: number;
  readonly tokenType?: 'Bearer' | 'pop';
}
/** Options of one call. */
interface GetTokenOptions {
  /** Ends the waiting of this call (`TOKEN_CANCELLED`; its cause is the reason of the signal). Other callers still get their token. */
  readonly abortSignal?: AbortSignalLike;
  /**
   * The tenant of a challenge, as SDKs pass it. A tenant other than the credential's is refused (`ARGUMENT_INVALID`), except with
   * platformCli; a domain name is not compared with a GUID.
   */
  readonly tenantId?: string;
  /** Claims that a service demanded. They need a new token, which replaces the cached one. */
  readonly claims?: string;
  /** Whether the caller handles continuous access evaluation. Its tokens are cached apart from others. */
  readonly enableCae?: boolean;
  /** For the credential library, which traces its requests. */
  readonly tracingOptions?: object;
}
/** The `TokenCredential` of `@azure/core-auth`, declared here so that an application needs no types of it. `getToken` never returns null. */
interface TokenCredential {
  /**
   * Gets a token.
   *
   * - Deadline: the `timeoutMs` of the credential. `abortSignal` ends the waiting of one call at once.
   * - Cache: one token for each scope. It is renewed in the background, at the latest at the refresh time that the login authority names, or
   *   else 5 minutes before its expiry. Some processes renew earlier, so that a fleet does not renew at once. While no renewal succeeds, the
   *   token is returned until it expires.
   * - Calls at the same time share one attempt. A failure is not cached.
   *
   * @param scopes An audience followed by `.default`; of several, the first. Anything else is refused (`ARGUMENT_INVALID`).
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>;
}
/** A credential such as one of `@azure/identity`. Its tokens are passed on unchanged. Without one (`null`), `getToken` fails (`ARGUMENT_INVALID`). */
interface ApplicationCredential {
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<Pick<AccessToken, 'token' | 'expiresOnTimestamp'> | null>;
}
/** A text of a profile as a dotted path, such as `serviceDnsSuffixes.storage`; a member of a list has its position. */
type FieldPath = Exclude<keyof CloudProfile, 'serviceDnsSuffixes' | 'serviceAudiences' | 'services' | 'aliases' | 'toolNames' | 'absent'> | `serviceDnsSuffixes.${keyof CloudProfile['serviceDnsSuffixes']}` | `serviceAudiences.${keyof CloudProfile['serviceAudiences']}` | `services.${string}.${keyof NonNullable<CloudProfile['services']>[string]}` | `aliases.${keyof NonNullable<CloudProfile['aliases']>}.${number}` | `toolNames.${string}` | `absent.${number}`;
/** The source of a whole profile. */
type ProfileSource = {
  readonly kind: 'built-in';
  readonly name: string;
} | {
  readonly kind: 'file';
  readonly path: string;
} | {
  readonly kind: 'option';
};
/** What selected the profile: nothing, a variable, or an option of the library or the command line. */
type SelectedBy = 'default' | 'PLATFORM_CLOUD' | 'CUSTOM_CLOUD_PROFILE_PATH' | 'option';
/** Where a value comes from: the profile, a variable, or a rule that derived or dropped the value because of a variable. */
interface Origin {
  readonly by: 'profile' | 'variable' | 'derived' | 'dropped';
  /** The name of the variable. For `profile`, the source of the profile in words. */
  readonly from: string;
}
/** A value and its origin. */
interface FieldOrigin extends Origin {
  readonly value: string;
}
/** A resolved field with the values that it overrides, the strongest first. Parts that may be secret are left out. */
interface ExplainedField extends FieldOrigin {
  readonly overridden?: readonly FieldOrigin[];
}
/** A resolved profile with the origin of each field and the warnings about it. */
interface ExplainedProfile {
  readonly profile: CloudProfile;
  readonly source: ProfileSource;
  readonly selectedBy: SelectedBy;
  readonly fields: Readonly<Record<string, ExplainedField>>;
  readonly warnings: readonly Warning[];
  /** The known clouds and the operator's clouds, if PLATFORM_KNOWN_CLOUDS is set. */
  readonly clouds?: readonly CloudFile[];
}
/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three well-known ones, which an
 * isolated network cannot reach anyway. Letter case, a default port and trailing slashes do not matter; a path does.
 */
declare function shouldDisableInstanceDiscovery(authorityHost: string): boolean;
/** The values to validate tokens that callers send to the application. */
interface TokenValidation {
  /**
   * Accepted values of the claim `iss`. The value in an access token may differ from the issuer of the OpenID configuration.
   *
   * @param tenantId The tenant's GUID. Default is the tenantId of the profile. Ignored by a federation service.
   * @throws {ServiceError} `ARGUMENT_INVALID` without a GUID: an issuer contains it, never a domain name.
   */
  readonly issuers: (tenantId?: string) => string[];
  /** Where the authority publishes its keys (JWKS). @param tenantId A GUID or domain name. Default is the tenantId of the profile. */
  readonly jwksUri: (tenantId?: string) => string;
  /**
   * Accepted values of the claim `aud` for an application: its client id, and its default identifier URI.
   *
   * @throws {ServiceError} `ARGUMENT_INVALID` for an empty text or an identifier URI.
   */
  readonly audiences: (clientId: string) => string[];
}
/** The part of a plan that applications see. */
interface PlanSummary {
  /** The kind of credential. */
  readonly credential: string;
  /** Name of the cloud profile. */
  readonly profile: string;
  /** Milliseconds of one token attempt. */
  readonly timeoutMs: number;
  /** Fields of the profile that still contain a placeholder. */
  readonly placeholders: readonly string[];
}
/** `onBehalfOf` is a method of a cloud, and no settings select it. No variable selects `clientAssertion`. */
type CredentialMode = AuthMode | 'clientAssertion' | 'onBehalfOf';
/** An application that signs in to the login authority of the profile. */
interface Application {
  /** Client (application) id. */
  readonly clientId: string;
  /** Default is the tenant of the profile. */
  readonly tenantId?: string | undefined;
  /** Hosts (`host` or `host:port`), besides the login authority, that may receive token requests. Default is none. */
  readonly allowedTokenHosts?: readonly string[] | undefined;
}
type None<K extends string> = { readonly [P in K]?: undefined; };
/** One of two settings. A compiler that misses it prints this type, with both names. */
type OneOf<Value extends string, Path extends string, Given extends Value | Path> = { readonly [P in Given]: string; };
/** A secret, or the path of its file, which is read again when it changes. */
type SecretOf<K extends string> = (OneOf<K, `${K}Path`, K> & None<`${K}Path`>) | (OneOf<K, `${K}Path`, `${K}Path`> & None<K>);
type OptionalSecret<K extends string> = SecretOf<K> | None<K | `${K}Path`>;
type ClientSecretSettings = Application & {
  readonly mode: 'clientSecret';
} & SecretOf<'clientSecret'>;
type ClientCertificateSettings = Application & {
  readonly mode: 'clientCertificate';
  /** Path of a PEM file with the certificate and its private key. Its password is optional. */
  readonly clientCertificatePath: string;
} & OptionalSecret<'clientCertificatePassword'>;
interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity';
  /** Path of the federated token file. */
  readonly federatedTokenFile: string;
}
/** A client assertion (RFC 7523) that the application signs or fetches itself. */
interface ClientAssertionSettings extends Application {
  readonly mode: 'clientAssertion';
  /** Called for each token request. */
  readonly getAssertion: () => Promise<string>;
}
/** The settings by which an application proves its identity. */
type ApplicationSettings = ClientSecretSettings | ClientCertificateSettings | WorkloadIdentitySettings | ClientAssertionSettings;
/** A service of a profile: a name in the cloud files, or a name that your profile adds. `storage` is another name of `blob`. */
type ServiceId = ServiceName | DnsService | (string & {});
/** The options that every client of a service takes. */
interface ServiceClientOptions {
  /** In the form that the client takes: a scope for storage clients, an identifier without a final slash for others. */
  audience: string;
  credentials: {
    scopes: string[];
  };
}
/** The options of the client of a service. The client of tables takes none. */
type ClientOptionsOf<Name> = Name extends 'table' ? Record<string, never> : ServiceClientOptions & FurtherOptions<Name>;
type FurtherOptions<Name> = (Name extends 'keyVault' | 'managedHsm' ? {
  /** True if the audience is outside the domain of the vault, as with a federation service: the client would refuse the challenge. */
  disableChallengeResourceVerification: boolean;
} : unknown) & (Name extends 'microsoftGraph' ? {
  baseUrl: string;
  /** The client sends tokens to the hosts of a fixed list, and to these. */
  customHosts: Set<string>;
} : unknown) & (Name extends 'logAnalytics' | 'applicationInsights' ? {
  endpoint: string;
} : unknown);
/**
 * The values by which a client reaches one service of the cloud. Reading a value fails if the cloud does not publish it, or if it needs the
 * name of an account.
 */
interface ServiceAccess<Name = ServiceId> {
  /** Ends with "/". A service with another protocol than https, such as `sqlServer` or `serviceBus`, has `host` and `port` only. */
  readonly url: string;
  /** The host name, without port. */
  readonly host: string;
  readonly port: number;
  /** The claim `aud` of the service's tokens, in the spelling that the service expects. */
  readonly audience: string;
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string;
  /** Options of the service's client that this cloud needs. */
  readonly clientOptions: ClientOptionsOf<Name>;
}
/**
 * The address of one resource of a service, such as `https://myaccount.blob.core.windows.net/`.
 *
 * @param account One DNS label (letters, digits, inner hyphens, at most 63), so that a name can never change the host.
 * @throws {ServiceError} `SERVICE_NOT_PUBLISHED` for a service without an address in the profile, `ARGUMENT_INVALID` for another name.
 */
declare function serviceUrl(profile: CloudProfile, service: ServiceId, account: string): string;
/** Environment variables by name: those that the library reads, and any other. A blank value counts as unset. */
type Env = {
  /** Name of a built-in profile. Default: platform-us-government. */
  readonly PLATFORM_CLOUD?: string | undefined;
  /** Path of a custom profile file. It wins over PLATFORM_CLOUD. */
  readonly CUSTOM_CLOUD_PROFILE_PATH?: string | undefined;
  /** Folder of profile files: clouds to recognize in addition to the built-in ones. */
  readonly PLATFORM_KNOWN_CLOUDS?: string | undefined;
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
  /** Further hosts (`host`, `host:port`, an IPv6 address or `[address]:port`, comma-separated) that an OpenID configuration may name as token endpoint, in addition to the login authority. */
  readonly PLATFORM_ALLOWED_TOKEN_HOSTS?: string | undefined;
  /** Deadline of one token attempt in milliseconds, 1000 to 120000. Default: 10000. */
  readonly PLATFORM_TOKEN_TIMEOUT_MS?: string | undefined;
  /** `true` reads the resource manager audience from the live metadata document. A failure is an error. Default: false. */
  readonly PLATFORM_DISCOVER_AUDIENCE?: string | undefined;
  /** `error`, `warning`, `info` or `verbose`. `verbose` adds the URLs that the credential library contacts. Default: info. */
  readonly PLATFORM_LOG_LEVEL?: 'error' | 'warning' | 'info' | 'verbose' | (string & {}) | undefined;
  readonly https_proxy?: string | undefined;
  readonly http_proxy?: string | undefined;
  readonly all_proxy?: string | undefined;
  readonly no_proxy?: string | undefined;
  readonly [name: Uppercase<string>]: string | undefined;
};
interface ResolveOptions {
  /** Path of a custom profile file. Default is the variable CUSTOM_CLOUD_PROFILE_PATH. */
  readonly customProfilePath?: string | undefined;
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly name?: string | undefined;
  /** Environment variables. Default is the process environment. */
  readonly env?: Env | undefined;
  /** Whether override variables apply to a custom profile too. Default is the variable PLATFORM_OVERRIDE_CUSTOM_PROFILE, then false. */
  readonly overrideCustomProfile?: boolean | undefined;
}
/** Lowest first. */
type LogLevel = 'verbose' | 'info' | 'warning' | 'error';
/** An event in the log: one JSON object on one line, without secrets. */
interface LogEvent {
  readonly level: LogLevel;
  /** `library`: a line of the credential library (PLATFORM_LOG_LEVEL=verbose). */
  readonly event: 'token' | 'diagnostics' | 'library' | 'sign-in' | 'smoke-test' | 'smoke-test.profile' | 'request.failed' | 'start';
  readonly profile?: string;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
  readonly durationMs?: number;
  /** For a token: its scope, and whether it was in the cache. */
  readonly scope?: string;
  readonly cached?: boolean;
  /** For a start: the source of the profile and what selected it. The next two say the same of the credential. */
  readonly source?: string;
  readonly selectedBy?: string;
  readonly authMode?: string;
  readonly authModeFrom?: string;
  /** Codes. */
  readonly warnings?: readonly string[];
}
interface ManagedIdentitySettings {
  readonly mode: 'managedIdentity';
  /** Client id of a user-assigned identity. Default is the system-assigned identity. */
  readonly clientId?: string | undefined;
}
interface PlatformCliSettings {
  readonly mode: 'platformCli';
  /** Default is the tenant of the profile. */
  readonly tenantId?: string | undefined;
}
type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword';
  readonly username: string;
} & SecretOf<'password'>;
interface DeviceCodeSettings extends Application {
  readonly mode: 'deviceCode';
}
/** The default chain: tries each mode that has complete settings. */
type DefaultChainSettings = {
  readonly mode: 'default';
  readonly clientId?: string | undefined;
  readonly federatedTokenFile?: string | undefined;
  readonly clientCertificatePath?: string | undefined;
  readonly username?: string | undefined;
} & Omit<Application, 'clientId'> & OptionalSecret<'clientSecret'> & OptionalSecret<'clientCertificatePassword'> & OptionalSecret<'password'>;
/** The settings of a credential, one shape per mode. */
type CredentialSettings = ManagedIdentitySettings | PlatformCliSettings | DeviceCodeSettings | ApplicationSettings | UsernamePasswordSettings | DefaultChainSettings;
/** The input of a credential. Pure data; secrets print as `[redacted]`. */
interface CredentialPlan extends PlanSummary {
  readonly mode: CredentialMode;
}
/** Environment variables, as distinct from {@link CredentialSettings}. */
type EnvironmentVariables = Env & {
  readonly mode?: never;
  readonly authMode?: never;
};
interface CredentialOptions {
  /**
   * Milliseconds of one token attempt. With deviceCode: until a person is told to sign in, who then has until the code expires. Default is
   * PLATFORM_TOKEN_TIMEOUT_MS of the environment of the plan, then 10000.
   */
  readonly timeoutMs?: number | undefined;
  /** Shows a person where to sign in (deviceCode). Default is a line on stderr. If it throws or rejects, the attempt fails (`ARGUMENT_INVALID`). */
  readonly onDeviceCode?: ((prompt: SignInPrompt) => void | Promise<void>) | undefined;
  /**
   * Receives the events of the service's log. With PLATFORM_LOG_LEVEL=verbose it also receives the lines of the credential library, which name
   * the URLs that it contacts. No event contains a secret or a user code. Default is no log. If it throws or rejects, the process emits a warning.
   */
  readonly log?: ((event: LogEvent) => unknown) | undefined;
}
/**
 * The mode of an environment: AUTH_MODE, or else by a federated token, an identity endpoint or the command-line tool of a developer.
 *
 * @param env Environment variables. Default is the process environment.
 * @throws {ServiceError} `SETTING_INVALID` that names each invalid variable of a credential.
 */
declare function resolveAuthMode(env?: Env): AuthMode;
/**
 * Decides which credential is used, and from which values. Makes no request and reads no file.
 *
 * @param from Environment variables, or the settings of one mode. Proxies and identity endpoints always come from the environment. Default
 *   is the process environment.
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode, `SETTING_INVALID`, or
 *   `ARGUMENT_INVALID` that names each invalid key of the settings.
 */
declare function createCredentialPlan(profile: CloudProfile, from?: EnvironmentVariables | CredentialSettings): CredentialPlan;
/**
 * Builds the credential of a plan, and loads the credential library. `getToken` of the result ends by its deadline, contacts only the hosts
 * of the plan, and fails with a {@link ServiceError} that says why.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an invalid `timeoutMs`, `SETTING_INVALID` if the process environment has a variable that
 *   would send the credential library to another host (MSAL_FORCE_REGION, AZURE_REGIONAL_AUTHORITY_NAME) or undo its protection.
 */
declare function createCredential(plan: CredentialPlan, options?: CredentialOptions): Promise<TokenCredential>;
declare const builtInProfileNames: readonly string[];
/**
 * The scope of a token request: the audience followed by `.default`. Some services distinguish `…//.default` from `…/.default`, so the audience
 * stays unchanged.
 *
 * @param audience As profiles have it: it ends with `/`, which separates it from `.default`.
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience without its final slash, or with `.default` in it already.
 */
declare function scopeFor(audience: string): string;
/**
 * The address of a path below the resource manager endpoint, which may have a base path.
 *
 * @param path Relative to the endpoint, with or without a leading slash, optionally with a query.
 * @throws {ServiceError} `ARGUMENT_INVALID` when the path would leave the endpoint's host or base path.
 */
declare function resourceManagerUrl(profile: CloudProfile, path: string): string;
/**
 * The address that returns a metadata document. A resource manager endpoint (it ends with `/`) or a bare host gets the path
 * `/metadata/endpoints`. A metadata endpoint keeps its path and query. `api-version` is set, and the path has no double slash.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` when the endpoint isn't an http or https URL or carries user information.
 */
declare function metadataUrl(endpoint: string): string;
/** The metadata that the resource manager of a cloud publishes, from any known version of the document. */
interface CloudMetadata {
  /** Normalized, with a final slash. If the document doesn't name it, this is the requested endpoint. */
  readonly resourceManagerEndpoint: string;
  /** Normalized https URL with a final slash. A federation service has the path `/adfs/`. May be an alias such as `https://login.windows.net/`. */
  readonly loginEndpoint: string;
  /** Identifiers of the resource manager, spelled as in the document: with or without a final slash. Never empty. */
  readonly audiences: readonly [string, ...string[]];
  /** The tenant in the document. May be `common`. */
  readonly tenant?: string;
  readonly portalEndpoint?: string;
  readonly graphEndpoint?: string;
  readonly galleryEndpoint?: string;
  /** Spelled as in the document: without a leading dot, and `core.<cloud>` for storage. */
  readonly dnsSuffixes?: Readonly<Partial<Record<DnsService, string>>>;
}
interface DiscoverOptions {
  /** Ends the query early. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignalLike | undefined;
  /** Milliseconds for the whole query, including a retry. Default is 5000. */
  readonly timeoutMs?: number | undefined;
  /** The variables that may name a proxy and certificate authorities. */
  readonly env?: Env | undefined;
}
export { AccessToken, ApplicationCredential, ApplicationSettings, AuthMode, Change, CloudEnvironment, CloudMetadata, CloudName, CloudProfile, CredentialOptions, CredentialPlan, CredentialSettings, DiscoverOptions, DnsService, Env, ErrorCode, ExplainedField, ExplainedProfile, FieldPath, GetTokenOptions, LogEvent, ProfileSource, ResolveOptions, ServiceAccess, ServiceError, ServiceId, SignInPrompt, TokenCredential, TokenValidation, Warning, WarningCode, builtInProfileNames, cloudEnvironments, createCredential, createCredentialPlan, isServiceError, metadataUrl, resolveAuthMode, resourceManagerUrl, scopeFor, serviceUrl, shouldDisableInstanceDiscovery };