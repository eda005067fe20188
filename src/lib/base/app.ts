// This room is the ground floor: what knows neither profile, variable nor code. It imports no other room. This file has the words between an
// app and the platforms that run it.

/** Who may call a function: everyone, or callers with the key. */
export type AuthLevel = 'anonymous' | 'function' | 'admin'

/** Lowest first. */
export type LogLevel = 'verbose' | 'info' | 'warning' | 'error'

/** An HTTP request, as every platform gives it to a function. No function of ours reads a body. */
export interface AppRequest {
  readonly method: string
  /** With scheme and host; dot segments are removed, escapes kept. */
  readonly url: string
  /** Names in lower case; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Repeated names are joined by a comma. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** An HTTP response, as every platform can send it. */
export interface AppResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** One call of a function. */
export interface Invocation {
  readonly id: string
  /** Writes one line. May throw. */
  readonly log: (level: LogLevel, line: string) => void
}

export interface HttpFunction {
  readonly name: string
  /** Without a slash at its start; empty for the root. */
  readonly path: string
  /** In upper case; `undefined` for all methods. */
  readonly methods: readonly string[] | undefined
  readonly authLevel: AuthLevel
  readonly handle: (request: AppRequest, invocation: Invocation) => Promise<AppResponse>
}

export interface TimerFunction {
  readonly name: string
  /** Six-field NCRONTAB. `undefined` for a timer that runs only on request. */
  readonly schedule: string | undefined
  /** @throws when the run failed. It has logged why. */
  readonly run: (invocation: Invocation) => Promise<void>
}

/** Everything that a platform serves: Azure Functions, the server, the local emulator. */
export interface App {
  readonly functions: readonly HttpFunction[]
  readonly timers: readonly TimerFunction[]
  /** Called when a stop begins. The server still responds; readiness should fail. */
  readonly drain?: () => void
}

/** An event of the log: one JSON object on one line, without secrets. */
export interface LogEvent {
  readonly level: LogLevel
  /** `library`: a line of the credential library (PLATFORM_LOG_LEVEL=verbose). */
  readonly event: 'token' | 'library' | 'sign-in' | 'smoke-test' | 'smoke-test.profile' | 'request.failed' | 'start'
  readonly profile?: string
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly durationMs?: number
  /** For a token: its scope, and whether it was in the cache. */
  readonly scope?: string
  readonly cached?: boolean
  /** For a start: where the profile comes from, who selected it, and the same for the credential. */
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
export function tokenEvent(
  profile: string,
  {
    scope,
    cached,
    durationMs,
    code,
  }: Pick<LogEvent, 'code'> & { readonly scope: string; readonly cached: boolean; readonly durationMs: number },
): LogEvent {
  const event = { event: 'token', profile, scope, cached, durationMs } as const
  return code === undefined
    ? { ...event, level: 'info', status: 'acquired' }
    : { ...event, level: 'error', status: 'failed', code }
}

/** @param how Tells a person what to do. */
export function signInEvent(profile: string, how: string): LogEvent {
  return { level: 'warning', event: 'sign-in', profile, status: 'pending', message: `To sign in, open ${how}` }
}
