import type { CredentialSettings } from '../auth/credential-settings.ts'
import type { TokenCredential } from '../auth/token-credential.ts'
import type { Env } from '../base/env.ts'
import type { Warning } from '../errors.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import type { CloudMetadata } from '../metadata/cloud-metadata.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import type { CloudProfile, DnsService } from '../profile/cloud-profile.ts'
import { scopeFor, serviceUrl } from '../profile/endpoints.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { explainProfile } from '../profile/resolve-cloud-profile.ts'
import { findWarnings } from '../settings/find-warnings.ts'
import { readSetting } from '../settings/setting.ts'
import { settingTable } from '../settings/setting-table.ts'
import {
  checkExclusive,
  checkOptions,
  checkProfile,
  checkResultOf,
  rules,
  type OnlyKnown,
  type OptionRules,
} from './check-arguments.ts'
import { buildCredential, buildPlan, credentialRules, type CredentialOptions } from './credential.ts'

/** At most one of `cloud`, `profile` and `customProfilePath` may be set. Each wins over the variables that select a profile. */
export interface CloudOptions extends CredentialOptions {
  /** Name of a cloud that can be selected. Default is the variable PLATFORM_CLOUD, then `platform-us-government`. */
  readonly cloud?: string | undefined
  /** A profile as a value. */
  readonly profile?: CloudProfile | undefined
  /** Path of a custom profile file. Default is the variable CUSTOM_CLOUD_PROFILE_PATH. */
  readonly customProfilePath?: string | undefined
  /** Environment variables. Default is the process environment. */
  readonly env?: Env | undefined
  /** How to sign in: the settings of one mode, or a credential that is ready. Default is the environment. */
  readonly credential?: CredentialSettings | TokenCredential | undefined
  /** Whether override variables apply to a custom profile too. Default is the variable PLATFORM_OVERRIDE_CUSTOM_PROFILE, then false. */
  readonly overrideCustomProfile?: boolean | undefined
  /** Whether the live cloud gives the audience of its resource manager. Default is the variable PLATFORM_DISCOVER_AUDIENCE, then false. */
  readonly discoverAudience?: boolean | undefined
}

const cloudRules: OptionRules<CloudOptions> = {
  cloud: rules.text,
  profile: rules.profile,
  customProfilePath: rules.text,
  env: rules.variables,
  credential: rules.object,
  overrideCustomProfile: rules.flag,
  discoverAudience: rules.flag,
  ...credentialRules,
}

/** The values by which a client reaches one service of the cloud. */
export interface ServiceAccess {
  /** Ends with "/". */
  readonly url: string
  /** Identifier that a token of the service names. */
  readonly audience: string
  /** The argument of `getToken`: the audience followed by `.default`. */
  readonly scope: string
}

export interface ResourceManagerAccess extends ServiceAccess {
  /** Options of the management clients (`@azure/arm-*`), older and newer ones. */
  readonly clientOptions: {
    endpoint: string
    credentials: { scopes: string[] }
    credentialScopes: string[]
  }
}

/**
 * One resource of a service. A profile has no audience of the services of the second signature.
 *
 * @param account One DNS label, such as the name of a storage account.
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other name.
 */
export interface FindService {
  (name: 'storage' | 'keyVault', account: string): ServiceAccess
  (name: DnsService, account: string): Pick<ServiceAccess, 'url'> & Partial<ServiceAccess>
}

/** All that an application needs of its cloud. */
export interface Cloud {
  readonly profile: CloudProfile
  /** Warnings for an operator. None stops the application. */
  readonly warnings: readonly Warning[]
  readonly credential: TokenCredential
  readonly resourceManager: ResourceManagerAccess
  readonly service: FindService
}

/**
 * Resolves the cloud of this process and builds its credential. Makes no request, except with `discoverAudience`.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for an unknown option, before anything else is read; those of {@link resolveCloudProfile},
 *   {@link createCredentialPlan}, {@link createCredential} and {@link discoverCloud}.
 */
export async function resolveCloud<K extends PropertyKey>(options: OnlyKnown<K, CloudOptions> = {}): Promise<Cloud> {
  checkOptions(options, cloudRules)
  checkExclusive(options, ['cloud', 'profile', 'customProfilePath'])
  const { env = process.env } = options
  const explained = explainChosen(options, env)
  const { profile } = explained
  const { credential, timeoutMs } = await chooseCredential(profile, options, env)
  const discovers = options.discoverAudience ?? readSetting(env, settingTable.discoverAudience) === true
  const audience = discovers
    ? allowedAudience(profile, await discoverCloud(profile, { env, timeoutMs }))
    : profile.resourceManagerAudience
  const { resourceManagerEndpoint: url, serviceAudiences } = profile
  const scope = scopeFor(audience)
  const audiences: Readonly<Partial<Record<DnsService, string>>> = {
    storage: serviceAudiences.storage,
    keyVault: serviceAudiences.keyVault,
  }
  return {
    profile,
    warnings: await findWarnings(explained, env),
    credential,
    resourceManager: {
      url,
      audience,
      scope,
      // The clients append a slash to the endpoint.
      clientOptions: { endpoint: url.replace(/\/$/, ''), credentials: { scopes: [scope] }, credentialScopes: [scope] },
    },
    service(name: DnsService, account: string): ServiceAccess {
      const { [name]: own } = audiences
      const access = { url: serviceUrl(profile, name, account) }
      // The overloads promise an audience for the services that have one.
      return (own === undefined ? access : { ...access, audience: own, scope: scopeFor(own) }) as ServiceAccess
    },
  }
}

/** A name that the caller passes wins over the variable that names a file, as the other options do. */
function explainChosen({ cloud, ...options }: CloudOptions, env: Env): ExplainedProfile {
  const isNamed = cloud !== undefined && cloud.trim() !== ''
  return explainProfile({
    ...options,
    name: cloud,
    env: isNamed ? { ...env, CUSTOM_CLOUD_PROFILE_PATH: undefined } : env,
  })
}

async function chooseCredential(
  profile: CloudProfile,
  options: CloudOptions,
  env: Env,
): Promise<{ readonly credential: TokenCredential; readonly timeoutMs: number | undefined }> {
  const { credential: given, timeoutMs } = options
  if (given !== undefined && 'getToken' in given) return { credential: given, timeoutMs }
  const plan = buildPlan(profile, given ?? env, env)
  return { credential: await buildCredential(plan, options, env), timeoutMs: timeoutMs ?? plan.timeoutMs }
}

/**
 * The scope of resource manager tokens as a cloud publishes its audience, with or without a final slash. A stack makes its audience up, so
 * only its metadata knows it.
 *
 * @throws {ServiceError} `METADATA_INVALID` for an audience that is not that of the profile's resource manager: a token for it could be
 *   used elsewhere.
 */
export function discoveredScope(profile: CloudProfile, metadata: CloudMetadata): string {
  checkProfile(profile)
  checkResultOf('metadata', 'discoverCloud', isMetadata(metadata))
  return scopeFor(allowedAudience(profile, metadata))
}

function isMetadata(metadata: Partial<CloudMetadata> | undefined): boolean {
  const audiences: unknown = metadata?.audiences
  return Array.isArray(audiences) && typeof audiences[0] === 'string'
}
