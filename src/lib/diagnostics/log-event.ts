import type { TokenEnd } from '../auth/credential.ts'

/** An event of the log: one JSON object on one line, without secrets. */
export interface LogEvent {
  readonly level: 'error' | 'warning' | 'info' | 'verbose'
  /** `library`: a line of the credential library (PLATFORM_LOG_LEVEL=verbose). */
  readonly event: 'token' | 'library' | 'sign-in' | 'smoke-test' | 'smoke-test.profile' | 'request.failed' | 'start'
  readonly profile?: string
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly durationMs?: number
  /** Of a token: its scope, and whether it was in the cache. */
  readonly scope?: string
  readonly cached?: boolean
  /** Of a start: where the profile comes from, who selected it, and the same of the credential. */
  readonly source?: string
  readonly selectedBy?: string
  readonly authMode?: string
  readonly authModeFrom?: string
  /** Codes. */
  readonly warnings?: readonly string[]
}

/** Receives events. Lines of the credential library (PLATFORM_LOG_LEVEL=verbose) come as plain text. */
export type Log = (event: LogEvent | string) => void

/** A token that was acquired, found in the cache, or not acquired. */
export function tokenEvent(profile: string, { scope, cached, durationMs, code }: TokenEnd): LogEvent {
  const event = { event: 'token', profile, scope, cached, durationMs } as const
  return code === undefined
    ? { ...event, level: 'info', status: 'acquired' }
    : { ...event, level: 'error', status: 'failed', code }
}

/** @param how Tells a person what to do. */
export function signInEvent(profile: string, how: string): LogEvent {
  return { level: 'warning', event: 'sign-in', profile, status: 'pending', message: `To sign in, open ${how}` }
}
