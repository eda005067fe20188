import type { LogLevel } from '../settings/settings.ts'

/** One thing that happened, as one JSON object on one line. Never holds a secret. */
export interface LogEvent {
  readonly level: Exclude<LogLevel, 'verbose'>
  readonly event: 'token' | 'sign-in' | 'smoke-test' | 'smoke-test.profile' | 'request.failed'
  readonly profile?: string
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly durationMs?: number
}

/** Where events go. Lines of the credential library (PLATFORM_LOG_LEVEL=verbose) come as plain text. */
export type Log = (event: LogEvent | string) => void
