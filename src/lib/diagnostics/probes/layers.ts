import { isServiceError, ServiceError, type ErrorCode } from '../../errors.ts'
import type { Check } from '../report.ts'
import { toExplanation } from '../explanation.ts'

/** What a question that did not fail found. */
export interface Answer<T> {
  /** Default is `pass`. */
  readonly status?: 'pass' | 'warn' | 'skip'
  readonly message: string
  readonly code?: ErrorCode
  /** What later layers go on with. */
  readonly value?: T
}

/** The checks of one group, each standing on the ones before it: after a failure the rest is skipped, with the reason. */
export class Layers {
  readonly #group: string
  readonly #checks: Check[] = []
  #stopped: string | undefined

  /** @param stopped Why nothing is asked at all, such as `authority.tls failed`. */
  constructor(group: string, stopped?: string) {
    this.#group = group
    this.#stopped = stopped
  }

  get checks(): readonly Check[] {
    return this.#checks
  }

  /** Why the rest is skipped; `undefined` as long as nothing failed. */
  get stopped(): string | undefined {
    return this.#stopped
  }

  /** Asks one question. What it throws is the failure; its value comes back when it answered. */
  async ask<T = void>(name: string, question: () => Answer<T> | Promise<Answer<T>>): Promise<T | undefined> {
    const id = `${this.#group}.${name}`
    if (this.#stopped !== undefined) {
      this.#checks.push({ id, status: 'skip', message: `Not asked: ${this.#stopped}`, durationMs: 0 })
      return undefined
    }
    const started = performance.now()
    const durationMs = () => Math.round(performance.now() - started)
    try {
      const { status = 'pass', message, code, value } = await question()
      const explained = code === undefined ? { message } : toExplanation(new ServiceError(code, message))
      this.#checks.push({ id, status, ...explained, durationMs: durationMs() })
      return value
    } catch (error) {
      const known = isServiceError(error) ? error : describeDefect(error)
      this.#checks.push({ id, status: 'fail', ...toExplanation(known), durationMs: durationMs() })
      this.#stopped = `${id} failed`
      return undefined
    }
  }
}

/** A fault of ours. Its text may hold anything, so only its kind is told. */
function describeDefect(error: unknown): ServiceError {
  const kind = error instanceof Error ? error.name : typeof error
  return new ServiceError('UNEXPECTED', `The check itself failed (${kind})`, { cause: error })
}
