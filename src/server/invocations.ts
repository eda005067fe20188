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
      let id: string | undefined
      const invocation: Invocation = {
        // Made at first use: few invocations need one, and Node loads its cryptography for it.
        get id() {
          return (id ??= globalThis.crypto.randomUUID())
        },
        log: (level, message) => log({ level, category: 'app', message, name, invocationId: invocation.id }),
      }
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
