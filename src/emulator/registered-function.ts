import type { AuthLevel } from '../lib/base/app.ts'

/** A function with an HTTP trigger. */
export interface HttpTrigger {
  readonly trigger: 'http'
  readonly name: string
  readonly isDisabled: boolean
  /** Without the route prefix. An empty route of the app has become the function's name. */
  readonly route: string
  /** In upper case; `undefined` for all methods. */
  readonly methods: readonly string[] | undefined
  readonly authLevel: AuthLevel
}

/** A function with a timer trigger. */
export interface TimerTrigger {
  readonly trigger: 'timer'
  readonly name: string
  readonly isDisabled: boolean
  /** Six-field NCRONTAB. */
  readonly schedule: string
}

export type RegisteredFunction = HttpTrigger | TimerTrigger
