import type { AccessToken } from '@azure/core-auth'
import { singleFlight } from '../../transport/single-flight.ts'
import type { FoundCheck } from '../found-check.ts'
import { failedCheck } from '../probes/layers.ts'
import { reuseMs } from '../reuse.ts'
import { checkAcceptance, type AcceptanceTarget } from './acceptance.ts'

/**
 * Looks at each service with a token of its own audience.
 *
 * @param tokenFor Acquires a token for an audience, with the credential of the process.
 * @param timeoutMs Milliseconds that one service may take.
 * @returns What makes the looks, or answers from what is fresh enough.
 */
export function createServiceLooks(
  targets: readonly AcceptanceTarget[],
  tokenFor: (audience: string) => Promise<AccessToken>,
  timeoutMs: number,
): () => Promise<readonly FoundCheck[]> {
  const look = async (target: AcceptanceTarget): Promise<FoundCheck> => {
    const started = performance.now()
    try {
      const { token } = await tokenFor(target.audience)
      return await checkAcceptance(target, token, timeoutMs)
    } catch (error) {
      return failedCheck(`${target.group}.accepts-token`, error, Math.round(performance.now() - started))
    }
  }
  return singleFlight(() => Promise.all(targets.map(look)), reuseMs)
}
