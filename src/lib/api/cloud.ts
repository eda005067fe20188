import type { TokenCredential } from '../auth/token-credential.ts'
import type { Warning } from '../errors.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import type { CloudMetadata } from '../metadata/cloud-metadata.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import type { CloudProfile, DnsService } from '../profile/cloud-profile.ts'
import { serviceUrl } from '../profile/endpoints.ts'
import { explainProfile, type ResolveOptions } from '../profile/resolve-cloud-profile.ts'
import { scopeFor } from '../profile/scope.ts'
import { findWarnings } from '../settings/find-warnings.ts'
import { readSetting } from '../settings/setting.ts'
import { settingTable } from '../settings/setting-table.ts'
import { checkOptions, checkProfile, checkResultOf, rules, type OptionRules } from './check-arguments.ts'
import { resolveRules } from './resolve-profile.ts'
import { buildCredential, buildPlan, credentialRules, type CredentialOptions } from './credential.ts'
import { toEnvironment, type CredentialSettings } from './credential-settings.ts'

export interface CloudOptions extends ResolveOptions, CredentialOptions {
  /** How to sign in. Default is the environment. */
  readonly credential?: CredentialSettings
  /** Whether the live cloud gives the audience of its resource manager. Default is the variable PLATFORM_DISCOVER_AUDIENCE, then false. */
  readonly discoverAudience?: boolean
}

const cloudRules: OptionRules<CloudOptions> = {
  ...resolveRules,
  ...credentialRules,
  credential: rules.object,
  discoverAudience: rules.flag,
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
 * @throws {ServiceError} of {@link resolveCloudProfile}, {@link createCredentialPlan}, {@link createCredential} and {@link discoverCloud}.
 */
export async function resolveCloud(options: CloudOptions = {}): Promise<Cloud> {
  checkOptions(options, cloudRules)
  const { env = process.env } = options
  const explained = explainProfile(options)
  const { profile } = explained
  const plan = buildPlan(profile, options.credential === undefined ? env : toEnvironment(options.credential, env))
  const credential = await buildCredential(plan, options)
  const discovers = options.discoverAudience ?? readSetting(env, settingTable.discoverAudience) === true
  const audience = discovers
    ? allowedAudience(profile, await discoverCloud(profile, { env, timeoutMs: options.timeoutMs ?? plan.timeoutMs }))
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
