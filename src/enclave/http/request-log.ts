import type { Role } from './exchange.ts'

/** One request that arrived, without its body and headers: they hold secrets. */
export interface RecordedRequest {
  readonly role: Role
  readonly method: string
  readonly path: string
  /** The query string without its question mark. */
  readonly query: string
  /** Absent until the answer is sent. */
  readonly status?: number
}

/** An enclave may run for weeks, so only the latest stay. */
const maxRequests = 50_000

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog() {
  const requests: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[] = []
  const waiting = new Set<(request: RecordedRequest) => void>()
  const announce = (request: RecordedRequest): void => {
    for (const check of waiting) check(request)
  }
  return {
    requests: requests as readonly RecordedRequest[],
    /** Records an arrival and returns the function that adds the status. */
    record: (request: Omit<RecordedRequest, 'status'>) => {
      const entry = { ...request } as (typeof requests)[number]
      requests.push(entry)
      if (requests.length > maxRequests) requests.shift()
      announce(entry)
      return (status: number): void => {
        entry.status = status
        announce(entry)
      }
    },
    /** The first request, past or future, that satisfies the predicate. */
    waitFor: (predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest> =>
      new Promise((resolve) => {
        const check = (request: RecordedRequest): void => {
          if (!predicate(request)) return
          waiting.delete(check)
          resolve(request)
        }
        waiting.add(check)
        requests.forEach(check)
      }),
    clear: (): void => {
      requests.length = 0
    },
  }
}
