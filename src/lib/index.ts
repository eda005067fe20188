import { provideFixes } from './errors.ts'
import { fixOf } from './findings/explain.ts'

provideFixes(fixOf)

export {
  discoveredScope,
  resolveCloud,
  type Cloud,
  type CloudOptions,
  type ResourceManagerAccess,
  type ServiceAccess,
} from './api/cloud.ts'
export { createCredential, createCredentialPlan, resolveAuthMode, type CredentialOptions } from './api/credential.ts'
export type { CredentialSettings } from './auth/credential-settings.ts'
export { discoverCloud } from './api/discover-cloud.ts'
export { finding, type Finding } from './api/finding.ts'
export { explainCloudProfile, resolveCloudProfile } from './api/resolve-profile.ts'
export type { AuthMode } from './settings/setting-table.ts'
export type { CredentialPlan } from './auth/credential-plan.ts'
export type { AccessToken, GetTokenOptions, TokenCredential } from './auth/token-credential.ts'
export type { Env } from './base/env.ts'
export type { LogEvent } from './diagnostics/log-event.ts'
export { ServiceError, type Change, type ErrorCode, type Warning, type WarningCode } from './errors.ts'
export type { CloudMetadata } from './metadata/cloud-metadata.ts'
export type { DiscoverOptions } from './metadata/discover-cloud.ts'
export { parseCloudMetadata } from './metadata/parse-cloud-metadata.ts'
export { builtInProfileNames } from './clouds/known-clouds.ts'
export { cloudEnvironments, type CloudEnvironment } from './profile/cloud-profile.ts'
export type { CloudProfile, DnsService } from './profile/cloud-profile.ts'
export { metadataUrl, resourceManagerUrl, serviceUrl } from './profile/endpoints.ts'
export type { ExplainedField, ExplainedProfile, ProfileSource } from './profile/explained-profile.ts'
export type { FieldPath } from './profile/field-path.ts'
export { shouldDisableInstanceDiscovery } from './profile/identity-provider.ts'
export { parseCloudProfile } from './profile/parse-cloud-profile.ts'
export type { ResolveOptions } from './profile/resolve-cloud-profile.ts'
export { scopeFor } from './profile/endpoints.ts'
export type { SignInPrompt } from './transport/attempt.ts'
