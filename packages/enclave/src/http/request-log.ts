import { EventEmitter, once } from 'node:events'
import type { Role } from './exchange.ts'

/** One request that arrived, without its body and headers, which have secrets. */
export interface RecordedRequest {
  readonly role: Role
  readonly method: string
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  /** Absent until the response is sent. */
  readonly status?: number
}

/** An enclave may run for weeks, so only the latest stay. */
const maxRequests = 50_000

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog() {
  const requests: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[] = []
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    requests: requests as readonly RecordedRequest[],
    /** Records an arrival and returns the function that adds the status. */
    record: (request: Omit<RecordedRequest, 'status'>) => {
      const entry: (typeof requests)[number] = { ...request }
      requests.push(entry)
      if (requests.length > maxRequests) requests.shift()
      changes.emit('change')
      return (status: number): void => {
        entry.status = status
        changes.emit('change')
      }
    },
    /** The first request, past or future, that satisfies the predicate. */
    waitFor: async (predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest> => {
      for (;;) {
        const found = requests.find(predicate)
        if (found !== undefined) return found
        await once(changes, 'change')
      }
    },
    clear: (): void => {
      requests.length = 0
    },
  }
}
