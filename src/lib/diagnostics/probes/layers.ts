import { isServiceError, ServiceError, type ErrorCode, type Evidence } from '../../errors.ts'
import { toDiagnosis } from '../diagnosis.ts'
import type { FoundCheck } from '../found-check.ts'
import type { HostCertificate } from '../report.ts'

/** What a question that did not fail found. */
export interface Observation<T> {
  /** Default is `pass`. */
  readonly status?: 'pass' | 'warn' | 'skip'
  readonly message: string
  readonly code?: ErrorCode
  readonly evidence?: Readonly<Record<string, string | undefined>>
  readonly certificate?: HostCertificate
  /** What later layers go on with. */
  readonly value?: T
}

/** The checks of one group, each standing on the ones before it: after a failure the rest is skipped, with the reason. */
export class Layers {
  readonly #group: string
  readonly #checks: FoundCheck[] = []
  #stopped: string | undefined

  /** @param stopped Why nothing is asked at all, such as `authority.tls failed`. */
  constructor(group: string, stopped?: string) {
    this.#group = group
    this.#stopped = stopped
  }

  get checks(): readonly FoundCheck[] {
    return this.#checks
  }

  /** Why the rest is skipped; `undefined` as long as nothing failed. */
  get stopped(): string | undefined {
    return this.#stopped
  }

  /** Asks one question. What it throws is the failure; its value comes back when it answered. */
  async ask<T = void>(name: string, question: () => Observation<T> | Promise<Observation<T>>): Promise<T | undefined> {
    const id = `${this.#group}.${name}`
    if (this.#stopped !== undefined) {
      this.#checks.push({ id, status: 'skip', message: `Not asked: ${this.#stopped}`, durationMs: 0 })
      return undefined
    }
    let value: T | undefined
    const check = await askCheck(id, async () => {
      const observed = await question()
      value = observed.value
      return observed
    })
    this.#checks.push(check)
    if (check.status === 'fail') this.#stopped = `${id} failed`
    return value
  }
}

/** Makes a check of one question. Whatever it throws is a failed check, so that no question can take the report down. */
export async function askCheck(
  id: string,
  question: () => Observation<unknown> | Promise<Observation<unknown>>,
): Promise<FoundCheck> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  try {
    const { status = 'pass', message, code, evidence, certificate } = await question()
    const observed = new ServiceError(code ?? 'UNEXPECTED', message, { evidence })
    const explained = code === undefined ? { message } : toDiagnosis(observed)
    return { id, status, ...explained, ...seen(observed.evidence, certificate), durationMs: durationMs() }
  } catch (error) {
    return failedCheck(id, error, durationMs())
  }
}

/** What was thrown as a check. */
export function failedCheck(id: string, error: unknown, durationMs = 0): FoundCheck {
  const known = isServiceError(error) ? error : toDefectError(error)
  return { id, status: 'fail', ...toDiagnosis(known), ...seen(known.evidence, undefined), durationMs }
}

function seen(evidence: Evidence | undefined, certificate: HostCertificate | undefined) {
  return { ...(evidence === undefined ? {} : { evidence }), ...(certificate === undefined ? {} : { certificate }) }
}

/** A fault of ours. Its text may hold anything, so only its kind is told. */
function toDefectError(error: unknown): ServiceError {
  const kind = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : typeof error
  return new ServiceError('UNEXPECTED', `The check itself failed (${kind})`, { cause: error })
}
