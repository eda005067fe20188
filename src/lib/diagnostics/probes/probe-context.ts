import type { CloudProfile } from '../../profile/cloud-profile.ts'
import type { Env } from '../../base/env.ts'
import { longestAnswerMs } from '../../transport/request-limit.ts'
import type { SharedDocuments } from '../../transport/shared-documents.ts'

/** What probes work on. Only hosts that the profile names are contacted. */
export interface ProbeContext {
  readonly profile: CloudProfile
  /** The tenant of the OpenID configuration. Without one there is no document to ask for. */
  readonly tenantId?: string
  /** Read for proxy and trust settings. */
  readonly env: Env
  /** The deadline of the whole run: what it cuts off becomes a failed or skipped check. */
  readonly signal: AbortSignal
  /** Milliseconds of one layer. Default is 5000. */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch. Default is `Date.now`. */
  readonly now?: () => number
  readonly storageAccount?: string
  readonly keyVault?: string
  /** Further hosts (`host` or `host:port`) that the OpenID configuration may name as token endpoint. */
  readonly allowedTokenHosts?: readonly string[]
  /** Shares the OpenID configuration with the credential. Default is to ask for it alone. */
  readonly documents?: SharedDocuments
}

/** Milliseconds of one layer. */
export const defaultTimeoutMs = longestAnswerMs()

/** The end of one layer: its own time, or that of the whole run. */
export function layerSignal({ signal, timeoutMs = defaultTimeoutMs }: ProbeContext): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}
