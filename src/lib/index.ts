import type { DiscoverOptions } from './metadata/discover-cloud.ts'
import { discoverCloud as askCloud } from './metadata/discover-cloud.ts'
import type { CloudMetadata } from './metadata/cloud-metadata.ts'
import type { ErrorCode, WarningCode } from './errors.ts'
import { findings } from './findings/catalog.ts'
import { warningFindings } from './findings/warning-findings.ts'
import type { CloudProfile } from './profile/cloud-profile.ts'

export {
  discoveredScope,
  resolveCloud,
  type Cloud,
  type CloudOptions,
  type ResourceManagerAccess,
  type ServiceAccess,
} from './api/cloud.ts'
export { createCredential, createCredentialPlan, resolveAuthMode, type CredentialOptions } from './api/credential.ts'
export type { CredentialSettings } from './api/credential-settings.ts'
export { explainCloudProfile } from './api/explain-cloud-profile.ts'
export type { AuthMode } from './auth/modes.ts'
export type { CredentialPlan } from './auth/credential-plan.ts'
export type { AccessToken, GetTokenOptions, TokenCredential } from './auth/token-credential.ts'
export type { Env } from './base/env.ts'
export type { LogEvent } from './diagnostics/log-event.ts'
export { ServiceError, type ErrorCode, type Warning, type WarningCode } from './errors.ts'
export type { CloudMetadata } from './metadata/cloud-metadata.ts'
export type { DiscoverOptions } from './metadata/discover-cloud.ts'
export { parseCloudMetadata } from './metadata/parse-cloud-metadata.ts'
export { builtInProfileNames } from './profile/built-in-profiles.ts'
export { cloudEnvironments, type CloudEnvironment } from './profile/cloud-environment.ts'
export type { CloudProfile, DnsService } from './profile/cloud-profile.ts'
export { metadataUrl, resourceManagerUrl, serviceUrl } from './profile/endpoints.ts'
export type { ExplainedField, ExplainedProfile, ProfileSource } from './profile/explained-profile.ts'
export type { FieldPath } from './profile/field-path.ts'
export { shouldDisableInstanceDiscovery } from './profile/instance-discovery.ts'
export { parseCloudProfile } from './profile/parse-cloud-profile.ts'
export { resolveCloudProfile, type ResolveOptions } from './profile/resolve-cloud-profile.ts'
export { scopeFor } from './profile/scope.ts'
export type { SignInPrompt } from './transport/attempt.ts'

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

/** The cause and the fix of a code, for an operator. */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** Why it happens. */
  readonly cause: string
  /** The change to make. Begins with a verb. */
  readonly fix: string
}

/** Title, cause and fix of a code of a {@link ServiceError} or a {@link Warning}. */
export function finding(code: ErrorCode | WarningCode): Finding {
  const { title, cause, fix } = { ...findings, ...warningFindings }[code]
  return { title, cause, fix }
}
