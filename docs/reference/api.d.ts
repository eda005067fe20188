import { AccessToken, ApplicationCredential, ApplicationSettings, AuthMode, Change, CloudEnvironment, CloudName, CloudProfile, CredentialOptions, CredentialPlan, CredentialSettings, DnsService, Env, ErrorCode, ExplainedField, ExplainedProfile, FieldPath, GetTokenOptions, LogEvent, ProfileSource, ResolveOptions, ServiceAccess, ServiceError, ServiceId, SignInPrompt, TokenCredential, TokenValidation, Warning, WarningCode, builtInProfileNames, cloudEnvironments, createCredential, createCredentialPlan, isServiceError, resolveAuthMode, resourceManagerUrl, scopeFor, serviceUrl, shouldDisableInstanceDiscovery } from "./types.js";
/** At most one of `cloud`, `profile` and `customProfilePath` may be set. Each wins over the variables that select a profile. */
interface CloudOptions extends CredentialOptions, Omit<ResolveOptions, 'name'> {
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly cloud?: CloudName | undefined;
  /** A profile as an object, such as an imported JSON file. */
  readonly profile?: CloudProfile | (Omit<CloudProfile, 'environment'> & {
    readonly environment: string;
  }) | undefined;
  /** How to sign in: the settings of one mode, or a credential, such as one from `@azure/identity`. Default is the environment variables. */
  readonly credential?: CredentialSettings | ApplicationCredential | undefined;
  /** Whether to take the resource manager audience from the metadata of the live cloud. Default is PLATFORM_DISCOVER_AUDIENCE, then false. */
  readonly discoverAudience?: boolean | undefined;
}
/** What selects the one profile of this process. */
interface ProfileOptions extends Omit<ResolveOptions, 'name'> {
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly name?: CloudName | undefined;
}
interface ResourceManagerAccess {
  /** Ends with "/". */
  readonly url: string;
  /** The claim `aud` of its tokens. */
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
/** The values of one service, with the credential of the application. */
interface Service<Name = ServiceId> extends ServiceAccess<Name> {
  /** The credential, fixed to the scope of this service. For clients that request the scope of the public cloud and take no option for it. */
  readonly credential: TokenCredential;
}
/** Everything an application needs from its cloud. */
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
  readonly service: <Name extends ServiceId>(name: Name, account?: string) => Service<Name>;
  /** The values to validate the tokens of callers. */
  readonly identity: TokenValidation;
  /**
   * The credential to call services as a user who called this application (OAuth 2.0 on-behalf-of). Validate the token of the user first, with
   * `identity`. The last 500 credentials are cached, by the token of the user and the settings.
   *
   * @param userAssertion The access token that the user sent. Its audience is this application.
   * @param settings How the application proves its identity: a secret, a certificate, a token file or a callback, and `tenantId` for users of
   *   another tenant. Default is `credential` of the options, then the environment.
   * @throws {ServiceError} `ARGUMENT_INVALID` for a text that isn't a token; `CREDENTIAL_SETTING_MISSING`. Its `getToken` fails with
   *   `USER_ASSERTION_REJECTED`, `ON_BEHALF_OF_NOT_ALLOWED`, `CONSENT_REQUIRED` or a code of every credential.
   */
  readonly onBehalfOf: (userAssertion: string, settings?: ApplicationSettings) => TokenCredential;
}
/**
 * Resolves the cloud of this process and builds its credential. Makes no request, except with `discoverAudience`.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an unknown option, before anything else is read; the errors of {@link resolveCloudProfile},
 *   {@link createCredentialPlan}, {@link createCredential} and `discoverCloud`.
 */
declare function resolveCloud(options?: CloudOptions): Promise<Cloud>;
/**
 * Resolves the one cloud profile of this process: a custom file, else a built-in with the override variables applied.
 *
 * @throws {ServiceError} `UNSUPPORTED_CLOUD`, `PROFILE_UNREADABLE`, `PROFILE_INVALID`, `REFERENCE_UNRESOLVED`, `SETTING_INVALID` or
 *   `ARGUMENT_INVALID`.
 */
declare function resolveCloudProfile(options?: ProfileOptions): CloudProfile;
/** Like {@link resolveCloudProfile}, with the origin of each field and the warnings. */
declare function explainCloudProfile(options?: ProfileOptions): ExplainedProfile;
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
  /** Why it happens. Absent for a warning whose message says it. */
  readonly cause?: string;
  /** The change to make. Begins with a verb. */
  readonly fix: string;
}
/**
 * Title, cause and fix of a code of a {@link ServiceError} or a {@link Warning}.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other text.
 */
declare function finding(code: ErrorCode | WarningCode): Finding;
export { type AccessToken, type ApplicationCredential, type ApplicationSettings, type AuthMode, type Change, type Cloud, type CloudEnvironment, type CloudName, type CloudOptions, type CloudProfile, type CredentialOptions, type CredentialPlan, type CredentialSettings, type DnsService, type Env, type ErrorCode, type ExplainedField, type ExplainedProfile, type FieldPath, Finding, type GetTokenOptions, type LogEvent, type ProfileSource, type ProfileOptions as ResolveOptions, type ResourceManagerAccess, type Service, type ServiceAccess, ServiceError, type ServiceId, type SignInPrompt, type TokenCredential, type TokenValidation, type Warning, type WarningCode, builtInProfileNames, cloudEnvironments, createCredential, createCredentialPlan, explainCloudProfile, finding, isServiceError, parseCloudProfile, resolveAuthMode, resolveCloud, resolveCloudProfile, resourceManagerUrl, scopeFor, serviceUrl, shouldDisableInstanceDiscovery };