import type { AuthMode } from './auth/modes.ts'
import { createCredentialPlan as planCredential, type CredentialPlan } from './auth/credential-plan.ts'
import { discoverCloud as askCloud, type DiscoverOptions } from './metadata/discover-cloud.ts'
import type { CloudMetadata } from './metadata/cloud-metadata.ts'
import type { TokenCredential } from './auth/token-credential.ts'
import type { ErrorCode, WarningCode } from './errors.ts'
import { findings } from './findings/catalogue.ts'
import type { Finding } from './findings/finding.ts'
import { warningFindings } from './findings/warning-findings.ts'
import type { CloudProfile } from './profile/cloud-profile.ts'
import type { Env } from './base/env.ts'
import { readCredentialSettings } from './settings/settings.ts'

export type { AuthMode } from './auth/modes.ts'
export type { CredentialPlan } from './auth/credential-plan.ts'
export type { AccessToken, GetTokenOptions, TokenCredential } from './auth/token-credential.ts'
export type { Finding } from './findings/finding.ts'
export { ServiceError, type ErrorCode, type Warning, type WarningCode } from './errors.ts'
export { type CloudMetadata } from './metadata/cloud-metadata.ts'
export { parseCloudMetadata } from './metadata/parse-cloud-metadata.ts'
export { builtInProfileNames } from './profile/built-in-profiles.ts'
export { cloudEnvironments, type CloudEnvironment } from './profile/cloud-environment.ts'
export type { CloudProfile, DnsService } from './profile/cloud-profile.ts'
export { metadataUrl, resourceManagerUrl, serviceUrl } from './profile/endpoints.ts'
export type { ExplainedField, ExplainedProfile, ProfileSource } from './profile/explained-profile.ts'
export { type FieldPath } from './profile/field-path.ts'
export { shouldDisableInstanceDiscovery } from './profile/instance-discovery.ts'
export { type Env } from './base/env.ts'
export { parseCloudProfile } from './profile/parse-cloud-profile.ts'
export { scopeFor } from './profile/scope.ts'
export { explainCloudProfile, resolveCloudProfile, type ResolveOptions } from './profile/resolve-cloud-profile.ts'

/**
 * The mode in force: AUTH_MODE, else what the environment offers: a federated token, an identity endpoint, or the
 * command-line tool of a developer.
 *
 * @param env Environment variables. Default is the process environment.
 * @throws {ServiceError} `SETTING_INVALID` that names each wrong variable of a credential.
 */
export function resolveAuthMode(env: Env = process.env): AuthMode {
  return readCredentialSettings(env).authMode
}

/**
 * Decides which credential an environment gets and from which values. Pure: nothing is read but its arguments.
 *
 * @param env Environment variables. Default is the process environment.
 * @throws {ServiceError} `CREDENTIAL_SETTING_MISSING` that names every missing variable of the mode in force, or
 *   `SETTING_INVALID`.
 */
export function createCredentialPlan(profile: CloudProfile, env: Env = process.env): CredentialPlan {
  return planCredential(profile, readCredentialSettings(env))
}

/**
 * Builds the credential of a plan. The credential library is loaded here and not before. `getToken` of the result ends
 * by its deadline, contacts only the hosts of the plan, and fails with a {@link ServiceError} whose code says why.
 */
export async function createCredential(plan: CredentialPlan): Promise<TokenCredential> {
  const credential = await import('./auth/credential.ts')
  return credential.createCredential(plan)
}

/**
 * Asks a cloud's resource manager what cloud this is: one GET without authentication, without redirects, of at most
 * 1 MiB. A failure is an error, never a default.
 *
 * @param from A resource manager or metadata endpoint; or a profile, whose metadataEndpoint is asked about its
 *   resourceManagerEndpoint.
 * @param options The environment, which may name a proxy, is that of the process unless one is given.
 * @throws {ServiceError} `METADATA_NOT_CONFIGURED`, `PLACEHOLDER_PROFILE`, `METADATA_INVALID`,
 *   `METADATA_CLOUD_NOT_LISTED`, or a network failure such as `METADATA_UNTRUSTED`.
 */
export async function discoverCloud(from: CloudProfile | string, options?: DiscoverOptions): Promise<CloudMetadata> {
  return askCloud(from, { env: process.env, ...options })
}

/** What a code of a {@link ServiceError} or a {@link Warning} means, and the one change that helps. */
export function finding(code: ErrorCode | WarningCode): Finding {
  return { ...findings, ...warningFindings }[code]
}
