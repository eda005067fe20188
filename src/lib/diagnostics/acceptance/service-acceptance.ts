import type { AccessToken } from '../../auth/token-credential.ts'
import { singleFlightCache } from '../../base/single-flight-cache.ts'
import type { FoundCheck } from '../found-check.ts'
import { failedCheck } from '../probes/layers.ts'
import { reuseMs } from '../reuse.ts'
import type { Env } from '../../base/env.ts'
import { checkAcceptance, type AcceptanceTarget } from './acceptance.ts'

/**
 * Looks at each service with a token of its own audience.
 *
 * @param tokenFor Acquires a token for an audience, with the credential of the process.
 * @returns What makes the looks, or answers from what is fresh enough.
 */
export function createServiceAcceptance(
  targets: readonly AcceptanceTarget[],
  tokenFor: (audience: string) => Promise<AccessToken>,
  timeoutMs: number,
  env: Env = {},
): () => Promise<readonly FoundCheck[]> {
  const look = async (target: AcceptanceTarget): Promise<FoundCheck> => {
    const started = performance.now()
    try {
      const { token } = await tokenFor(target.audience)
      return await checkAcceptance(target, token, timeoutMs, env)
    } catch (error) {
      return failedCheck(`${target.group}.accepts-token`, error, Math.round(performance.now() - started))
    }
  }
  const checks = singleFlightCache<readonly FoundCheck[]>({ ttlMs: reuseMs })
  return () => checks.get(() => Promise.all(targets.map(look)))
}
