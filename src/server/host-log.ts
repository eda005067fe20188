/** The levels of the Functions host, lowest first. A log hook sets `none` to drop a line. */
export type LogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none'

/** One line of log. `message` is what the app passed to `context.log`, formatted, or what the host has to say. */
export interface HostLog {
  readonly level: LogLevel
  /** `user`: written by a function. `system`: by the library the app carries. `host`: by this host. */
  readonly category: string
  readonly message: string
  readonly functionName?: string
  readonly invocationId?: string
  /** What was thrown, when the line reports a failure. */
  readonly error?: unknown
}

export type Log = (line: HostLog) => void

/** A log that cannot fail: a broken sink must not fail the invocation that writes to it. */
export function createLog(sink: Log | undefined): Log {
  if (sink === undefined) return () => undefined
  return (line) => {
    try {
      sink(line)
    } catch {
      // There is nowhere left to report to.
    }
  }
}
