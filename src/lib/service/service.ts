import { type Env, readVariable } from '../base/env.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { Check, DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import { activeTarget, builtInTargets, checkProfile, runSmokeTest } from './run-smoke-test.ts'
import { loadOnce } from '../base/waiting.ts'
import { reportHealth } from './health.ts'
import type { HealthReport } from './health-report.ts'
import type { Log } from '../base/app.ts'
import { withoutUndefined } from '../base/json.ts'
import { errorCode } from '../base/files.ts'
import { explainProfile, refuseOverrideReferences } from '../profile/resolve-cloud-profile.ts'
import { isServiceError } from '../errors.ts'
import { namedTenant } from '../settings/credential-values.ts'
import { refuseOldNode } from '../settings/node-requirements.ts'
import { readSettings } from '../settings/settings.ts'
import { findWarnings } from '../variables.ts'
import { VERSION } from '../settings/version.ts'

// This folder is the state of one process: settings, profile, cached report, scheduled runs, health and metrics. Only src/lib/diagnostics and
// src/lib/auth make requests for it.

/** Results that need no request. */
export interface CachedState {
  /** Absent before the end of the first diagnostics run, and if the last run is older than five minutes. */
  readonly report?: DiagnosticsReport
  /** When the last run began, at any age. ISO 8601. */
  readonly lastRunAt?: string
  readonly smokeTest?: SmokeTestRun
  /** Token attempts of this process by result: `acquired`, or the code of the failure. */
  readonly attempts: ReadonlyMap<string, number>
}

/** The state that the functions share. A cold start resolves the profile and the settings; the rest is loaded at first use. */
export type Service = ReturnType<typeof createService>

/** Milliseconds that the check of a profile file is reused. */
const profileReuseMs = 5000

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
export function createService(env: Env) {
  refuseOldNode()
  keepVariablesOutOfReports(env)
  const settings = readSettings(env, [refuseOverrideReferences])
  const cloud = explainProfile({ env })
  let loaded: Diagnostics | undefined
  let lastRun: SmokeTestRun | undefined
  let checked: { readonly check: Check; readonly at: number } | undefined
  /** The check of the active profile. A built-in profile cannot change under a running process, so it is checked once. */
  const profileCheck = (): Check => {
    const now = performance.now()
    if (checked === undefined || (cloud.source.kind === 'file' && now - checked.at > profileReuseMs)) {
      checked = { check: checkProfile({ env }, cloud).check, at: now }
    }
    return checked.check
  }
  // The log of an ended invocation accepts no events, so they go to the log of the latest invocation.
  let latest: Log = () => {}
  const attempts = new Map<string, number>()
  const log: Log = (event) => {
    if (typeof event !== 'string' && event.event === 'token') {
      const result = event.status === 'acquired' ? 'acquired' : (event.code ?? 'UNEXPECTED')
      attempts.set(result, (attempts.get(result) ?? 0) + 1)
    }
    latest(event)
  }
  // Loaded late, because a cold start doesn't need it.
  const resolved = loadOnce(async () => {
    const { resolveProvider } = await import('../profile/identity-provider.ts')
    return resolveProvider(cloud, namedTenant(settings))
  })
  const load = loadOnce(async () => {
    const { createDiagnostics } = await import('../diagnostics/diagnostics.ts')
    const found = { cloud: await resolved(), warnings: await warnings() }
    loaded = createDiagnostics({ ...found, settings, env, log, lastSmokeTest: () => lastRun, profileCheck })
    return loaded
  })

  const warnings = loadOnce(async () => findWarnings(await resolved(), env, settings))
  /** A sentence with the variables of the credential that are not set. They do not stop the start. */
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
  /** Whether the platform should keep this process, from cached results. Makes no request. */
  const health = async (): Promise<HealthReport> => ({
    ...reportHealth({
      profile: cloud.profile.name,
      missingCredential: await missingCredential().catch(() => undefined),
      warnings: await warnings().catch(() => undefined),
      token: loaded?.lastToken(),
      report: loaded?.lastReport(),
      smokeTest: lastRun,
      profileInvalid: profileCheck().status === 'fail',
    }),
    version: VERSION,
  })

  /** The part with the credential library, loaded at the first call. */
  const diagnostics = (current: Log): Promise<Diagnostics> => {
    latest = current
    return load()
  }

  return {
    settings,
    cloud,
    /** The result of `findWarnings`. */
    warnings,
    missingCredential,
    diagnostics,
    health,
    /** Whether this process can serve: its parts and the given parts are loaded, and its profile is valid. Makes no request. */
    async readiness(current: Log, parts: readonly (() => Promise<unknown>)[] = []): Promise<HealthReport> {
      const loads = await Promise.allSettled([warnings(), diagnostics(current), ...parts.map((load) => load())])
      const failed = loads.find((each) => each.status === 'rejected')
      if (failed === undefined) return health()
      // Only the code of the error, because its text may contain a path.
      const reason = errorCode(failed.reason)
      const description = `A part of this build cannot be loaded${reason === undefined ? '' : ` (${reason})`}`
      return { ...(await health()), status: 'fail', description }
    },
    /** The cached results without waiting. Starts a diagnostics run if the cached report is older than a minute. */
    async cachedState(current: Log): Promise<CachedState> {
      const loadedDiagnostics = await diagnostics(current)
      return withoutUndefined({
        report: await loadedDiagnostics.cachedReport(),
        lastRunAt: loadedDiagnostics.lastReport()?.checkedAt,
        smokeTest: lastRun,
        attempts,
      })
    },
    /** Checks the five built-ins and the active profile, and remembers the run. */
    async runSmokeTest(current: Log): Promise<SmokeTestRun> {
      const startedAt = new Date()
      const checkToken = async () => (await diagnostics(current)).report()
      const active = { ...activeTarget(env), ...(settings.smokeTestChecksToken && { checkToken }) }
      const targets = [...builtInTargets.map((each) => ({ ...each, inUse: false })), active]
      try {
        lastRun = await runSmokeTest({ targets })
      } catch (error) {
        // The last result may be stale.
        lastRun = failedSmokeTest(cloud.profile.name, startedAt)
        throw error
      }
      checked = undefined
      return lastRun
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
