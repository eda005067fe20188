/** The current state of a server's process. */
export interface ServerState {
  /** `http://localhost:<port>`. */
  readonly url: string
  /** Bytes. */
  readonly residentMemory: number
  /** Microseconds of processor time, user and system, since the start of the process. */
  readonly cpuTime: number
}

export function stateAt(url: string): ServerState {
  const { user, system } = process.cpuUsage()
  return { url, residentMemory: process.memoryUsage.rss(), cpuTime: user + system }
}
