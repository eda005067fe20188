import type { SinglePlan } from './modes.ts'
import type { BasePlan } from './modes/mode.ts'

/** Tries each plan in turn until one is available. */
export interface DefaultPlan extends BasePlan {
  readonly mode: 'default'
  readonly chain: readonly SinglePlan[]
}

/** What a credential will be built from. Pure data; secrets print as `[redacted]`. */
export type CredentialPlan = SinglePlan | DefaultPlan
