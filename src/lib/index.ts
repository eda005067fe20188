import type { CredentialOptions } from './auth/credential.ts'
import type { CredentialPlan } from './auth/credential-plan.ts'
import type { TokenCredential } from '@azure/core-auth'

export { resolveAuthMode, type AuthMode } from './auth/auth-mode.ts'
export { createCredentialPlan } from './auth/create-credential-plan.ts'
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
 * Builds the credential of a plan. The credential library is loaded here and not before. `getToken` of the result ends
 * by its deadline, contacts only the hosts of the plan, and fails with a {@link ServiceError} whose code says why.
 */
export async function createCredential(plan: CredentialPlan, options?: CredentialOptions): Promise<TokenCredential> {
  const credential = await import('./auth/credential.ts')
  return credential.createCredential(plan, options)
}
