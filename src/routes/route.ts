import type { AuthLevel } from '../lib/settings/settings.ts'

/** A request as every platform can give it. */
export interface RouteRequest {
  /** By name in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Repeated ones joined by a comma. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** An answer as every platform can send it. */
export interface RouteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The interface of a platform for one call of a route or timer. */
export interface CallContext {
  readonly id: string
  /** Writes one line, which is a JSON object. May throw. */
  readonly log: (level: 'info' | 'warning' | 'error', line: string) => void
}

export interface Route {
  readonly name: string
  /** Without a slash at its start; empty for the root. */
  readonly path: string
  readonly methods: readonly ('GET' | 'HEAD')[]
  readonly authLevel: AuthLevel
  readonly handle: (request: RouteRequest, context: CallContext) => Promise<RouteAnswer>
}

export interface TimerRoute {
  readonly name: string
  /** Six-field NCRONTAB. */
  readonly schedule: string
  /** @throws when the run failed. It has logged why. */
  readonly run: (context: CallContext) => Promise<void>
}

export interface App {
  readonly routes: readonly Route[]
  readonly timers: readonly TimerRoute[]
  /** Called when the platform stops this process: from then on it is not ready. */
  readonly drain?: () => void
}
