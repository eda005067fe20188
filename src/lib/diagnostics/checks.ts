import { isServiceError, ServiceError } from '../errors.ts'
import { withoutUndefined } from '../base/json.ts'
import { fixOf } from '../findings/catalog.ts'
import { layers, type RunFacts } from '../findings/finding.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { Diagnosis } from './report.ts'
import type { Check, Observation, Probing } from './run.ts'

type Observe<T> = () => Observation<T> | Promise<Observation<T>>

/** A check without its result. */
export type Place = Pick<Check, 'id' | 'endpoint' | 'layer' | 'of'>

/** Adds cause and fix from the catalog to an error. */
export function toDiagnosis(error: Pick<ServiceError, 'code' | 'message' | 'evidence'>, run?: RunFacts): Diagnosis {
  const { code, message } = error
  const { text, change, cause } = fixOf(error, run)
  return withoutUndefined({ code, message, cause, fix: text, change })
}

/** Runs the checks of one endpoint in order, until one fails. @param unreachable Why every check is skipped, such as `authority.tls failed`. */
export function checksInOrder(endpoint: string, unreachable?: string) {
  const checks: Check[] = []
  let stopped = unreachable
  const check: Probing['check'] = async <T>(name: string, observe: Observe<T>, afterFailure?: 'after failure') => {
    const layer = layers.find((each) => each === name) ?? 'response'
    const place = { id: `${endpoint}.${name}`, endpoint, layer }
    const reason = afterFailure ? unreachable : stopped
    let value: T | undefined
    const made =
      reason === undefined
        ? await runCheck(place, async () => {
            const observation = await observe()
            value = observation.value
            return observation
          })
        : skippedCheck(place, `Skipped: ${reason}`)
    checks.push(made)
    if (made.status === 'fail') stopped = `${made.id} failed`
    return value
  }
  /** `stopped` says why the remaining checks are skipped. */
  return { checks, check, stopped: () => stopped }
}

/** Runs one check. Never rejects: an error becomes a failed check, so that every run ends with a report. */
export async function runCheck(place: Place, observe: Observe<unknown>): Promise<Check> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  try {
    const { value: _value, evidence, ...found } = await observe()
    const known = evidence && { evidence: withoutUndefined(evidence) }
    return { ...place, status: 'pass', ...withoutUndefined(found), ...known, durationMs: durationMs() }
  } catch (error) {
    return failedCheck(place, error, durationMs())
  }
}

export function skippedCheck(place: Place, message: string): Check {
  return { ...place, status: 'skip', message, durationMs: 0 }
}

/** Converts an error to a failed check. Of a defect of this service, it shows only the kind: the text may contain a secret. */
export function failedCheck(place: Place, error: unknown, durationMs = 0): Check {
  const kind = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : typeof error
  const failure = isServiceError(error) ? error : new ServiceError('UNEXPECTED', `The check itself failed (${kind})`)
  const { code, message, evidence } = failure
  const { fault, chain } = failure instanceof NetworkError ? failure : {}
  const observed = chain && { chain }
  const found = { status: 'fail', code, message, fault, evidence, observed, durationMs } as const
  return { ...place, ...withoutUndefined(found) }
}
