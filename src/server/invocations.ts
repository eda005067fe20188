import type { Invocation } from '../lib/base/app.ts'
import type { WriteLog } from './log.ts'
import { messageOf } from './start-error.ts'

export type Invocations = ReturnType<typeof createInvocations>

/** @param timeoutMs An invocation is abandoned after these milliseconds: it continues, but its result is dropped. */
export function createInvocations(timeoutMs: number, log: WriteLog) {
  /** The running invocations, the oldest first. One timer serves them all, because a timer for each takes a tenth of a request's time. */
  const running = new Set<{ readonly since: number; readonly abandon: () => void }>()
  let timer: NodeJS.Timeout | undefined
  const abandonLate = () => {
    timer = undefined
    for (const { since, abandon } of running) {
      const left = since + timeoutMs - performance.now()
      // An invocation that never ends must not keep the process alive.
      if (left > 0) return void (timer = setTimeout(abandonLate, Math.ceil(left)).unref())
      abandon()
    }
  }
  return {
    /** The number of running invocations. */
    count: () => running.size,
    /** Runs a function. @throws The error of the function or of the timeout, after logging it. */
    async run<T>(name: string, work: (invocation: Invocation) => Promise<T>): Promise<T> {
      const invocation = new NamedInvocation(name, log)
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const abandon = () => reject(new Error(`it did not end within ${timeoutMs} ms.`))
      const own = { since: performance.now(), abandon }
      running.add(own)
      if (timer === undefined) abandonLate()
      try {
        work(invocation).then(resolve, reject)
        return await promise
      } catch (error) {
        const message = `Function "${name}" failed: ${messageOf(error)}`
        log({ level: 'error', category: 'server', message, name, invocationId: invocation.id, error })
        throw error
      } finally {
        running.delete(own)
      }
    },
  }
}

/**
 * A class, because V8 puts a getter of an object literal into the old generation of its heap. There it keeps the request in memory until a
 * full garbage collection. The same happens to a function that is assigned to a property.
 */
class NamedInvocation implements Invocation {
  readonly #name: string
  readonly #log: WriteLog
  #id: string | undefined

  constructor(name: string, log: WriteLog) {
    this.#name = name
    this.#log = log
  }

  /** Made on first use, because few invocations need an id and Node loads its cryptography for it. */
  get id(): string {
    return (this.#id ??= globalThis.crypto.randomUUID())
  }

  readonly log: Invocation['log'] = (level, message) =>
    this.#log({ level, category: 'app', message, name: this.#name, invocationId: this.id })
}
