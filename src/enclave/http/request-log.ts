import type { Role } from '../roles.ts'

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

export interface RequestLog {
  readonly requests: readonly RecordedRequest[]
  /** Records an arrival and returns the function that adds the status. */
  record(request: Omit<RecordedRequest, 'status'>): (status: number) => void
  /** The first request, past or future, that satisfies the predicate. */
  waitFor(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest>
  clear(): void
}

export function createRequestLog(): RequestLog {
  const requests: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }[] = []
  const waiting = new Set<(request: RecordedRequest) => void>()
  const announce = (request: RecordedRequest): void => {
    for (const check of waiting) check(request)
  }
  return {
    requests,
    record: (request) => {
      const entry = { ...request } as (typeof requests)[number]
      requests.push(entry)
      announce(entry)
      return (status) => {
        entry.status = status
        announce(entry)
      }
    },
    waitFor: (predicate) => {
      const past = requests.find(predicate)
      if (past) return Promise.resolve(past)
      return new Promise((resolve) => {
        const check = (request: RecordedRequest): void => {
          if (!predicate(request)) return
          waiting.delete(check)
          resolve(request)
        }
        waiting.add(check)
      })
    },
    clear: () => {
      requests.length = 0
    },
  }
}
