import type { CloudName } from './clouds/known-files.ts'
import type { ApplicationSettings } from './auth/modes/application.ts'
import { type ApplicationCredential, requireTokens, type TokenCredential } from './auth/token-credential.ts'
import type { Env } from './base/env.ts'
import { deepFreeze } from './base/json.ts'
import { showValue } from './base/printable.ts'
import { argumentError, mustBe, type Warning } from './errors.ts'
import { withFixes } from './fixes.ts'
import type { DiscoverOptions } from './metadata/discover-cloud.ts'
import type { CloudProfile } from './clouds/cloud-profile.ts'
import { serviceAccess, type ServiceAccess, type ServiceId } from './profile/service-access.ts'
import { tokenValidation, type TokenValidation, resolveProvider } from './profile/identity-provider.ts'
import { findForeignValues, foreignWarnings, withoutConsequences } from './profile/lint-profile.ts'
import type { ExplainedProfile } from './profile/explained-profile.ts'
import { explainProfile, type ResolveOptions } from './profile/resolve-cloud-profile.ts'
import { namedTenant } from './settings/credential-values.ts'
import { scopeFor } from './profile/endpoints.ts'
import { readSetting } from './settings/setting.ts'
import { settingTable } from './settings/setting-table.ts'
import { checkOptions, type OptionRules, rules } from './profile/check-arguments.ts'
import { buildCredential, type CredentialOptions, credentialRules, userCredentials } from './auth/create-credential.ts'
import { type CredentialSettings, planCredential, readPlanValues, withoutMode } from './auth/credential-plan.ts'

/** At most one of `cloud`, `profile` and `customProfilePath` may be set. Each wins over the variables that select a profile. */
export interface CloudOptions extends CredentialOptions, Omit<ResolveOptions, 'name'> {
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly cloud?: CloudName | undefined
  /** A profile as an object, such as an imported JSON file. */
  readonly profile?: CloudProfile | (Omit<CloudProfile, 'environment'> & { readonly environment: string }) | undefined
  /** How to sign in: the settings of one mode, or a credential, such as one from `@azure/identity`. Default is the environment variables. */
  readonly credential?: CredentialSettings | ApplicationCredential | undefined
  /** Whether to take the resource manager audience from the metadata of the live cloud. Default is PLATFORM_DISCOVER_AUDIENCE, then false. */
  readonly discoverAudience?: boolean | undefined
}

/** What selects the one profile of this process. */
export interface ProfileOptions extends Omit<ResolveOptions, 'name'> {
  /** Name of a built-in profile. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly name?: CloudName | undefined
}

const selectionRules = { customProfilePath: rules.text, env: rules.variables, overrideCustomProfile: rules.flag }

const cloudRules: OptionRules<CloudOptions> = {
  cloud: rules.text,
  profile: rules.profile,
  ...selectionRules,
  credential: rules.object,
  discoverAudience: rules.flag,
  ...credentialRules,
}

const resolveRules: OptionRules<ProfileOptions> = { ...selectionRules, name: rules.text }

export interface ResourceManagerAccess {
  /** Ends with "/". */
  readonly url: string
  /** The claim `aud` of its tokens. */
  readonly audience: string
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string
  /** Options of the management clients (`@azure/arm-*`), older and newer ones. */
  readonly clientOptions: {
    endpoint: string
    credentials: { scopes: string[] }
    credentialScopes: string[]
  }
}

/** The values of one service, with the credential of the application. */
export interface Service<Name = ServiceId> extends ServiceAccess<Name> {
  /** The credential, fixed to the scope of this service. For clients that request the scope of the public cloud and take no option for it. */
  readonly credential: TokenCredential
}

/** Everything an application needs from its cloud. */
export interface Cloud {
  readonly profile: CloudProfile
  /** Warnings for an operator. None stops the application. */
  readonly warnings: readonly Warning[]
  readonly credential: TokenCredential
  readonly resourceManager: ResourceManagerAccess
  /**
   * The values of a service, by its name in the profile.
   *
   * @param account Name of the resource: one DNS label, such as the name of a storage account. A service with one address needs none.
   * @throws {ServiceError} `SERVICE_NOT_PUBLISHED` for a service, or a value of it, that the cloud does not have.
   */
  readonly service: <Name extends ServiceId>(name: Name, account?: string) => Service<Name>
  /** The values to validate the tokens of callers. */
  readonly identity: TokenValidation
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
  readonly onBehalfOf: (userAssertion: string, settings?: ApplicationSettings) => TokenCredential
}

/**
 * Resolves the cloud of this process and builds its credential. Makes no request, except with `discoverAudience`.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an unknown option, before anything else is read; the errors of {@link resolveCloudProfile},
 *   {@link createCredentialPlan}, {@link createCredential} and `discoverCloud`.
 */
export async function resolveCloud(options: CloudOptions = {}): Promise<Cloud> {
  return withFixes(() => openCloud(options))
}

async function openCloud(given: CloudOptions): Promise<Cloud> {
  const options = checkOptions(given, cloudRules)
  const chosen = (['cloud', 'profile', 'customProfilePath'] as const).filter((key) => options[key] !== undefined)
  if (chosen.length > 1) {
    const names = chosen.map((key) => `options.${key}`)
    const message = `${names.join(' and ')} contradict each other: pass one of them`
    throw argumentError({ message, fix: `Pass only ${names.join(' or ')}.` })
  }
  const { env = process.env, credential: source } = options
  const explained = explainChosen(options, env)
  const isReady = isApplicationCredential(source)
  const values = isReady ? undefined : readPlanValues(source ?? env, env)
  const cloud = resolveProvider(explained, values && namedTenant(values))
  const plan = values && withFixes(() => planCredential(cloud, values), values)
  const credential = plan ? await buildCredential(plan, options, env) : requireTokens(source as ApplicationCredential)
  const timeoutMs = options.timeoutMs ?? values?.tokenTimeoutMs
  const discovers = options.discoverAudience ?? readSetting(env, settingTable.discoverAudience) === true
  const profile = discovers ? await withDiscoveredAudience(cloud.profile, { env, timeoutMs }) : cloud.profile
  const { resourceManagerEndpoint: url, resourceManagerAudience: audience } = profile
  const { findWarnings } = await import('./variables.ts')
  const scope = scopeFor(audience)
  return {
    profile: deepFreeze(profile),
    warnings: [...defaultCloudWarnings(cloud), ...(await findWarnings(cloud, env))],
    credential,
    resourceManager: {
      url,
      audience,
      scope,
      // A new object for each caller, because a client may change it. The clients append a slash to the endpoint.
      get clientOptions() {
        return { endpoint: url.replace(/\/$/, ''), credentials: { scopes: [scope] }, credentialScopes: [scope] }
      },
    },
    service: (name, account) => withFixes(() => withCredential(serviceAccess(profile, name, account), credential)),
    identity: tokenValidation(profile, cloud.provider),
    onBehalfOf: userCredentials({
      ...options,
      cloud: { ...cloud, profile },
      settings: isReady ? undefined : source,
      env,
    }),
  }
}

/** Adds the credential of an application to the values of a service. A service without an audience has no scope, so it is read late. */
function withCredential<Name>(access: ServiceAccess<Name>, credential: TokenCredential): Service<Name> {
  const get = (): TokenCredential => {
    const { scope } = access
    return { getToken: async (_scopes, options) => credential.getToken(scope, options) }
  }
  return Object.defineProperty(access as Service<Name>, 'credential', { get })
}

/** The profile with the resource manager audience that the live cloud publishes. */
async function withDiscoveredAudience(profile: CloudProfile, options: DiscoverOptions): Promise<CloudProfile> {
  // Most applications don't need this module.
  const { discoverAudience } = await import('./metadata/discover-cloud.ts')
  const arm = await discoverAudience(profile, options)
  return { ...profile, resourceManagerAudience: arm, serviceAudiences: { ...profile.serviceAudiences, arm } }
}

/** The service shows which cloud it uses. An application doesn't, so the default is a warning. */
function defaultCloudWarnings({ selectedBy, profile }: ExplainedProfile): Warning[] {
  if (selectedBy !== 'default') return []
  const message = `No option and no variable selects a cloud, so ${profile.name} is used`
  return [{ code: 'CLOUD_DEFAULTED', message }]
}

/** An option wins over every variable, so a given name also wins over CUSTOM_CLOUD_PROFILE_PATH. */
function explainChosen({ cloud, profile, ...options }: CloudOptions, env: Env): ExplainedProfile {
  if (cloud?.trim() === '') throw argumentError(mustBe('options.cloud', 'the name of a cloud', showValue(cloud)))
  return explainProfile({
    ...options,
    name: cloud,
    nameOption: 'cloud',
    // The schema checks `environment`.
    profile: profile as CloudProfile | undefined,
    env: cloud === undefined ? env : { ...env, CUSTOM_CLOUD_PROFILE_PATH: undefined },
  })
}

/** Whether the caller passed a credential. @throws {ServiceError} `ARGUMENT_INVALID` for an object that is neither a credential nor settings. */
function isApplicationCredential(given: CloudOptions['credential']): given is ApplicationCredential {
  if (given === undefined || Object.hasOwn(given, 'mode') || Object.hasOwn(given, 'authMode')) return false
  if ('getToken' in given && typeof given.getToken === 'function') return true
  throw withoutMode('options.credential', 'a function getToken')
}

/**
 * Resolves the one cloud profile of this process: a custom file, else a built-in with the override variables applied.
 *
 * @throws {ServiceError} `UNSUPPORTED_CLOUD`, `PROFILE_UNREADABLE`, `PROFILE_INVALID`, `REFERENCE_UNRESOLVED`, `SETTING_INVALID` or
 *   `ARGUMENT_INVALID`.
 */
export function resolveCloudProfile(options: ProfileOptions = {}): CloudProfile {
  return withFixes(() => explainProfile(checkOptions<ProfileOptions>(options, resolveRules)).profile)
}

/** Like {@link resolveCloudProfile}, with the origin of each field and the warnings. */
export function explainCloudProfile(options: ProfileOptions = {}): ExplainedProfile {
  return withFixes(() => {
    const explained = explainProfile(checkOptions<ProfileOptions>(options, resolveRules))
    const foreign = foreignWarnings(findForeignValues(explained), resolveProvider(explained))
    const warnings = [...defaultCloudWarnings(explained), ...explained.warnings, ...foreign]
    return { ...explained, warnings: withoutConsequences(warnings) }
  })
}
