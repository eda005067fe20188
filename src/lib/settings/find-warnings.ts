import { namedTenant } from '../auth/tenant.ts'
import type { Env } from '../base/env.ts'
import { occursInEachMonth } from '../base/ncrontab.ts'
import { showValue } from '../base/show-value.ts'
import { isServiceError, type Warning } from '../errors.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import { findForeignVariables } from './foreign-variables.ts'
import { readSettings, type Settings } from './settings.ts'
import { findUnknownVariables } from './unknown-variables.ts'

/**
 * Warnings that do not stop the service: about the profile, the settings, and the variables of other tools. The
 * one list of warnings for every view.
 *
 * @param settings Default is those of the environment. Invalid ones are reported separately, and omitted here.
 */
export async function findWarnings(
  { profile, fields, warnings }: ExplainedProfile,
  env: Env,
  settings: Settings | undefined = validSettings(env),
): Promise<Warning[]> {
  // No cold start waits for it.
  const { lintProfile } = await import('../profile/lint-profile.ts')
  // A detected platformCli is a guess: the service may never run the tool.
  const isGuess = settings?.authMode === 'platformCli' && settings.authModeFrom !== 'AUTH_MODE'
  const authMode = isGuess ? undefined : settings?.authMode
  return [
    ...warnings,
    ...lintProfile(profile, { authMode, tenantId: settings && namedTenant(settings), origins: fields }),
    ...findUnknownVariables(env),
    ...findForeignVariables(env, settings?.authMode, profile.authorityHost),
    ...findScheduleWarnings(settings),
  ]
}

function findScheduleWarnings(settings: Settings | undefined): Warning[] {
  if (settings === undefined || occursInEachMonth(settings.smokeTestSchedule)) return []
  const message = `SMOKE_TEST_SCHEDULE ${showValue(settings.smokeTestSchedule)} sets a day and a day of week, which do not match in every month`
  return [{ code: 'SCHEDULE_DAYS_COMBINED', message }]
}

/**
 * The settings of an environment, if they are valid.
 *
 * @param onProblem Called with each problem of them.
 */
export function validSettings(env: Env, onProblem: (problem: string) => void = () => {}): Settings | undefined {
  try {
    return readSettings(env)
  } catch (error) {
    if (!isServiceError(error)) throw error
    onProblem(`${error.code}: ${error.message}`)
    return undefined
  }
}
