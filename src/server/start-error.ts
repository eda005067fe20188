import { inspect } from 'node:util'

/** A code of {@link StartError}. Codes are stable; messages are for people and may change. */
export type StartErrorCode =
  | 'ADDRESS_UNAVAILABLE'
  | 'APP_INVALID'
  | 'APP_LOAD_FAILED'
  | 'FEATURE_UNSUPPORTED'
  | 'KEY_REQUIRED'
  | 'KEY_TOO_SHORT'
  | 'PORT_IN_USE'
  | 'PORT_INVALID'
  | 'SCHEDULE_INVALID'
  | 'SETTING_INVALID'
  | 'TLS_INVALID'

/**
 * The server or the emulator refuses to start. The message names the file, field or function and the fix. `APP_LOAD_FAILED` has the message
 * of the app's error, and the error as `cause`.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code: StartErrorCode

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : inspect(error, { breakLength: Infinity })
}
