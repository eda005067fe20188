import type { ErrorCode, Warning } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import type { ExplainedProfile, ProfileSource } from '../profile/explained-profile.ts'
import type { TraceStep } from '../transport/attempt.ts'

/** `pending` waits for a person; `warning` works but wants attention. */
export type ReportStatus = 'ok' | 'warning' | 'failed' | 'pending'

/** What an operator reads of a failure. `cause` and `fix` come from the findings catalogue. */
export interface Explanation {
  readonly code: ErrorCode
  readonly message: string
  readonly cause: string
  readonly fix: string
}

/** One question asked of this environment. */
export interface Check extends Partial<Omit<Explanation, 'message'>> {
  /** Stable and dotted, such as `authority.tls`. The part before the first dot is its group. */
  readonly id: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  /** What was found; for a skipped check, why it was skipped. */
  readonly message: string
  readonly durationMs: number
}

/** A sign-in that waits for a person. */
export interface SignIn {
  readonly userCode: string
  readonly verificationUri: string
  /** ISO 8601. */
  readonly expiresOn: string
}

/** The outcome of the last token attempt, without the token. */
export interface TokenResult {
  readonly status: 'acquired' | 'failed' | 'pending' | 'skipped'
  readonly scope: string
  /** ISO 8601, when acquired. */
  readonly expiresOn?: string
  readonly durationMs: number
  /** Whether the result was already there when it was asked for. */
  readonly cached: boolean
  readonly error?: Explanation
  readonly signIn?: SignIn
  /** The last requests of the attempt, in order: host and path, never a query, body or header. */
  readonly trace?: readonly TraceStep[]
}

/** Who the token says this workload is; before a token, what the settings say. */
export interface Identity {
  readonly tenantId?: string
  readonly clientId?: string
  readonly objectId?: string
  readonly subscriptionId?: string
}

/** The result of checking one profile. */
export interface SmokeTestResult {
  readonly profile: string
  readonly status: 'pass' | 'warn' | 'fail'
  readonly checks: readonly Check[]
  readonly warnings: readonly Warning[]
}

/** One run over several profiles. */
export interface SmokeTestRun {
  readonly status: 'pass' | 'warn' | 'fail'
  /** ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  readonly results: readonly SmokeTestResult[]
}

/** What this process runs on and trusts. */
export interface Runtime {
  readonly node: string
  readonly openssl: string
  readonly fips: boolean
  /** How many certificate authorities Node trusts by default, and where additions come from. */
  readonly trustStore: { readonly certificates: number; readonly sources: readonly string[] }
  /** Whether a proxy would be used, without its address. */
  readonly proxy: boolean
}

/** The body of `/api/diagnostics`. */
export interface DiagnosticsReport {
  readonly status: ReportStatus
  /** ISO 8601. */
  readonly checkedAt: string
  readonly cloud: Pick<
    CloudProfile,
    'name' | 'displayName' | 'environment' | 'authorityHost' | 'resourceManagerEndpoint' | 'resourceManagerAudience'
  > & {
    readonly disableInstanceDiscovery: boolean
    readonly placeholder: boolean
    readonly source: ProfileSource
    /** The override variables that took effect, by name. */
    readonly overrides: readonly string[]
  }
  readonly authMode: string
  readonly credential: string
  readonly token: TokenResult
  readonly identity: Identity
  readonly checks: readonly Check[]
  readonly warnings: readonly Warning[]
  readonly smokeTest: SmokeTestRun | null
  readonly runtime: Runtime
  /** Each field's value and origin; only with `?explain=true`. */
  readonly fields?: ExplainedProfile['fields']
}
