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
  /** Called when a stop begins. Requests are still answered; readiness should fail. */
  readonly drain?: () => void
}
