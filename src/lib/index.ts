import { showValue } from './base/printable.ts'
import type { CloudProfile } from './clouds/cloud-profile.ts'
import { withFixes } from './fixes.ts'
import { parseCloudProfile as parse } from './profile/parse-cloud-profile.ts'
import { argumentError, mustBe, type ErrorCode, type WarningCode } from './errors.ts'
import { findings, generalFix } from './findings/catalog.ts'
import type { Finding as CatalogFinding } from './findings/finding.ts'
import { warningFindings, type WarningFinding } from './findings/warning-findings.ts'

// The main entry: what an application uses.

export {
  explainCloudProfile,
  resolveCloud,
  resolveCloudProfile,
  type Cloud,
  type CloudOptions,
  type ProfileOptions as ResolveOptions,
  type ResourceManagerAccess,
  type Service,
} from './cloud.ts'
export type { ServiceAccess, ServiceId } from './profile/service-access.ts'
export { shouldDisableInstanceDiscovery, type TokenValidation } from './profile/identity-provider.ts'
export {
  createCredential,
  createCredentialPlan,
  type CredentialOptions,
  type CredentialPlan,
  resolveAuthMode,
} from './auth/create-credential.ts'
export type { CredentialSettings } from './auth/credential-plan.ts'
export type { ApplicationSettings } from './auth/modes/application.ts'
export type { AccessToken, ApplicationCredential, GetTokenOptions, TokenCredential } from './auth/token-credential.ts'
export { isServiceError, ServiceError, type Change, type ErrorCode, type Warning, type WarningCode } from './errors.ts'
export type { CloudName } from './clouds/known-files.ts'
export { builtInProfileNames } from './clouds/known-clouds.ts'
export { cloudEnvironments, type CloudEnvironment, type CloudProfile, type DnsService } from './clouds/cloud-profile.ts'
export { resourceManagerUrl } from './profile/endpoints.ts'
export { serviceUrl } from './profile/service-access.ts'
export type { ExplainedField, ExplainedProfile, ProfileSource } from './profile/explained-profile.ts'
export type { FieldPath } from './profile/field-path.ts'
export { scopeFor } from './profile/endpoints.ts'
export type { AuthMode } from './settings/setting-table.ts'
export type { SignInPrompt } from './transport/attempt.ts'
export type { LogEvent } from './base/app.ts'
export type { Env } from './base/variables.ts'

/**
 * Checks a document as a cloud profile. Nothing is repaired; a blank optional field counts as absent.
 *
 * @param input Any parsed JSON.
 * @param source The name of the document in the error, such as the path of a file. Default is `cloud profile`.
 * @returns A copy with the fields of a profile, in their order, and no other.
 * @throws {ServiceError} `PROFILE_INVALID` that lists every problem at once, each with its dotted field path; `REFERENCE_UNRESOLVED` if a
 *   field contains a text that a deployment tool should have replaced.
 */
export function parseCloudProfile(input: unknown, source?: string): CloudProfile {
  return withFixes(() => parse(input, source))
}

/** The cause and the fix of a code, for an operator. */
export interface Finding {
  /** A noun phrase in sentence case, without a final period. */
  readonly title: string
  /** Why it happens. Absent for a warning whose message says it. */
  readonly cause?: string
  /** The change to make. Begins with a verb. */
  readonly fix: string
}

/**
 * Title, cause and fix of a code of a {@link ServiceError} or a {@link Warning}.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` for any other text.
 */
export function finding(code: ErrorCode | WarningCode): Finding {
  const table = { ...findings, ...warningFindings }
  if (!Object.hasOwn(table, code)) {
    throw argumentError(mustBe('code', 'a code of the findings', showValue(code)))
  }
  const row: CatalogFinding | WarningFinding = table[code]
  const { cause, text } = generalFix(row)
  return { title: row.title, ...(cause !== '' && { cause }), fix: text }
}
