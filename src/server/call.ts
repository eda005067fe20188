import { within } from '../lib/base/within.ts'
import type { Activity } from './activity.ts'
import type { Invocation } from '../lib/base/app.ts'
import type { Log } from './log.ts'
import { messageOf } from './start-error.ts'

/** Runs a route or timer, bounded in time. @throws Its error, or one for the timeout. Both are logged. */
export type Call = <T>(name: string, work: (context: Invocation) => Promise<T>) => Promise<T>

/** @param timeoutMs After it a call is abandoned: it goes on by itself, and its result is dropped. */
export function createCall(timeoutMs: number, activity: Activity, log: Log): Call {
  return async (name, work) => {
    const context = new LoggedCall(name, log)
    activity.begin()
    try {
      return await within(work(context), timeoutMs)
    } catch (error) {
      const message = `Function "${name}" failed: ${messageOf(error)}`
      log({ level: 'error', category: 'server', message, name, callId: context.id, error })
      throw error
    } finally {
      activity.end()
    }
  }
}

class LoggedCall implements Invocation {
  readonly #name: string
  readonly #log: Log
  #id: string | undefined

  constructor(name: string, log: Log) {
    this.#name = name
    this.#log = log
  }

  /** Made at first use: few calls need one, and cryptography takes memory, which Node loads for this global only when it is used. */
  get id(): string {
    return (this.#id ??= globalThis.crypto.randomUUID())
  }

  readonly log: Invocation['log'] = (level, message) => {
    this.#log({ level, category: 'app', message, name: this.#name, callId: this.id })
  }
}
