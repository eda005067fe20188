import { isServiceError } from '../errors.ts'
import type { Check } from '../diagnostics/report.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { explainProfile, type ResolveOptions } from '../profile/resolve-cloud-profile.ts'

/** A check of a profile, and the profile if it is valid. */
export interface CheckedProfile {
  readonly cloud?: ExplainedProfile
  readonly check: Check
}

/**
 * Checks that a profile resolves and validates, for the smoke test, the report and the health of the service. The rules of the fields make sure
 * that a valid profile builds its addresses.
 *
 * @param active The profile of the start: a file that has changed since then is a warning.
 */
export function checkProfile(options: ResolveOptions, active?: ExplainedProfile): CheckedProfile {
  // `performance` would load a dozen modules of Node, which takes much of the time of a run without a token.
  const started = process.hrtime.bigint()
  const checked = (check: Omit<Check, 'id' | 'durationMs'>): Check => ({
    id: 'profile.valid',
    ...check,
    durationMs: Math.round(Number(process.hrtime.bigint() - started) / 1e6),
  })
  try {
    const cloud = explainProfile(options)
    if (active !== undefined && JSON.stringify(cloud.profile) !== JSON.stringify(active.profile)) {
      const message = 'The profile file has changed since the start of this process. A restart applies it'
      return { cloud, check: checked({ status: 'warn', code: 'PROFILE_FILE_CHANGED', message }) }
    }
    return { cloud, check: checked({ status: 'pass', message: 'Every field meets its rules' }) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { check: checked({ status: 'fail', code: error.code, message: error.message }) }
  }
}
