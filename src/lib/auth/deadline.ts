import { setTimeout as sleep } from 'node:timers/promises'
import type { GetTokenOptions } from '@azure/core-auth'
import { ServiceError } from '../errors.ts'

/** Milliseconds the transport gets after the end to say what it was waiting for. */
const lastWordsMs = 100

/** The end of an attempt: by time, which a sign-in by a person may move, or by its caller. */
export class Deadline {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout
  #cancelled = false

  /** @param timeoutMs Milliseconds from now. */
  constructor(timeoutMs: number, callerSignal?: GetTokenOptions['abortSignal']) {
    this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs)
    const cancel = () => {
      this.#cancelled = true
      this.#controller.abort()
    }
    if (callerSignal?.aborted === true) cancel()
    callerSignal?.addEventListener('abort', cancel)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the caller ended the attempt, and not the time. */
  get cancelled(): boolean {
    return this.#cancelled
  }

  /** @param timestamp Milliseconds since the epoch. */
  extendTo(timestamp: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, timestamp - Date.now()))
  }

  /** Gives up on work that goes on past the end, which it may do for ever. */
  async limit<T>(work: Promise<T>): Promise<T> {
    const ended = new Promise<never>((_resolve, reject) => {
      const end = async () => {
        await sleep(lastWordsMs)
        reject(new ServiceError('TOKEN_TIMEOUT', 'The attempt was abandoned'))
      }
      if (this.signal.aborted) void end()
      this.signal.addEventListener('abort', () => void end(), { once: true })
    })
    return Promise.race([work, ended])
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
