import type { TokenCredential } from '@azure/core-auth'
import type { AuthMode } from './auth/auth-mode.ts'
import { createCredentialPlan as planCredential } from './auth/create-credential-plan.ts'
import type { CredentialPlan } from './auth/credential-plan.ts'
import type { CloudProfile } from './profile/cloud-profile.ts'
import type { Env } from './profile/overrides.ts'
import { readCredentialSettings } from './settings/settings.ts'

export type { AuthMode } from './auth/auth-mode.ts'
export type { CredentialPlan } from './auth/credential-plan.ts'
export { ServiceError, type ErrorCode, type Warning, type WarningCode } from './errors.ts'
export { type CloudMetadata } from './metadata/cloud-metadata.ts'
export { discoverCloud } from './metadata/discover-cloud.ts'
export { parseCloudMetadata } from './metadata/parse-cloud-metadata.ts'
export { builtInProfileNames } from './profile/built-in-profiles.ts'
export { cloudEnvironments, type CloudEnvironment } from './profile/cloud-environment.ts'
export type { CloudProfile, DnsService } from './profile/cloud-profile.ts'
export { metadataUrl, resourceManagerUrl, serviceUrl } from './profile/endpoints.ts'
export type { ExplainedField, ExplainedProfile, ProfileSource } from './profile/explained-profile.ts'
export { type FieldPath } from './profile/field-path.ts'
export { shouldDisableInstanceDiscovery } from './profile/instance-discovery.ts'
export { type Env } from './profile/overrides.ts'
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
