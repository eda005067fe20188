import type { AccessToken, Change, GetTokenOptions, ServiceError, Warning, cloudEnvironments } from './index.js'
export type CloudEnvironment = (typeof cloudEnvironments)[number];
/** The values that a cloud publishes for a service. At least one of suffix, address and audience is present. */
export interface CloudService {
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
export interface CloudProfile {
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
export type DnsService = keyof CloudProfile['serviceDnsSuffixes'];
/** A cloud: a profile, or the part of one that is published. */
export type CloudFile = Partial<CloudProfile> & Pick<CloudProfile, 'name' | 'displayName'>;
/** The values that prove a failure, by name, such as `issuer`. Text of other systems; never a secret. */
export type Evidence = {
  readonly [name: string]: string;
};
/** What an operator does about a failure. */
export interface Fix {
  /** Begins with a verb, and names the variable, field, file or command. */
  readonly text: string;
  readonly change?: Change;
  /** Who has to act, where it is not the reader, such as `operator of login.enclave.test`. */
  readonly by?: string;
}
/** The fields of a profile that a fix may change. Each further service of a cloud has a field. */
export type ChangeableField = 'authorityHost' | 'resourceManagerEndpoint' | 'resourceManagerAudience' | 'metadataEndpoint'
  | 'tenantId' | `serviceDnsSuffixes.${'storage' | 'keyVault' | 'sqlServer' | 'containerRegistry'}` | `serviceAudiences.${'arm'
  | 'storage' | 'keyVault'}` | `services.${string}`;
export declare const rows: Readonly<Record<'UNSUPPORTED_CLOUD' | 'PROFILE_INVALID' | 'PROFILE_UNREADABLE' | 'SETTING_INVALID'
  | 'REFERENCE_UNRESOLVED' | 'NODE_UNSUPPORTED' | 'FIPS_MODE_OFF' | 'ARGUMENT_INVALID' | 'SERVICE_NOT_PUBLISHED' | 'CREDENTIAL_SETTING_MISSING'
  | 'CREDENTIAL_FILE_UNREADABLE' | 'CREDENTIAL_KEY_UNUSABLE' | 'CERTIFICATE_PASSWORD_WRONG' | 'PLACEHOLDER_PROFILE'
  | 'PROCESS_RESOURCES_EXHAUSTED' | 'PROFILE_FILE_CHANGED' | 'UNEXPECTED' | 'EGRESS_BLOCKED' | 'TOKEN_ENDPOINT_FOREIGN'
  | 'ISSUER_MISMATCH' | 'OPENID_CONFIGURATION_INVALID' | 'CERTIFICATE_EXPIRES_SOON' | 'PLAIN_HTTP' | 'TENANT_OF_ANOTHER_CLOUD'
  | 'PUBLIC_NAMES_UNRESOLVED' | 'PRIVATE_NAMES_UNRESOLVED' | 'AUTHORITY_DNS_FAILED' | 'AUTHORITY_DNS_UNAVAILABLE' | 'AUTHORITY_REFUSED'
  | 'AUTHORITY_UNREACHABLE' | 'AUTHORITY_TIMEOUT' | 'AUTHORITY_RESET' | 'AUTHORITY_PROXY_FAILED' | 'AUTHORITY_UNTRUSTED'
  | 'AUTHORITY_CERTIFICATE_EXPIRED' | 'AUTHORITY_CERTIFICATE_NOT_YET_VALID' | 'AUTHORITY_CERTIFICATE_NAME_MISMATCH'
  | 'AUTHORITY_CERTIFICATE_INVALID' | 'AUTHORITY_CERTIFICATE_WEAK' | 'AUTHORITY_CERTIFICATE_IPV6_UNSUPPORTED' | 'AUTHORITY_TLS_FAILED'
  | 'AUTHORITY_REDIRECTED' | 'AUTHORITY_NOT_FOUND' | 'AUTHORITY_THROTTLED' | 'AUTHORITY_HTTP_ERROR' | 'AUTHORITY_RESPONSE_TOO_LARGE'
  | 'AUTHORITY_RESPONSE_INVALID' | 'RESOURCE_MANAGER_DNS_FAILED' | 'RESOURCE_MANAGER_DNS_UNAVAILABLE' | 'RESOURCE_MANAGER_REFUSED'
  | 'RESOURCE_MANAGER_UNREACHABLE' | 'RESOURCE_MANAGER_TIMEOUT' | 'RESOURCE_MANAGER_RESET' | 'RESOURCE_MANAGER_PROXY_FAILED'
  | 'RESOURCE_MANAGER_UNTRUSTED' | 'RESOURCE_MANAGER_CERTIFICATE_EXPIRED' | 'RESOURCE_MANAGER_CERTIFICATE_NOT_YET_VALID'
  | 'RESOURCE_MANAGER_CERTIFICATE_NAME_MISMATCH' | 'RESOURCE_MANAGER_CERTIFICATE_INVALID' | 'RESOURCE_MANAGER_CERTIFICATE_WEAK'
  | 'RESOURCE_MANAGER_CERTIFICATE_IPV6_UNSUPPORTED' | 'RESOURCE_MANAGER_TLS_FAILED' | 'RESOURCE_MANAGER_REDIRECTED'
  | 'RESOURCE_MANAGER_NOT_FOUND' | 'RESOURCE_MANAGER_THROTTLED' | 'RESOURCE_MANAGER_HTTP_ERROR' | 'RESOURCE_MANAGER_RESPONSE_TOO_LARGE'
  | 'RESOURCE_MANAGER_RESPONSE_INVALID' | 'METADATA_DNS_FAILED' | 'METADATA_DNS_UNAVAILABLE' | 'METADATA_REFUSED' | 'METADATA_UNREACHABLE'
  | 'METADATA_TIMEOUT' | 'METADATA_RESET' | 'METADATA_PROXY_FAILED' | 'METADATA_UNTRUSTED' | 'METADATA_CERTIFICATE_EXPIRED'
  | 'METADATA_CERTIFICATE_NOT_YET_VALID' | 'METADATA_CERTIFICATE_NAME_MISMATCH' | 'METADATA_CERTIFICATE_INVALID' | 'METADATA_CERTIFICATE_WEAK'
  | 'METADATA_CERTIFICATE_IPV6_UNSUPPORTED' | 'METADATA_TLS_FAILED' | 'METADATA_REDIRECTED' | 'METADATA_NOT_FOUND'
  | 'METADATA_THROTTLED' | 'METADATA_HTTP_ERROR' | 'METADATA_RESPONSE_TOO_LARGE' | 'METADATA_RESPONSE_INVALID' | 'IDENTITY_ENDPOINT_DNS_FAILED'
  | 'IDENTITY_ENDPOINT_DNS_UNAVAILABLE' | 'IDENTITY_ENDPOINT_REFUSED' | 'IDENTITY_ENDPOINT_UNREACHABLE' | 'IDENTITY_ENDPOINT_TIMEOUT'
  | 'IDENTITY_ENDPOINT_RESET' | 'IDENTITY_ENDPOINT_PROXY_FAILED' | 'IDENTITY_ENDPOINT_UNTRUSTED' | 'IDENTITY_ENDPOINT_CERTIFICATE_EXPIRED'
  | 'IDENTITY_ENDPOINT_CERTIFICATE_NOT_YET_VALID' | 'IDENTITY_ENDPOINT_CERTIFICATE_NAME_MISMATCH' | 'IDENTITY_ENDPOINT_CERTIFICATE_INVALID'
  | 'IDENTITY_ENDPOINT_CERTIFICATE_WEAK' | 'IDENTITY_ENDPOINT_CERTIFICATE_IPV6_UNSUPPORTED' | 'IDENTITY_ENDPOINT_TLS_FAILED'
  | 'IDENTITY_ENDPOINT_REDIRECTED' | 'IDENTITY_ENDPOINT_NOT_FOUND' | 'IDENTITY_ENDPOINT_THROTTLED' | 'IDENTITY_ENDPOINT_HTTP_ERROR'
  | 'IDENTITY_ENDPOINT_RESPONSE_TOO_LARGE' | 'IDENTITY_ENDPOINT_RESPONSE_INVALID' | 'SERVICE_DNS_FAILED' | 'SERVICE_DNS_UNAVAILABLE'
  | 'SERVICE_REFUSED' | 'SERVICE_UNREACHABLE' | 'SERVICE_TIMEOUT' | 'SERVICE_RESET' | 'SERVICE_PROXY_FAILED' | 'SERVICE_UNTRUSTED'
  | 'SERVICE_CERTIFICATE_EXPIRED' | 'SERVICE_CERTIFICATE_NOT_YET_VALID' | 'SERVICE_CERTIFICATE_NAME_MISMATCH' | 'SERVICE_CERTIFICATE_INVALID'
  | 'SERVICE_CERTIFICATE_WEAK' | 'SERVICE_CERTIFICATE_IPV6_UNSUPPORTED' | 'SERVICE_TLS_FAILED' | 'SERVICE_REDIRECTED'
  | 'SERVICE_NOT_FOUND' | 'SERVICE_THROTTLED' | 'SERVICE_HTTP_ERROR' | 'SERVICE_RESPONSE_TOO_LARGE' | 'SERVICE_RESPONSE_INVALID'
  | 'CLIENT_SECRET_INVALID' | 'CLIENT_NOT_PUBLIC' | 'CLIENT_UNKNOWN' | 'CLIENT_ASSERTION_REJECTED' | 'USER_REJECTED'
  | 'TENANT_UNKNOWN' | 'INSTANCE_UNKNOWN' | 'RESOURCE_UNKNOWN' | 'SCOPE_INVALID' | 'CONDITIONAL_ACCESS' | 'SIGN_IN_NOT_ALLOWED'
  | 'USER_ASSERTION_REJECTED' | 'ON_BEHALF_OF_NOT_ALLOWED' | 'CONSENT_REQUIRED' | 'TOKEN_REJECTED' | 'TOKEN_RESPONSE_INVALID'
  | 'TOKEN_TIMEOUT' | 'TOKEN_CANCELLED' | 'DEVICE_CODE_PENDING' | 'DEVICE_CODE_DECLINED' | 'DEVICE_CODE_EXPIRED' | 'DEVICE_CODE_RESPONSE_INVALID'
  | 'MANAGED_IDENTITY_UNAVAILABLE' | 'MANAGED_IDENTITY_ENDPOINT_FIXED' | 'MANAGED_IDENTITY_REJECTED' | 'CLI_NOT_INSTALLED'
  | 'CLI_NOT_LOGGED_IN' | 'CLI_FAILED' | 'CLI_TIMEOUT' | 'CHAIN_EXHAUSTED' | 'TOKEN_AUDIENCE_MISMATCH' | 'TOKEN_AUDIENCE_SLASH'
  | 'TOKEN_TENANT_MISMATCH' | 'TOKEN_ISSUER_MISMATCH' | 'TOKEN_EXPIRED' | 'TOKEN_NOT_YET_VALID' | 'TOKEN_OPAQUE' | 'CLOCK_SKEW'
  | 'RESOURCE_MANAGER_REJECTED_TOKEN' | 'RESOURCE_MANAGER_FORBIDDEN' | 'SERVICE_REJECTED_TOKEN' | 'SERVICE_FORBIDDEN'
  | 'SERVICE_FIREWALL' | 'CHALLENGE_AUTHORITY_MISMATCH' | 'CHALLENGE_AUDIENCE_MISMATCH' | 'CHALLENGE_MISSING' | 'API_VERSION_UNSUPPORTED'
  | 'METADATA_NOT_CONFIGURED' | 'METADATA_INVALID' | 'METADATA_CLOUD_NOT_LISTED' | 'METADATA_MISMATCH', object>>;
/** A code in the catalog. */
export type FindingCode = keyof typeof rows;
/** Warnings about a profile and its environment. */
export declare const warningFindings: Readonly<Record<'UNKNOWN_FIELD' | 'OVERRIDE_UNUSED' | 'ARM_AUDIENCE_DIFFERS'
  | 'PLACEHOLDER_FIELD' | 'CLOUD_DEFAULTED' | 'FOREIGN_VALUE' | 'VAULT_AUDIENCE_OUTSIDE_SUFFIX' | 'TENANT_DIFFERS'
  | 'SECRET_SUSPECT' | 'TENANT_UNUSUAL' | 'GUID_TENANT_WITH_FEDERATION_SERVICE' | 'FEDERATION_SERVICE_OUTSIDE_STACK'
  | 'MANAGED_IDENTITY_ON_STACK' | 'FUNCTIONS_ON_STACK' | 'AUTHORITY_ALIAS' | 'UNKNOWN_VARIABLE' | 'SCHEDULE_DAYS_COMBINED'
  | 'LIBRARY_VARIABLE_IGNORED' | 'LIBRARY_VARIABLE_IN_EFFECT' | 'CLI_CLOUD_NOT_REGISTERED', object>>;
/** A code of {@link ServiceError}: a row of the findings. Codes are stable; messages are for people and may change. */
export type ErrorCode = FindingCode;
export interface ServiceErrorOptions extends ErrorOptions {
  /** Undefined values are left out, and text of other systems is made printable. */
  readonly evidence?: { readonly [K in keyof Evidence]: string | undefined; } | undefined;
  /** Milliseconds that the other side asks to wait. */
  readonly retryAfterMs?: number | undefined;
}
export type FixOf = (error: Pick<ServiceError, 'code' | 'evidence'>) => Fix;
/** Every copy of the class shares it: an application can load the library by `import` and by `require`. */
export declare const mark: unique symbol;
/** A code of {@link Warning}: a row of the warnings among the findings. */
export type WarningCode = keyof typeof warningFindings;
/** The name of a built-in profile. */
export type CloudName = 'platform-commercial' | 'platform-us-gov-secret' | 'platform-us-gov-topsecret' | 'platform-us-government'
  | 'platformstack-custom' | (string & {});
/** The services that a cloud file names. */
export type ServiceName = 'apiManagement' | 'appConfiguration' | 'appService' | 'applicationInsights' | 'arc' | 'attestation'
  | 'automation' | 'backup' | 'batch' | 'blob' | 'botFramework' | 'classicLogin' | 'classicPortal' | 'cloudServices'
  | 'cognitiveServices' | 'containerApps' | 'containerRegistry' | 'cosmos' | 'dataFactory' | 'dataLake' | 'databricks'
  | 'defender' | 'deviceRegistration' | 'dfs' | 'digitalTwins' | 'directoryGraph' | 'eventGrid' | 'eventHubs' | 'file'
  | 'fileSync' | 'foundry' | 'frontDoor' | 'gallery' | 'hdinsight' | 'healthData' | 'iotHub' | 'keyVault' | 'kubernetes'
  | 'kusto' | 'logAnalytics' | 'logicApps' | 'machineLearning' | 'managedHsm' | 'maps' | 'mariadb' | 'microsoftGraph'
  | 'monitorIngestion' | 'mysql' | 'officeManagement' | 'openSourceDatabases' | 'openai' | 'portal' | 'postgresql'
  | 'powerBi' | 'purview' | 'queue' | 'redis' | 'search' | 'serviceBus' | 'serviceManagement' | 'signalr' | 'sqlManagement'
  | 'sqlServer' | 'staticWebApps' | 'storageDnsZone' | 'synapse' | 'table' | 'trafficManager' | 'virtualDesktop' | 'virtualMachine'
  | 'webPubsub';
/** Environment variables by name. A blank value counts as unset. */
export interface Env {
  /** Name of a built-in profile. Default: platform-us-government. */
  readonly PLATFORM_CLOUD?: string | undefined;
  /** Path of a custom profile file. It wins over PLATFORM_CLOUD. */
  readonly CUSTOM_CLOUD_PROFILE_PATH?: string | undefined;
  /** Folder of profile files: clouds whose values are recognized beside the built-in ones. */
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
  readonly AUTH_MODE?: 'managedIdentity' | 'workloadIdentity' | 'platformCli' | 'deviceCode' | 'clientSecret' | 'clientCertificate'
  | 'usernamePassword' | 'default' | (string & {}) | undefined;
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
  /** Subscription shown in the diagnostics. */
  readonly PLATFORM_SUBSCRIPTION_ID?: string | undefined;
  /** Storage account to check. */
  readonly PLATFORM_STORAGE_ACCOUNT?: string | undefined;
  /** Key vault to check. */
  readonly PLATFORM_KEY_VAULT?: string | undefined;
  /** Further services to check, comma-separated: a name of the `services` of the profile, a slash and the name of the resource, such as `serviceBus/myns,sqlServer/mydb`. */
  readonly PLATFORM_SERVICES?: string | undefined;
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
export declare const authModes: readonly ['managedIdentity', 'workloadIdentity', 'platformCli', 'deviceCode', 'clientSecret', 'clientCertificate', 'usernamePassword', 'default'];
export type AuthMode = (typeof authModes)[number];
/** An application that signs in to the login authority of the profile. */
export interface Application {
  /** Client (application) id. */
  readonly clientId: string;
  /** Default is the tenant of the profile. */
  readonly tenantId?: string;
  /** Hosts (`host` or `host:port`), besides the login authority, that may receive token requests. Default is none. */
  readonly allowedTokenHosts?: readonly string[];
}
export interface ManagedIdentitySettings {
  readonly mode: 'managedIdentity';
  /** Client id of a user-assigned identity. Default is the system-assigned identity. */
  readonly clientId?: string;
}
export interface WorkloadIdentitySettings extends Application {
  readonly mode: 'workloadIdentity';
  /** Path of the federated token file. */
  readonly federatedTokenFile: string;
}
export interface PlatformCliSettings {
  readonly mode: 'platformCli';
  /** Default is the tenant of the profile. */
  readonly tenantId?: string;
}
export interface DeviceCodeSettings extends Application {
  readonly mode: 'deviceCode';
}
export type None<K extends string> = { readonly [P in K]?: never; };
export type Text<K extends string> = { readonly [P in K]: string; };
/** A secret, or the path of its file, which is read again when it changes. */
export type Secret<K extends string> = (Text<K> & None<`${K}Path`>) | (Text<`${K}Path`> & None<K>);
export type OptionalSecret<K extends string> = Secret<K> | None<K | `${K}Path`>;
export interface Certificate {
  /** Path of a PEM file with the certificate and its private key. Its password is optional. */
  readonly clientCertificatePath: string;
}
export type ClientSecretSettings = Application & {
  readonly mode: 'clientSecret';
} & Secret<'clientSecret'>;
export type ClientCertificateSettings = Application & Certificate & {
  readonly mode: 'clientCertificate';
} & OptionalSecret<'clientCertificatePassword'>;
export type UsernamePasswordSettings = Application & {
  readonly mode: 'usernamePassword';
  readonly username: string;
} & Secret<'password'>;
/** A client assertion (RFC 7523) that the application signs or fetches itself. */
export interface ClientAssertionSettings extends Application {
  readonly mode: 'clientAssertion';
  /** Called for each token request. */
  readonly getAssertion: () => Promise<string>;
}
export type ClientProof = (Secret<'clientSecret'> & None<'clientCertificatePath' | 'federatedTokenFile' | 'getAssertion'>)
  | (Certificate & OptionalSecret<'clientCertificatePassword'> & None<'clientSecret' | 'clientSecretPath' | 'federatedTokenFile'
  | 'getAssertion'>) | (Text<'federatedTokenFile'> & None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath'
  | 'getAssertion'>) | (Pick<ClientAssertionSettings, 'getAssertion'> & None<'clientSecret' | 'clientSecretPath' | 'clientCertificatePath'
  | 'federatedTokenFile'>);
/** On behalf of a user: one credential for each token that a user sent to this application. */
export type OnBehalfOfSettings = Application & {
  readonly mode: 'onBehalfOf';
  /** The access token of the user, whose audience is this application. */
  readonly userAssertion: string;
} & ClientProof;
/** The default chain: tries each mode whose settings are complete. */
export type DefaultChainSettings = {
  readonly mode: 'default';
} & Partial<Application & Certificate & Text<'federatedTokenFile' | 'username'>> & OptionalSecret<'clientSecret'> & OptionalSecret<'clientCertificatePassword'> & OptionalSecret<'password'>;
/** A signal of any kind: the platform's, or a library's, which may have no reason. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
/**
 * A credential of an application, such as one of `@azure/identity`. `resolveCloud` passes its tokens on unchanged. Without a token
 * (`null`), `getToken` fails with `ARGUMENT_INVALID`.
 */
export interface ApplicationCredential {
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<Pick<AccessToken, 'token' | 'expiresOnTimestamp'> | null>;
}
/** A service of a profile: one that the cloud files name, or one that your profile adds. `storage` is another name of `blob`. */
export type ServiceId = ServiceName | DnsService | (string & {});
/** A text of a profile as a dotted path, such as `serviceDnsSuffixes.storage`; a member of a list has its position. */
export type FieldPath = Exclude<keyof CloudProfile, 'serviceDnsSuffixes' | 'serviceAudiences' | 'services' | 'aliases'
  | 'toolNames' | 'absent'> | `serviceDnsSuffixes.${keyof CloudProfile['serviceDnsSuffixes']}` | `serviceAudiences.${keyof CloudProfile['serviceAudiences']}`
  | `services.${string}.${keyof NonNullable<CloudProfile['services']>[string]}` | `aliases.${keyof NonNullable<CloudProfile['aliases']>}.${number}`
  | `toolNames.${string}` | `absent.${number}`;
/** The source of a whole profile. */
export type ProfileSource = {
  readonly kind: 'built-in';
  readonly name: string;
} | {
  readonly kind: 'file';
  readonly path: string;
} | {
  readonly kind: 'option';
};
/** Why this profile: no variable chose one, the variable that did, or an option of the library or the command line. */
export type SelectedBy = 'default' | 'PLATFORM_CLOUD' | 'CUSTOM_CLOUD_PROFILE_PATH' | 'option';
/** How a value came about: it is in the profile, a variable set it, or a rule derived or dropped it because of a variable. */
export interface Origin {
  readonly by: 'profile' | 'variable' | 'derived' | 'dropped';
  /** The name of the variable; for `profile` the source of the profile in words. */
  readonly from: string;
}
/** A value and its origin. */
export interface FieldOrigin extends Origin {
  readonly value: string;
}
/** A resolved field with the overridden values, strongest first, without parts that may be secret. */
export interface ExplainedField extends FieldOrigin {
  readonly overridden?: readonly FieldOrigin[];
}
/** A resolved profile with the origin of every field and what an operator should know about it. */
export interface ExplainedProfile {
  readonly profile: CloudProfile;
  readonly source: ProfileSource;
  readonly selectedBy: SelectedBy;
  readonly fields: Readonly<Record<string, ExplainedField>>;
  readonly warnings: readonly Warning[];
  /** The clouds whose values are recognized, if PLATFORM_KNOWN_CLOUDS names more than the known ones. */
  readonly clouds?: readonly CloudFile[];
}
export interface ResolveOptions {
  /** Path of a custom profile file. Default is the variable CUSTOM_CLOUD_PROFILE_PATH. */
  readonly customProfilePath?: string | undefined;
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly name?: CloudName | undefined;
  /** Environment variables. Default is the process environment. */
  readonly env?: Env | undefined;
  /** Whether override variables apply to a custom file too. Default is the variable PLATFORM_OVERRIDE_CUSTOM_PROFILE, then false. */
  readonly overrideCustomProfile?: boolean | undefined;
}
/** Makes the compiler refuse a key that `Options` does not have, in a variable too: `K` is inferred as the keys that are passed. */
export type OnlyKnown<K extends PropertyKey, Options> = Options & { readonly [N in K]?: N extends keyof Options ? unknown : never; };
/** Lowest first. */
export type LogLevel = 'verbose' | 'info' | 'warning' | 'error';
/** An event of the log: one JSON object on one line, without secrets. */
export interface LogEvent {
  readonly level: LogLevel;
  /** `library`: a line of the credential library (PLATFORM_LOG_LEVEL=verbose). */
  readonly event: 'token' | 'library' | 'sign-in' | 'smoke-test' | 'smoke-test.profile' | 'request.failed' | 'start';
  readonly profile?: string;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
  readonly durationMs?: number;
  /** For a token: its scope, and whether it was in the cache. */
  readonly scope?: string;
  readonly cached?: boolean;
  /** For a start: where the profile comes from, who selected it, and the same for the credential. */
  readonly source?: string;
  readonly selectedBy?: string;
  readonly authMode?: string;
  readonly authModeFrom?: string;
  /** Codes. */
  readonly warnings?: readonly string[];
}
/** The values that a credential is built from. Secrets print as `[redacted]`. */
export interface CredentialPlan {
  readonly mode: AuthMode;
  /** The kind of credential. */
  readonly credential: string;
  /** Name of the cloud profile. */
  readonly profile: string;
  /** Milliseconds of one token attempt. */
  readonly timeoutMs: number;
  /** Fields of the profile that still hold a placeholder. */
  readonly placeholders: readonly string[];
}
/** Environment variables, as distinct from {@link CredentialSettings}. */
export type EnvironmentVariables = Env & {
  readonly mode?: never;
  readonly authMode?: never;
};
