import {
  isServiceError,
  ServiceError,
  type ErrorCode,
  type Evidence,
  type NetworkFault,
  type NetworkRole,
} from '../errors.ts'
import { withoutUndefined } from '../base/json.ts'
import { findingOf, fixOf } from '../findings/catalog.ts'
import type { Layer, RunFacts, ChangeableField } from '../findings/finding.ts'
import { NetworkError } from '../transport/network-error.ts'
import type { Check, Diagnosis, HostCertificate } from './report.ts'

/** Facts that a check observed. The report doesn't contain them. */
export interface Observed {
  /** Seconds that the local clock is ahead of this host's. */
  readonly skewSeconds?: number
  /** The addresses that the name of the host resolves to. */
  readonly addresses?: readonly string[]
  /** The subjects of the certificates that the host sent. */
  readonly chain?: readonly string[]
  /** The path of the request. */
  readonly path?: string
  /** SHA-256 of an HTML page in place of the expected response. */
  readonly page?: string
  /** The cloud that the OpenID configuration of the tenant names. */
  readonly tenant?: Evidence
}

/** A check before `conclude` adds cause and fix. The report contains only a part of its fields. */
export interface FoundCheck extends Pick<Check, 'id' | 'status' | 'message' | 'code' | 'durationMs'> {
  /** The id of the endpoint; absent if the check is about this machine only. */
  readonly endpoint?: string
  readonly layer?: Layer
  /** For a network failure: the kind of host. */
  readonly role?: NetworkRole
  readonly fault?: NetworkFault
  readonly evidence?: Evidence
  readonly certificate?: HostCertificate
  /** The profile fields that this check confirms. */
  readonly proves?: readonly ChangeableField[]
  readonly observed?: Observed
}

/** The result of a check that didn't fail. A failed check throws. */
export interface Observation<T = void> extends Pick<FoundCheck, 'certificate' | 'proves' | 'observed'> {
  /** Default is `pass`. */
  readonly status?: 'pass' | 'warn' | 'skip'
  readonly message: string
  readonly code?: ErrorCode
  readonly evidence?: { readonly [K in keyof Evidence]: string | undefined }
  /** Values for later checks. */
  readonly value?: T
}

type Observe<T> = () => Observation<T> | Promise<Observation<T>>

/** The id of a check, with its endpoint and layer. */
export type Place = Pick<FoundCheck, 'id' | 'endpoint' | 'layer'>

/** Adds cause and fix from the catalog to an error. */
export function toDiagnosis(error: Pick<ServiceError, 'code' | 'message' | 'evidence'>, run?: RunFacts): Diagnosis {
  const { code, message } = error
  const { text, change, cause = findingOf(code).cause } = fixOf(error, run)
  return withoutUndefined({ code, message, cause, fix: text, change })
}

/** Runs the checks of one endpoint in order. After a failure, the remaining checks are skipped. */
export class Layers {
  readonly checks: FoundCheck[] = []
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

  /**
   * Checks the response.
   *
   * @param afterFailure Whether the check also runs after a failed check, if the host can be reached. Default is false.
   * @returns The value of the check, unless it failed.
   */
  async check<T = void>(name: string, observe: Observe<T>, afterFailure?: 'after failure'): Promise<T | undefined> {
    return this.#run(name, 'response', observe, afterFailure ? this.#unreachable : this.stopped)
  }

  async #run<T>(name: string, layer: Layer, observe: Observe<T>, reason: string | undefined): Promise<T | undefined> {
    const place = { id: `${this.#endpoint}.${name}`, endpoint: this.#endpoint, layer }
    if (reason !== undefined) {
      this.checks.push({ ...place, status: 'skip', message: `Skipped: ${reason}`, durationMs: 0 })
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
export async function runCheck(place: Place, observe: Observe<unknown>): Promise<FoundCheck> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  try {
    const { status = 'pass', message, code, value: _value, ...results } = await observe()
    const { evidence } = new ServiceError(code ?? 'UNEXPECTED', message, results)
    return { ...place, ...withoutUndefined({ ...results, status, message, code, evidence, durationMs: durationMs() }) }
  } catch (error) {
    return failedCheck(place, error, durationMs())
  }
}

/** Carries the observed facts of a failed check. */
export class ObservedFailure extends Error {
  readonly observed: Observed

  constructor(cause: unknown, observed: Observed) {
    super('A check failed', { cause })
    this.observed = observed
  }
}

/** Converts an error to a failed check. */
export function failedCheck(place: Place, error: unknown, durationMs = 0): FoundCheck {
  if (error instanceof ObservedFailure)
    return { ...failedCheck(place, error.cause, durationMs), observed: error.observed }
  const failure = isServiceError(error) ? error : toDefectError(error)
  const { code, message, evidence } = failure
  const { role, fault } = failure instanceof NetworkError ? failure : {}
  return {
    ...place,
    ...withoutUndefined({ status: 'fail' as const, code, message, role, fault, evidence, durationMs }),
  }
}

/** A defect of this service. The text may contain a secret, so the check shows only the kind of error. */
function toDefectError(error: unknown): ServiceError {
  const kind = error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : typeof error
  return new ServiceError('UNEXPECTED', `The check itself failed (${kind})`, { cause: error })
}
