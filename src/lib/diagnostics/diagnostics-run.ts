import type { TokenOutcome } from '../auth/outcome-cache.ts'
import type { CredentialPlan } from '../auth/credential-plan.ts'
import type { TraceStep } from '../transport/attempt.ts'
import type { FoundCheck } from './found-check.ts'

/** What one look at the cloud found. */
export interface DiagnosticsRun {
  readonly token: TokenOutcome
  readonly checks: readonly FoundCheck[]
  /** The audience that was asked for. */
  readonly audience: string
  /** Absent when the environment lacks what its mode needs. */
  readonly plan: CredentialPlan | undefined
  readonly trace: readonly TraceStep[]
  readonly checkedAt: Date
}
