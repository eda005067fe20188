import { isServiceError, ServiceError } from '../errors.ts'
import { withoutUndefined } from '../base/json.ts'
import { findingOf, fixOf } from '../findings/catalog.ts'
import type { Layer, RunFacts } from '../findings/finding.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { Diagnosis } from './report.ts'
import type { Check, Observation } from './run.ts'

type Observe<T> = () => Observation<T> | Promise<Observation<T>>

/** A check without its result. */
export type Place = Pick<Check, 'id' | 'endpoint' | 'layer' | 'of'>

/** Adds cause and fix from the catalog to an error. */
export function toDiagnosis(error: Pick<ServiceError, 'code' | 'message' | 'evidence'>, run?: RunFacts): Diagnosis {
  const { code, message } = error
  const { text, change, cause = findingOf(code).cause } = fixOf(error, run)
  return withoutUndefined({ code, message, cause, fix: text, change })
}

/** Runs the checks of one endpoint in order. After a failure, the remaining checks are skipped. */
export class Layers {
  readonly checks: Check[] = []
  /** Why the remaining checks are skipped. `undefined` until a check fails. */
  stopped: string | undefined
  readonly #endpoint: string
  readonly #unreachable: string | undefined

  /** @param unreachable Why every check is skipped, such as `authority.tls failed`. */
  constructor(endpoint: string, unreachable?: string) {
    this.#endpoint = endpoint
    this.#unreachable = unreachable
    this.stopped = unreachable
  }

  /** Checks a layer of the connection. @returns The value of the check, unless it failed. */
  async reach<T = void>(layer: Layer, observe: Observe<T>): Promise<T | undefined> {
    return this.#run(layer, layer, observe, this.stopped)
  }

  /** As `check` of `Probing`. */
  async check<T = void>(name: string, observe: Observe<T>, afterFailure?: 'after failure'): Promise<T | undefined> {
    return this.#run(name, 'response', observe, afterFailure ? this.#unreachable : this.stopped)
  }

  async #run<T>(name: string, layer: Layer, observe: Observe<T>, reason: string | undefined): Promise<T | undefined> {
    const place = { id: `${this.#endpoint}.${name}`, endpoint: this.#endpoint, layer }
    if (reason !== undefined) {
      this.checks.push(skippedCheck(place, `Skipped: ${reason}`))
      return undefined
    }
    let value: T | undefined
    const check = await runCheck(place, async () => {
      const observation = await observe()
      value = observation.value
      return observation
    })
    this.checks.push(check)
    if (check.status === 'fail') this.stopped = `${place.id} failed`
    return value
  }
}

/** Runs one check. Never rejects: an error becomes a failed check, so that every run ends with a report. */
export async function runCheck(place: Place, observe: Observe<unknown>): Promise<Check> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  try {
    const { value: _value, evidence = {}, ...found } = await observe()
    const known = Object.keys(evidence).length === 0 ? {} : { evidence: withoutUndefined(evidence) }
    return { ...place, status: 'pass', ...withoutUndefined(found), ...known, durationMs: durationMs() }
  } catch (error) {
    return failedCheck(place, error, durationMs())
  }
}

/** @param message The reason. */
export function skippedCheck(place: Place, message: string): Check {
  return { ...place, status: 'skip', message, durationMs: 0 }
}

/** Converts an error to a failed check. */
export function failedCheck(place: Place, error: unknown, durationMs = 0): Check {
  const failure = isServiceError(error) ? error : toDefectError(error)
  const { code, message, evidence } = failure
  const { role, fault, chain } = failure instanceof NetworkError ? failure : {}
  const observed = chain && { chain }
  return {
    ...place,
    ...withoutUndefined({ status: 'fail' as const, code, message, role, fault, evidence, observed, durationMs }),
  }
}

/** A defect of this service. The text may contain a secret, so the check shows only the kind of error. */
function toDefectError(error: unknown): ServiceError {
  const kind = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : typeof error
  return new ServiceError('UNEXPECTED', `The check itself failed (${kind})`, { cause: error })
}
