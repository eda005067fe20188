import type { Invocation } from '../lib/base/app.ts'
import { within } from '../lib/base/waiting.ts'
import type { Log } from './log.ts'
import { messageOf } from './start-error.ts'

/** Runs functions, each bounded in time. */
export interface Invocations {
  /** Runs a function. @throws Its error, or one for the timeout. Both are logged. */
  run<T>(name: string, work: (invocation: Invocation) => Promise<T>): Promise<T>
  /** How many are under way. */
  count(): number
}

/** @param timeoutMs After it an invocation is abandoned: it goes on by itself, and its result is dropped. */
export function createInvocations(timeoutMs: number, log: Log): Invocations {
  let count = 0
  return {
    count: () => count,
    async run(name, work) {
      const invocation = new LoggedInvocation(name, log)
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

class LoggedInvocation implements Invocation {
  readonly #name: string
  readonly #log: Log
  #id: string | undefined

  constructor(name: string, log: Log) {
    this.#name = name
    this.#log = log
  }

  /** Made at first use: few invocations need one, and cryptography takes memory, which Node loads for this global only when it is used. */
  get id(): string {
    return (this.#id ??= globalThis.crypto.randomUUID())
  }

  readonly log: Invocation['log'] = (level, message) => {
    this.#log({ level, category: 'app', message, name: this.#name, invocationId: this.id })
  }
}
