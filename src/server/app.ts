import type { LogLevel } from './log.ts'

/** Who may call a route: every caller, or callers with the key. */
export type AuthLevel = 'anonymous' | 'function' | 'admin'

/** A request that has passed every check of the server. */
export interface ServerRequest {
  readonly method: string
  /** With scheme and host; dot segments are removed, escapes kept. */
  readonly url: string
  /** Names in lower case; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Repeated names, whatever their case, are joined by a comma. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** The text that a final `{*name}` of the path matched. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface ServerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** The input of one call of a route or timer. */
export interface CallContext {
  readonly id: string
  readonly log: (level: LogLevel, line: string) => void
}

export interface AppRoute {
  readonly name: string
  /** Fixed segments, without a slash at its start, and at the end possibly `{*name}` for any others. Empty for the root. */
  readonly path: string
  /** In upper case; `undefined` for all methods. */
  readonly methods: readonly string[] | undefined
  readonly authLevel: AuthLevel
  readonly handle: (request: ServerRequest, context: CallContext) => Promise<ServerAnswer>
}

export interface AppTimer {
  readonly name: string
  /** Six-field NCRONTAB. `undefined` for a timer that runs only on request. */
  readonly schedule: string | undefined
  readonly run: (context: CallContext) => Promise<void>
}

/** The routes and timers that a server serves. */
export interface App {
  readonly routes: readonly AppRoute[]
  readonly timers: readonly AppTimer[]
  /** Called when a stop begins. Requests are still answered; health checks for readiness should fail. */
  readonly drain?: () => void
  /** Called once, after the last answer, or when the start fails. */
  readonly terminate?: () => Promise<void>
}
