// This folder has what knows nothing about profiles, settings or findings. This file is the interface between an app and its platforms.

/** Who may call a function: everyone, or callers with the key. */
export type AuthLevel = 'anonymous' | 'function' | 'admin'

/** Lowest first. */
export type LogLevel = 'verbose' | 'info' | 'warning' | 'error'

/** An HTTP request, as every platform passes it to a function. Our functions read no body. */
export interface AppRequest {
  readonly method: string
  /** Absolute. Dot segments are removed, and escapes are kept. */
  readonly url: string
  /** Names in lower case; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Repeated names are joined by a comma. */
  readonly query: Readonly<Record<string, string | undefined>>
}

export interface AppResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Invocation {
  readonly id: string
  /** Writes one line. May throw. */
  readonly log: (level: LogLevel, line: string) => void
}

export interface HttpFunction {
  readonly name: string
  /** Without a slash at its start; empty for the root. */
  readonly path: string
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[]
  readonly authLevel: AuthLevel
  readonly handle: (request: AppRequest, invocation: Invocation) => Promise<AppResponse>
}

export interface TimerFunction {
  readonly name: string
  /** Six-field NCRONTAB. */
  readonly schedule: string
  /** @throws if the run failed. The function has then logged the reason. */
  readonly run: (invocation: Invocation) => Promise<void>
}

/** Everything that a platform (Azure Functions, the server or the local emulator) serves. */
export interface App {
  readonly functions: readonly HttpFunction[]
  readonly timers: readonly TimerFunction[]
  /** Called when a shutdown begins. The server still responds, but readiness should fail. */
  readonly drain?: () => void
}

/** An event in the log: one JSON object on one line, without secrets. */
export interface LogEvent {
  readonly level: LogLevel
  /** `library`: a line of the credential library (PLATFORM_LOG_LEVEL=verbose). */
  readonly event:
    | 'token'
    | 'diagnostics'
    | 'library'
    | 'sign-in'
    | 'smoke-test'
    | 'smoke-test.profile'
    | 'request.failed'
    | 'start'
  readonly profile?: string
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly durationMs?: number
  /** For a token: its scope, and whether it was in the cache. */
  readonly scope?: string
  readonly cached?: boolean
  /** For a start: the source of the profile and what selected it. The next two say the same of the credential. */
  readonly source?: string
  readonly selectedBy?: string
  readonly authMode?: string
  readonly authModeFrom?: string
  /** Codes. */
  readonly warnings?: readonly string[]
}

/** Receives events. Lines of the credential library (PLATFORM_LOG_LEVEL=verbose) are plain text. */
export type Log = (event: LogEvent | string) => void

type TokenRequest = Required<Pick<LogEvent, 'scope' | 'cached' | 'durationMs'>> & Pick<LogEvent, 'code'>

/** Makes the event of a token request. A `code` means that the request failed. */
export function tokenEvent(profile: string, { scope, cached, durationMs, code }: TokenRequest): LogEvent {
  const event = { event: 'token', profile, scope, cached, durationMs } as const
  return code === undefined
    ? { ...event, level: 'info', status: 'acquired' }
    : { ...event, level: 'error', status: 'failed', code }
}

/** @param how The address to open and the code to enter there. */
export function signInEvent(profile: string, how: string): LogEvent {
  return { level: 'warning', event: 'sign-in', profile, status: 'pending', message: `To sign in, open ${how}` }
}
