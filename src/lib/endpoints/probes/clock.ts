import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { ServiceError } from '../../errors.ts'
import { durationText } from '../../base/duration-text.ts'
import type { Observation } from '../endpoint.ts'

/** Seconds of difference that are worth a warning, and that break tokens. */
const noticedSeconds = 120
const toleratedSeconds = 300

/**
 * Compares the Date header of an answer with the clock of this machine.
 *
 * @param now Milliseconds since the epoch, when the answer arrived.
 * @throws {ServiceError} `CLOCK_SKEW`
 */
export function checkClock({ headers }: PipelineResponse, now: number): Observation {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) return { status: 'skip', message: 'The response has no Date header to compare' }
  // A response from an intermediate cache is older by its Age.
  const age = Number(headers.get('age') ?? 0)
  const seconds = Math.round((now - date) / 1000 - (Number.isFinite(age) ? age : 0))
  const difference = Math.abs(seconds)
  if (difference <= 1) {
    return {
      message: 'The local clock agrees with the login authority',
      evidence: { skewSeconds: String(seconds) },
    }
  }
  const message = `The local clock is ${durationText(difference)} ${seconds > 0 ? 'ahead of' : 'behind'} the login authority`
  const evidence = {
    skewSeconds: String(seconds),
    theirs: new Date(date).toISOString(),
    ours: new Date(now).toISOString(),
  }
  if (difference > toleratedSeconds) throw new ServiceError('CLOCK_SKEW', message, { evidence })
  return difference > noticedSeconds ? { status: 'warn', code: 'CLOCK_SKEW', message, evidence } : { message, evidence }
}
