import { isServiceError, ServiceError, type Evidence } from '../../errors.ts'
import { toDiagnosis } from '../diagnosis.ts'
import type { FoundCheck } from '../found-check.ts'
import type { Observation } from '../../endpoints/endpoint.ts'
import type { HostCertificate } from '../report.ts'

/** An observation of a TLS handshake has the certificate too. */
type Observed<T> = Observation<T> & { readonly certificate?: HostCertificate }

type Question<T> = () => Observed<T> | Promise<Observed<T>>

/** The checks of one endpoint in order. After a failure the remaining checks are skipped, with the reason. */
export class Layers {
  readonly #endpoint: string
  readonly #unreachable: string | undefined
  readonly #checks: FoundCheck[] = []
  #stopped: string | undefined

  /** @param unreachable Why every question is skipped, such as `authority.tls failed`. */
  constructor(endpoint: string, unreachable?: string) {
    this.#endpoint = endpoint
    this.#unreachable = unreachable
    this.#stopped = unreachable
  }

  get checks(): readonly FoundCheck[] {
    return this.#checks
  }

  /** The reason why the remaining checks are skipped; `undefined` until a check fails. */
  get stopped(): string | undefined {
    return this.#stopped
  }

  /**
   * Runs one check. An exception is its failure. @returns Its value, unless it failed.
   *
   * @param anyway Whether it is asked after a failed question too, as long as the host can be reached. Default is false.
   */
  async ask<T = void>(name: string, question: Question<T>, anyway = false): Promise<T | undefined> {
    const id = `${this.#endpoint}.${name}`
    const reason = anyway ? this.#unreachable : this.#stopped
    if (reason !== undefined) {
      this.#checks.push({ id, status: 'skip', message: `Skipped: ${reason}`, durationMs: 0 })
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

/** Makes a check of one question. An error is a failed check, so that no question can prevent the report. */
export async function askCheck(id: string, question: Question<unknown>): Promise<FoundCheck> {
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

/** Converts an error to a failed check. */
export function failedCheck(id: string, error: unknown, durationMs = 0): FoundCheck {
  const known = isServiceError(error) ? error : toDefectError(error)
  return { id, status: 'fail', ...toDiagnosis(known), ...seen(known.evidence, undefined), durationMs }
}

function seen(evidence: Evidence | undefined, certificate: HostCertificate | undefined) {
  return { ...(evidence === undefined ? {} : { evidence }), ...(certificate === undefined ? {} : { certificate }) }
}

/** A fault in this service. Its text may contain a secret, so the check shows only its kind. */
function toDefectError(error: unknown): ServiceError {
  const kind = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : typeof error
  return new ServiceError('UNEXPECTED', `The check itself failed (${kind})`, { cause: error })
}
