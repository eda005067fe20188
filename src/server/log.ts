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

export type WriteLog = (line: LogLine) => void

/** A log that never throws, because a broken sink must not fail the logged work. */
export function createLog(sink: WriteLog | undefined): WriteLog {
  if (sink === undefined) return () => undefined
  return (line) => {
    try {
      sink(line)
    } catch {
      // The sink is the only place to report this failure.
    }
  }
}
