import { readVariable } from '../base/env.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { Check, DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import { checkProfile } from './check-profile.ts'
import type { SmokeTestTarget } from './run-smoke-test.ts'
import { loadOnce } from '../base/waiting.ts'
import { reportHealth, type LastToken } from './health.ts'
import type { HealthReport } from './health-report.ts'
import type { Log } from '../base/app.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Env } from '../base/env.ts'
import { withoutUndefined } from '../base/json.ts'
import { errorCode } from '../base/files.ts'
import { explainProfile, refuseOverrideReferences } from '../profile/resolve-cloud-profile.ts'
import { isServiceError, type Warning } from '../errors.ts'
import { namedTenant } from '../settings/credential-values.ts'
import { refuseOldNode } from '../settings/node-requirements.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { findWarnings } from '../variables.ts'
import { VERSION } from '../settings/version.ts'

// This folder is the state of one process: settings, profile, cached report, scheduled runs, health and metrics. Only src/lib/diagnostics and
// src/lib/auth make requests for it.

/** Token attempts of this process by result: `acquired`, or the code of the failure. */
export type AttemptCounts = ReadonlyMap<string, number>

/** Results that need no request. */
export interface CachedState {
  /** Absent before the end of the first diagnostics run, and if the last run is older than five minutes. */
  readonly report?: DiagnosticsReport
  /** When the last run began, at any age. ISO 8601. */
  readonly lastRunAt?: string
  readonly smokeTest?: SmokeTestRun
  readonly attempts: AttemptCounts
}

/** The state that the functions share. A cold start resolves the profile and the settings; the rest is loaded at first use. */
export interface Service {
  readonly settings: Settings
  readonly cloud: ExplainedProfile
  /** The result of `findWarnings`. */
  readonly warnings: () => Promise<readonly Warning[]>
  /** A sentence with the variables of the credential that are not set. They do not stop the start. */
  readonly missingCredential: () => Promise<string | undefined>
  /** The part with the credential library, loaded at the first call. */
  diagnostics(log: Log): Promise<Diagnostics>
  /** Whether the platform should keep this process, from cached results. Makes no request. */
  health(): Promise<HealthReport>
  /** Whether this process can serve: its parts and the given parts are loaded, and its profile is valid. Makes no request. */
  readiness(log: Log, parts?: readonly (() => Promise<unknown>)[]): Promise<HealthReport>
  /** The cached results without waiting. Starts a diagnostics run if the cached report is older than a minute. */
  cachedState(log: Log): Promise<CachedState>
  /** Checks the five built-ins and the active profile, and remembers the run. */
  runSmokeTest(log: Log): Promise<SmokeTestRun>
}

/**
 * Composes the product, from the variables of a process to a report:
 *
 * 1. `readSettings` parses every variable with one table, and names all problems at once.
 * 2. `explainProfile` selects a built-in or a file, applies the overrides, validates the result with one schema, and keeps where each value
 *    came from. An invalid setting or profile ends the start here.
 * 3. `createDiagnostics`, at the first request, opens the credential of AUTH_MODE. A run requests a token and probes each endpoint; `conclude`
 *    turns its facts into one root cause with a fix; the report is cached.
 * 4. `functions` shows it: the page, the JSON routes, health and metrics read the same cached report.
 * 5. The timer calls `runSmokeTest`: every built-in and the active profile, with a token if the settings say so.
 *
 * `resolveCloud` (`lib/cloud.ts`) takes steps 1 to 3 for an application, without probes.
 *
 * @throws {ServiceError} for any invalid setting or profile: the start must fail.
 */
export function createService(env: Env): Service {
  refuseOldNode()
  keepVariablesOutOfReports(env)
  const settings = readSettings(env, [refuseOverrideReferences])
  const cloud = explainProfile({ env })
  let loaded: Diagnostics | undefined
  const profileCheck = createProfileCheck(env, cloud)
  const scheduled = createScheduledRuns(env, cloud)
  // The log of an ended invocation accepts no events, so they go to the log of the latest invocation.
  let latest: Log = () => {}
  const { log, counts: attempts } = countAttempts((event) => latest(event))
  const diagnostics = (current: Log) => {
    latest = current
    return load()
  }
  // Loaded late, because a cold start doesn't need it.
  const resolved = loadOnce(async () => {
    const { resolveProvider } = await import('../profile/identity-provider.ts')
    return resolveProvider(cloud, namedTenant(settings))
  })
  const load = loadOnce(async () => {
    const { createDiagnostics } = await import('../diagnostics/diagnostics.ts')
    loaded = createDiagnostics({
      cloud: await resolved(),
      warnings: await warnings(),
      settings,
      env,
      log,
      lastSmokeTest: scheduled.last,
      profileCheck: profileCheck.current,
    })
    return loaded
  })

  const warnings = loadOnce(async () => findWarnings(await resolved(), env, settings))
  const missingCredential = loadOnce(async () => {
    const resolvedCloud = await resolved()
    const { planCredential } = await import('../auth/credential-plan.ts')
    try {
      planCredential(resolvedCloud, settings)
      return undefined
    } catch (error) {
      return isServiceError(error) && error.code === 'CREDENTIAL_SETTING_MISSING' ? error.message : undefined
    }
  })
  const health = async () => ({
    ...reportHealth({
      profile: cloud.profile.name,
      missingCredential: await missingCredential().catch(() => undefined),
      warnings: await warnings().catch(() => undefined),
      token: lastTokenOf(loaded),
      report: loaded?.lastReport(),
      smokeTest: scheduled.last(),
      profileInvalid: profileCheck.current().status === 'fail',
    }),
    version: VERSION,
  })

  return {
    settings,
    cloud,
    warnings,
    missingCredential,
    diagnostics,
    health,
    async readiness(current, parts = []) {
      const loads = await Promise.allSettled([warnings(), diagnostics(current), ...parts.map((load) => load())])
      const failed = loads.find((each) => each.status === 'rejected')
      if (failed === undefined) return health()
      // Only the code of the error, because its text may contain a path.
      const reason = errorCode(failed.reason)
      const description = `A part of this build cannot be loaded${reason === undefined ? '' : ` (${reason})`}`
      return { ...(await health()), status: 'fail', description }
    },
    async cachedState(current) {
      const loadedDiagnostics = await diagnostics(current)
      return withoutUndefined({
        report: await loadedDiagnostics.cachedReport(),
        lastRunAt: loadedDiagnostics.lastReport()?.checkedAt,
        smokeTest: scheduled.last(),
        attempts,
      })
    },
    async runSmokeTest(log) {
      const checkToken = async () => (await diagnostics(log)).report()
      const run = await scheduled.run(settings.smokeTestChecksToken ? { checkToken } : {})
      profileCheck.forget()
      return run
    },
  }
}

/** Milliseconds that the check of a profile file is reused. */
const profileReuseMs = 5000

/** The state of the profile check. A built-in profile cannot change under a running process, so it is checked once. */
function createProfileCheck(env: Env, cloud: ExplainedProfile) {
  let last: { readonly check: Check; readonly at: number } | undefined
  const current = (): Check => {
    const now = performance.now()
    if (last === undefined || (cloud.source.kind === 'file' && now - last.at > profileReuseMs)) {
      last = { check: checkProfile({ env }, cloud).check, at: now }
    }
    return last.check
  }
  return { current, forget: () => (last = undefined) }
}

/** The state of the scheduled runs. A run that ends by an exception replaces the last result, which may be stale. */
function createScheduledRuns(env: Env, cloud: ExplainedProfile) {
  const smokeTests = loadOnce(() => import('./run-smoke-test.ts'))
  let last: SmokeTestRun | undefined
  return {
    last: () => last,
    async run(options: Pick<SmokeTestTarget, 'checkToken'>): Promise<SmokeTestRun> {
      const startedAt = new Date()
      try {
        const { activeTarget, builtInTargets, runSmokeTest } = await smokeTests()
        const unused = builtInTargets.map((target) => ({ ...target, inUse: false }))
        return (last = await runSmokeTest({ targets: [...unused, { ...activeTarget(env), ...options }] }))
      } catch (error) {
        last = failedSmokeTest(cloud.profile.name, startedAt)
        throw error
      }
    },
  }
}

/** Node's diagnostic reports contain all variables of the process, including secrets. Node before 22.13 cannot exclude them. */
function keepVariablesOutOfReports(env: Env): void {
  const options = [readVariable(env, 'NODE_OPTIONS'), ...process.execArgv]
  if (options.some((option) => option?.includes('--report'))) process.report.excludeEnv = true
}

function failedSmokeTest(profile: string, startedAt: Date): SmokeTestRun {
  const durationMs = Date.now() - startedAt.getTime()
  const message = 'The scheduled run failed for an unknown reason'
  const check = { id: 'scheduled-run', status: 'fail', code: 'UNEXPECTED', message, durationMs } as const
  const results = [{ profile, status: 'fail' as const, checks: [check], warnings: [] }]
  return { status: 'fail', startedAt: startedAt.toISOString(), durationMs, results }
}

function lastTokenOf(diagnostics: Diagnostics | undefined): LastToken | undefined {
  const last = diagnostics?.lastToken()
  return last && { status: last.status, ...(last.status === 'failed' && { code: last.error.code }) }
}

/** Counts the logged token attempts on their way to the log. */
function countAttempts(log: Log): { readonly log: Log; readonly counts: AttemptCounts } {
  const counts = new Map<string, number>()
  return {
    counts,
    log(event) {
      if (typeof event !== 'string' && event.event === 'token') {
        const result = event.status === 'acquired' ? 'acquired' : (event.code ?? 'UNEXPECTED')
        counts.set(result, (counts.get(result) ?? 0) + 1)
      }
      log(event)
    },
  }
}
