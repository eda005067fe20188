import type { LogLevel } from '../lib/base/app.ts'

/** One line of log. */
export interface LogLine {
  readonly level: LogLevel
  /** `app`: by a function. `library`: by the library of an app. `server`: by this server. `process`: by Node. */
  readonly category: 'app' | 'library' | 'server' | 'process'
  readonly message: string
  /** The function's name. */
  readonly name?: string
  readonly invocationId?: string
  /** The error, if the line reports a failure. */
  readonly error?: unknown
}

export type WriteLog = (line: LogLine) => void

/** A log that cannot fail: a broken sink must not fail the call that writes to it. */
export function createLog(sink: WriteLog | undefined): WriteLog {
  if (sink === undefined) return () => undefined
  return (line) => {
    try {
      sink(line)
    } catch {
      // There is nowhere left to report to.
    }
  }
}
