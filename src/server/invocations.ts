import type { Invocation } from '../lib/base/app.ts'
import { within } from '../lib/base/waiting.ts'
import type { WriteLog } from './log.ts'
import { messageOf } from './start-error.ts'

export type Invocations = ReturnType<typeof createInvocations>

/** @param timeoutMs After it an invocation is abandoned: it goes on by itself, and its result is dropped. */
export function createInvocations(timeoutMs: number, log: WriteLog) {
  let count = 0
  return {
    /** How many are under way. */
    count: () => count,
    /** Runs a function. @throws Its error, or one for the timeout. Both are logged. */
    async run<T>(name: string, work: (invocation: Invocation) => Promise<T>): Promise<T> {
      const invocation = new NamedInvocation(name, log)
      count += 1
      try {
        return await within(work(invocation), timeoutMs)
      } catch (error) {
        const message = `Function "${name}" failed: ${messageOf(error)}`
        log({ level: 'error', category: 'server', message, name, invocationId: invocation.id, error })
        throw error
      } finally {
        count -= 1
      }
    },
  }
}

/**
 * A class with a field: V8 puts a getter of an object literal, and a function that is assigned to a property, into the old generation, where
 * they keep all that they reach, such as a request, until a full garbage collection.
 */
class NamedInvocation implements Invocation {
  readonly #name: string
  readonly #log: WriteLog
  #id: string | undefined

  constructor(name: string, log: WriteLog) {
    this.#name = name
    this.#log = log
  }

  /** Made at first use: few invocations need one, and Node loads its cryptography for it. */
  get id(): string {
    return (this.#id ??= globalThis.crypto.randomUUID())
  }

  readonly log: Invocation['log'] = (level, message) =>
    this.#log({ level, category: 'app', message, name: this.#name, invocationId: this.id })
}
