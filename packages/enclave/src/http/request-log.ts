import { EventEmitter, once } from 'node:events'
import type { Role } from './exchange.ts'

/** A request without body and headers, because they contain secrets. */
export interface RecordedRequest {
  readonly role: Role
  readonly method: string
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  /** Absent until the response is sent. */
  readonly status?: number
}

/** Older requests are dropped, because an enclave may run for weeks. */
const maxRequests = 50_000

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog() {
  const requests: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[] = []
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    requests: requests as readonly RecordedRequest[],
    /** Records a request. Returns a function that adds the status. */
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
