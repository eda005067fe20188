import type { Check, SmokeTestResult, SmokeTestRun } from '../diagnostics/report.ts'
import { isServiceError, type Warning } from '../errors.ts'
import { builtInProfileNames } from '../clouds/known-clouds.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Env } from '../base/env.ts'
import { findWarnings } from '../variables.ts'
import { explainProfile, type ResolveOptions } from '../profile/resolve-cloud-profile.ts'

/** A profile to check: its resolver options, and its name if it cannot be resolved. */
export interface SmokeTestTarget {
  readonly label: string
  readonly options: ResolveOptions
  /** Whether this process uses the profile. Placeholders of an unused profile are notes. Default is true. */
  readonly inUse?: boolean
  /** Requests a token with the profile, if it is valid. */
  readonly checkToken?: (cloud: ExplainedProfile) => Promise<Pick<SmokeTestResult, 'checks' | 'rootCause' | 'hosts'>>
}

export interface SmokeTestOptions {
  readonly targets: readonly SmokeTestTarget[]
  /** Whether warnings fail a profile. */
  readonly strict?: boolean
  /** Called before each profile, for a progress line. */
  readonly onProgress?: (done: number, total: number, label: string) => void
}

/** The five built-in profiles without overrides. */
export const builtInTargets: readonly SmokeTestTarget[] = builtInProfileNames.map((name) => ({
  label: name,
  options: { name, env: {} },
}))

/** The profile that this environment selects. It is read again, so that a changed file is noticed. */
export const activeTarget = (env: Env): SmokeTestTarget => ({ label: 'active profile', options: { env } })

/** Checks one profile after the other: that it is valid, and on request that it gets a token. A failed profile is a result, not an error. */
export async function runSmokeTest({ targets, strict = false, onProgress }: SmokeTestOptions): Promise<SmokeTestRun> {
  const startedAt = new Date()
  const results: SmokeTestResult[] = []
  for (const [index, target] of targets.entries()) {
    onProgress?.(index, targets.length, target.label)
    results.push(await testProfile(target, strict))
  }
  onProgress?.(targets.length, targets.length, '')
  return {
    status: worst(results.map(({ status }) => status)),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    results,
  }
}

async function testProfile(
  { label, options, inUse = true, checkToken }: SmokeTestTarget,
  strict: boolean,
): Promise<SmokeTestResult> {
  const { cloud, check: valid } = checkProfile(options)
  if (cloud === undefined) return { profile: label, status: 'fail', checks: [valid], warnings: [] }
  const { checks: tokenChecks = [], rootCause, hosts } = (await checkToken?.(cloud)) ?? {}
  const checks = [valid, ...tokenChecks.filter(({ id }) => id !== valid.id)]
  const isNote = ({ code }: Warning) => !inUse && code === 'PLACEHOLDER_FIELD'
  const all = await findWarnings(cloud, options.env ?? process.env)
  const { hostingNotes } = await import('../profile/lint-profile.ts')
  const notes = [...all.filter(isNote), ...hostingNotes(cloud.profile)]
  const warnings = all.filter((warning) => !isNote(warning))
  const warned = (strict ? all : warnings).map(() => 'warn' as const)
  const status = worst([...checks.map((check) => check.status), ...warned])
  return {
    profile: cloud.profile.name,
    status: strict && status === 'warn' ? 'fail' : status,
    checks,
    warnings,
    ...(notes.length === 0 ? {} : { notes }),
    ...(rootCause === undefined ? {} : { rootCause }),
    ...(hosts === undefined ? {} : { hosts }),
  }
}

function worst(statuses: readonly Check['status'][]): SmokeTestResult['status'] {
  return statuses.includes('fail') ? 'fail' : statuses.includes('warn') ? 'warn' : 'pass'
}

/** Checks that a profile is valid. @param active The profile of the start: a file that has changed since then is a warning. */
export function checkProfile(
  options: ResolveOptions,
  active?: ExplainedProfile,
): { readonly cloud?: ExplainedProfile; readonly check: Check } {
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
