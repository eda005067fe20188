import type { LogLevel } from '../lib/base/app.ts'

export interface LogLine {
  readonly level: LogLevel
  /** Who writes the line. `app`: a function. `library`: the Functions library of an app. `server`: this server. `process`: Node. */
  readonly category: 'app' | 'library' | 'server' | 'process'
  readonly message: string
  /** The name of the function. */
  readonly name?: string
  readonly invocationId?: string
  /** The error, if the line reports a failure. */
  readonly error?: unknown
}

/** Must not throw. */
export type WriteLog = (line: LogLine) => void
