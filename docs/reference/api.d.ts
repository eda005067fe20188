declare global {
  interface AbortSignal {}
}
import type { AbortSignalLike, ApplicationCredential, AuthMode, ChangeableField, ClientAssertionSettings, ClientCertificateSettings, ClientSecretSettings, CloudEnvironment, CloudName, CloudProfile, CredentialPlan, DefaultChainSettings, DeviceCodeSettings, DnsService, Env, EnvironmentVariables, ErrorCode, Evidence, ExplainedField, ExplainedProfile, FieldPath, FixOf, LogEvent, ManagedIdentitySettings, OnBehalfOfSettings, OnlyKnown, PlatformCliSettings, ProfileSource, ResolveOptions, ServiceErrorOptions, ServiceId, UsernamePasswordSettings, WarningCode, WorkloadIdentitySettings, mark } from './types.js'
/**
 * Resolves the cloud of this process and builds its credential. Makes no request, except with `discoverAudience`.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an unknown option, before anything else is read; the errors of {@link resolveCloudProfile},
 *   {@link createCredentialPlan}, {@link createCredential} and `discoverCloud`.
 */
declare function resolveCloud<K extends PropertyKey = never>(options?: OnlyKnown<K, CloudOptions>): Promise<Cloud>;
/** At most one of `cloud`, `profile` and `customProfilePath` may be set. Each wins over the variables that select a profile. */
interface CloudOptions extends CredentialOptions {
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly cloud?: CloudName | undefined;
  /** A profile as a value, or a JSON file that was imported. */
  readonly profile?: CloudProfile | (Omit<CloudProfile, 'environment'> & {
    readonly environment: string;
  }) | undefined;
  /** Path of a custom profile file. Default is the variable CUSTOM_CLOUD_PROFILE_PATH. */
  readonly customProfilePath?: string | undefined;
  /** Environment variables. Default is the process environment. */
  readonly env?: Env | undefined;
  /** How to sign in: the settings of one mode, or a credential, such as one of `@azure/identity`. Default is the environment. */
  readonly credential?: CredentialSettings | ApplicationCredential | undefined;
  /** Whether override variables apply to a custom profile too. Default is the variable PLATFORM_OVERRIDE_CUSTOM_PROFILE, then false. */
  readonly overrideCustomProfile?: boolean | undefined;
  /** Whether the live cloud gives the audience of its resource manager. Default is the variable PLATFORM_DISCOVER_AUDIENCE, then false. */
  readonly discoverAudience?: boolean | undefined;
}
/** All that an application needs of its cloud. */
interface Cloud {
  readonly profile: CloudProfile;
  /** Warnings for an operator. None stops the application. */
  readonly warnings: readonly Warning[];
  readonly credential: TokenCredential;
  readonly resourceManager: ResourceManagerAccess;
  /**
   * The values of a service, by its name in the profile.
   *
   * @param account Name of the resource: one DNS label, such as the name of a storage account. A service with one address needs none.
   * @throws {ServiceError} `SERVICE_NOT_PUBLISHED` for a service, or a value of it, that the cloud does not have.
   */
  readonly service: <Name extends ServiceId>(name: Name, account?: string) => ServiceAccess<Name>;
  /** The values to validate tokens of callers. */
  readonly identity: TokenValidation;
  /**
   * The credential to call services as a user who called this application (OAuth 2.0 on-behalf-of). Validate the token of the user first, with
   * `identity`. The credentials of the last 500 tokens are cached.
   *
   * @param userAssertion The access token that the user sent. Its audience is this application.
   * @param settings How the application proves its identity: a secret, a certificate, a token file or a callback. Default is `credential`
   *   of the options, then the environment.
   * @throws {ServiceError} `ARGUMENT_INVALID` for a text that isn't a token; `CREDENTIAL_SETTING_MISSING`. Its `getToken` fails with
   *   `USER_ASSERTION_REJECTED`, `ON_BEHALF_OF_NOT_ALLOWED`, `CONSENT_REQUIRED` or a code of every credential.
   */
  readonly onBehalfOf: (userAssertion: string, settings?: CredentialSettings) => TokenCredential;
}
/**
 * The values by which a client reaches one service of the cloud. A value that the cloud does not publish, or that needs the name of an
 * account, is an error when it is read.
 */
interface ServiceAccess<Name = ServiceId> {
  /** Ends with "/". A service with another protocol than https, such as `sqlServer` or `serviceBus`, has `host` and `port` only. */
  readonly url: string;
  /** The host name, without port. */
  readonly host: string;
  readonly port: number;
  /** Identifier that a token of the service names, in the spelling that the service expects. */
  readonly audience: string;
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string;
  /** Options of the service's client that this cloud needs. */
  readonly clientOptions: ClientOptionsOf<Name>;
}
/** Further options of the clients of some services. */
type ClientOptionsOf<Name> = ServiceClientOptions & (Name extends 'keyVault' | 'managedHsm' ? {
  /** Whether the audience lies outside the domain of the vault, as behind a federation service: the client would refuse the challenge. */
  disableChallengeResourceVerification: boolean;
} : unknown) & (Name extends 'microsoftGraph' ? {
  baseUrl: string;
} : unknown) & (Name extends 'logAnalytics' | 'applicationInsights' ? {
  endpoint: string;
} : unknown);
/** What the clients of a service want in their options. */
interface ServiceClientOptions {
  /** In the form of the service's client: storage wants a scope, every other client an identifier without a final slash. */
  audience: string;
  credentials: {
    scopes: string[];
  };
}
interface ResourceManagerAccess {
  /** Ends with "/". */
  readonly url: string;
  /** Identifier that its tokens name. */
  readonly audience: string;
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string;
  /** Options of the management clients (`@azure/arm-*`), older and newer ones. */
  readonly clientOptions: {
    endpoint: string;
    credentials: {
      scopes: string[];
    };
    credentialScopes: string[];
  };
}
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
/**
 * A credential for the SDKs (`TokenCredential` of `@azure/core-auth`), declared here so that an application needs no types of the credential
 * library to compile. `getToken` never returns null.
 */
interface TokenCredential {
  /**
   * Gets a token.
   *
   * - Deadline: the `timeoutMs` of the credential. `abortSignal` ends the waiting of one call at once.
   * - Cache: one token for each scope, side by side. It is renewed in the background, 5 minutes before its expiry at the latest or at the
   *   refresh time that the login authority names, and earlier in some processes than in others, so that a fleet does not renew at once. While
   *   no renewal succeeds, the token is returned until it expires.
   * - Calls at the same time share one attempt. A failure is not cached.
   *
   * @param scopes An audience followed by `.default`; of several, the first. Anything else is refused (`ARGUMENT_INVALID`).
   * @throws {ServiceError} whose code says why there is no token.
   */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>;
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
  /** Ends the waiting of this call (`TOKEN_CANCELLED`, whose cause is the reason of the signal). Other callers still get their token. */
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
  /** Passed on to the credential library, which traces its requests with it. */
  readonly tracingOptions?: object;
}
interface CredentialOptions {
  /**
   * Milliseconds of one token attempt. With deviceCode: until a person is told to sign in, who then has until the code expires. Default is
   * PLATFORM_TOKEN_TIMEOUT_MS of the environment of the plan, then 10000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Shows a person where to sign in (deviceCode). Default writes one line to stderr. If it throws or rejects, the attempt fails
   * (`ARGUMENT_INVALID`).
   */
  readonly onDeviceCode?: ((prompt: SignInPrompt) => void | Promise<void>) | undefined;
  /**
   * Receives the events of the service's log; with PLATFORM_LOG_LEVEL=verbose also the lines of the credential library, which name the URLs that
   * it contacts. No event holds a secret or a user code. Default is no log. If it throws or rejects, the process emits a warning.
   */
  readonly log?: ((event: LogEvent) => unknown) | undefined;
}
/** The data that a person needs to sign in, without the device code itself. */
interface SignInPrompt {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Milliseconds since the epoch. */
  readonly expiresOnTimestamp: number;
}
/** The settings of a credential, one shape per mode. */
type CredentialSettings = ManagedIdentitySettings | WorkloadIdentitySettings | PlatformCliSettings | DeviceCodeSettings | ClientSecretSettings | ClientCertificateSettings | UsernamePasswordSettings | DefaultChainSettings | ClientAssertionSettings | OnBehalfOfSettings;
/** A failure this service expects and can explain. `code` is stable; `message` is for people and never has a secret. */
declare class ServiceError extends Error {
  #private;
  readonly code: ErrorCode;
  readonly evidence?: Evidence;
  /** Milliseconds that the other side asks to wait (Retry-After). Absent if it asks for nothing. */
  readonly retryAfterMs?: number;
  constructor(code: ErrorCode, message: string, { evidence, retryAfterMs, cause }?: ServiceErrorOptions);
  /** `instanceof ServiceError` is true for an error of any copy of this class. Classes below it keep the normal test. */
  static [Symbol.hasInstance](value: unknown): boolean;
  get [mark](): true;
  /** `AbortError` for a call that its caller canceled, as SDKs expect. Otherwise `ServiceError`. */
  get name(): 'ServiceError' | 'AbortError';
  /** What to change, for an operator. Begins with a verb. Empty for an error that no function of the library threw. */
  get fix(): string;
  /** The one setting that the fix changes; absent if the fix is not a setting. */
  get change(): Change | undefined;
  /** The catalog of findings is large, so a cold start and small functions of the library don't load it: those who do bring it along. @internal */
  explainBy(fixOf: FixOf): void;
  /** Whether the same call may succeed later without any change. */
  get isTransient(): boolean;
  /** A new error with the same facts and the stack of this call: several callers can wait for one attempt. @internal */
  again(): ServiceError;
  /** For a structured log. */
  toJSON(): Readonly<Record<string, unknown>>;
}
/** The one thing that a fix sets: an environment variable, or a field of a profile file. */
type Change<Field extends string = ChangeableField> = {
  readonly variable: string;
  readonly value?: string;
} | {
  readonly field: Field;
  readonly file: string;
  readonly value?: string;
};
/** Something an operator should know that does not stop the service. */
interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** Dotted path of the profile's field, if the warning is about one. */
  readonly field?: string;
  /** The commands for a shell that end it. They aren't repeated in the message. */
  readonly commands?: readonly string[];
}
/**
 * The scope of a token request: the audience followed by `.default`, verbatim. Some services tell `…//.default` from
 * `…/.default`, so nothing is trimmed or added.
 *
 * @param audience As profiles have it: it ends with `/`, which separates it from `.default`.
 * @throws {ServiceError} `ARGUMENT_INVALID` for an audience without its final slash, or with `.default` in it already.
 */
declare function scopeFor(audience: string): string;
/**
 * The address of one resource of a service, such as `https://myaccount.blob.core.windows.net/`.
 *
 * @param name One DNS label (letters, digits, inner hyphens, at most 63), so that a name can never change the host.
 * @throws {ServiceError} `SERVICE_NOT_PUBLISHED` for a service without an address in the profile, `ARGUMENT_INVALID` for another name.
 */
declare function serviceUrl(profile: CloudProfile, service: ServiceId, name: string): string;
/**
 * The address of a path of the resource manager. The address includes the base path of the endpoint.
 *
 * @param path Relative to the endpoint, with or without a leading slash, optionally with a query.
 * @throws {ServiceError} `ARGUMENT_INVALID` when the path would leave the endpoint's host or base path.
 */
declare function resourceManagerUrl(profile: CloudProfile, path: string): string;
/**
 * Resolves the one cloud profile of this process: a custom file, else a built-in with the override variables applied.
 *
 * @throws {ServiceError} `UNSUPPORTED_CLOUD`, `PROFILE_UNREADABLE`, `PROFILE_INVALID`, `REFERENCE_UNRESOLVED`, `SETTING_INVALID` or
 *   `ARGUMENT_INVALID`.
 */
declare function resolveCloudProfile<K extends PropertyKey = never>(options?: OnlyKnown<K, ResolveOptions>): CloudProfile;
/** The kinds of cloud that a profile can describe. */
declare const cloudEnvironments: readonly ['public', 'usgovernment', 'usgovernmentsecret', 'usgovernmenttopsecret', 'platformstackcloud', 'custom'];
/** Whether a value is a {@link ServiceError} of any copy of the library in this process. A canceled call is one too. */
declare function isServiceError(value: unknown): value is ServiceError;
/**
 * Whether the credential library must skip its public instance discovery: for every authority host but the three well-known ones, which an
 * isolated network cannot reach anyway. Letter case, a default port and trailing slashes do not matter; a path does.
 */
declare function shouldDisableInstanceDiscovery(authorityHost: string): boolean;
/**
 * The mode of an environment: AUTH_MODE, else what the environment offers: a federated token, an identity endpoint, or the command-line
 * tool of a developer.
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
 * of the plan, and fails with a {@link ServiceError} whose code says why.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an invalid `timeoutMs`, `SETTING_INVALID` if the process environment holds a variable that
 *   would send the credential library to another host (MSAL_FORCE_REGION, AZURE_REGIONAL_AUTHORITY_NAME) or undo its protection.
 */
declare function createCredential<K extends PropertyKey = never>(plan: CredentialPlan, options?: OnlyKnown<K, CredentialOptions>): Promise<TokenCredential>;
/** As {@link resolveCloudProfile}, with the source of each field and the warnings. */
declare function explainCloudProfile<K extends PropertyKey = never>(options?: OnlyKnown<K, ResolveOptions>): ExplainedProfile;
/** The names of the built-in profiles. */
declare const builtInProfileNames: readonly string[];
/**
 * Checks a document as a cloud profile. Nothing is repaired; a blank optional field counts as absent.
 *
 * @param input Any parsed JSON.
 * @param source The name of the document in the error, such as the path of a file. Default is `cloud profile`.
 * @returns A copy with the fields of a profile, in their order, and no other.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path; `REFERENCE_UNRESOLVED` if a
 *   field contains a text that a deployment tool should have replaced.
 */
declare function parseCloudProfile(input: unknown, source?: string): CloudProfile;
/** The cause and the fix of a code, for an operator. */
interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string;
  /** Why it happens. */
  readonly cause: string;
  /** The change to make. Begins with a verb. */
  readonly fix: string;
}
/**
 * Title, cause and fix of a code of a {@link ServiceError} or a {@link Warning}.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other text.
 */
declare function finding(code: ErrorCode | WarningCode): Finding;
export { type AccessToken, type ApplicationCredential, type AuthMode, type Change, type Cloud, type CloudEnvironment, type CloudOptions, type CloudProfile, type CredentialOptions, type CredentialPlan, type CredentialSettings, type DnsService, type Env, type ErrorCode, type ExplainedField, type ExplainedProfile, type FieldPath, Finding, type GetTokenOptions, type LogEvent, type ProfileSource, type ResolveOptions, type ResourceManagerAccess, type ServiceAccess, ServiceError, type ServiceId, type SignInPrompt, type TokenCredential, type TokenValidation, type Warning, type WarningCode, builtInProfileNames, cloudEnvironments, createCredential, createCredentialPlan, explainCloudProfile, finding, isServiceError, parseCloudProfile, resolveAuthMode, resolveCloud, resolveCloudProfile, resourceManagerUrl, scopeFor, serviceUrl, shouldDisableInstanceDiscovery };