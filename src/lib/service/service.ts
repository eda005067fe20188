import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { DiagnosticsReport, SmokeTestRun } from '../diagnostics/report.ts'
import { countAttempts, type AttemptCounts } from './attempt-counts.ts'
import { createCachedReport } from './cached-report.ts'
import { createHistory } from './history.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { reportHealth, type LastToken } from './health.ts'
import type { HealthReport } from './health-report.ts'
import type { Log } from '../diagnostics/log-event.ts'
import type { ExplainedProfile } from '../profile/explained-profile.ts'
import type { Env } from '../base/env.ts'
import { explainProfile } from '../profile/resolve-cloud-profile.ts'
import { isServiceError, type Warning } from '../errors.ts'
import { findWarnings } from '../settings/find-warnings.ts'
import { refuseOldNode } from '../settings/node-requirements.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { VERSION } from '../settings/version.ts'

/** Results given without waiting for the cloud. */
export interface CachedState {
  /** Absent before the first diagnostics run ended, and when the last one is older than five minutes. */
  readonly report?: DiagnosticsReport
  /** When the last run began, however long ago. ISO 8601. */
  readonly lastRunAt?: string
  readonly smokeTest?: SmokeTestRun
  readonly attempts: AttemptCounts
}

/** The state that the functions share: resolved once at cold start, with everything costlier loaded at first use. */
export interface Service {
  readonly settings: Settings
  readonly cloud: ExplainedProfile
  /** Warnings that do not stop the service: about the profile, the settings and the variables of other tools. */
  readonly warnings: () => Promise<readonly Warning[]>
  /** Which variables of the credential are not set, as a sentence: known at the start, which goes on. */
  readonly missingCredential: () => Promise<string | undefined>
  /** The part with the credential library, loaded at the first call. */
  diagnostics(log: Log): Promise<Diagnostics>
  /** Whether the platform should keep this process, from cached results; no network. */
  health(): Promise<HealthReport>
  /** Whether this process can serve: its parts and the given ones are loaded, and its profile is valid. No network. */
  readiness(log: Log, parts?: readonly (() => Promise<unknown>)[]): Promise<HealthReport>
  /** The cached results, at once; starts a diagnostics run if the cached report is older than a minute. */
  cachedState(log: Log): Promise<CachedState>
  /** Checks the five built-ins and the active profile, and remembers the run. */
  runSmokeTest(log: Log): Promise<SmokeTestRun>
}

/**
 * Reads the settings, resolves the profile and keeps the state of this process.
 *
 * @throws {ServiceError} for any invalid setting or profile: the start must fail.
 */
export function createService(env: Env): Service {
  refuseOldNode()
  keepVariablesOutOfReports(env)
  const settings = readSettings(env)
  const cloud = explainProfile({ env })
  let loaded: Diagnostics | undefined
  const history = createHistory()
  const cached = createCachedReport()
  const smokeTests = singleFlightCache<typeof import('./run-smoke-test.ts')>()
  let smokeTest: SmokeTestRun | undefined
  let profileInvalid = false

  // The log of an ended invocation accepts no events, so they go to the log of the latest invocation.
  let latest: Log = () => {}
  const { log, counts: attempts } = countAttempts((event) => latest(event))
  const diagnostics = (current: Log) => {
    latest = current
    return loads.get(load)
  }
  const loads = singleFlightCache<Diagnostics>()
  const load = async () => {
    const { createDiagnostics } = await import('../diagnostics/diagnostics.ts')
    loaded = createDiagnostics({
      cloud,
      warnings: await warnings(),
      settings,
      env,
      log,
      lastSmokeTest: () => smokeTest,
      onReport(report) {
        history.record(report)
        cached.record(report)
      },
      history: () => history.entries(),
    })
    return loaded
  }

  const found = singleFlightCache<readonly Warning[]>()
  const warnings = () => found.get(() => findWarnings(cloud, env, settings))
  const missing = singleFlightCache<string | undefined>()
  const missingCredential = () => missing.get(() => findMissingCredential(cloud, settings))
  const health = async () => ({
    ...reportHealth({
      profile: cloud.profile.name,
      missingCredential: await missingCredential().catch(() => undefined),
      warnings: await warnings().catch(() => undefined),
      token: lastTokenOf(loaded),
      report: cached.last(),
      smokeTest,
      profileInvalid,
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
      const loads = await Promise.all([warnings(), diagnostics(current), ...parts.map((load) => load())]).then(
        () => true,
        () => false,
      )
      return loads
        ? health()
        : { ...(await health()), status: 'fail', description: 'A part of this build cannot be loaded' }
    },
    async cachedState(current) {
      const report = await cached.read(await diagnostics(current))
      const lastRunAt = cached.last()?.checkedAt
      return {
        ...(report === undefined ? {} : { report }),
        ...(lastRunAt === undefined ? {} : { lastRunAt }),
        ...(smokeTest === undefined ? {} : { smokeTest }),
        attempts,
      }
    },
    async runSmokeTest(log) {
      const startedAt = new Date()
      try {
        const { activeTarget, builtInTargets, runSmokeTest } = await smokeTests.get(() => import('./run-smoke-test.ts'))
        const checkToken = async () => (await diagnostics(log)).report()
        const unused = builtInTargets.map((target) => ({ ...target, inUse: false }))
        const active = { ...activeTarget(env), ...(settings.smokeTestChecksToken ? { checkToken } : {}) }
        const run = await runSmokeTest({ targets: [...unused, active] })
        smokeTest = run
        profileInvalid =
          run.results.at(-1)?.checks.some(({ id, status }) => id === 'profile.valid' && status === 'fail') === true
        return run
      } catch (error) {
        smokeTest = failedSmokeTest(cloud.profile.name, startedAt)
        throw error
      }
    },
  }
}

async function findMissingCredential({ profile }: ExplainedProfile, settings: Settings): Promise<string | undefined> {
  // No cold start waits for it.
  const { createCredentialPlan } = await import('../auth/credential-plan.ts')
  try {
    createCredentialPlan(profile, settings)
    return undefined
  } catch (error) {
    return isServiceError(error) && error.code === 'CREDENTIAL_SETTING_MISSING' ? error.message : undefined
  }
}

/** Node's diagnostic reports hold all variables of the process, secrets too. Node before 22.13 cannot exclude them. */
function keepVariablesOutOfReports(env: Env): void {
  const options = [env['NODE_OPTIONS'], ...process.execArgv]
  if (options.some((option) => option?.includes('--report'))) process.report.excludeEnv = true
}

/** The result of a scheduled run that ended by an exception. It replaces the previous result, which may be stale. */
function failedSmokeTest(profile: string, startedAt: Date): SmokeTestRun {
  const durationMs = Date.now() - startedAt.getTime()
  const message = 'The scheduled run failed for an unknown reason'
  const check = { id: 'scheduled-run', status: 'fail', code: 'UNEXPECTED', message, durationMs } as const
  const results = [{ profile, status: 'fail' as const, checks: [check], warnings: [] }]
  return { status: 'fail', startedAt: startedAt.toISOString(), durationMs, results }
}

function lastTokenOf(diagnostics: Diagnostics | undefined): LastToken | undefined {
  const last = diagnostics?.lastToken()
  if (last === undefined) return undefined
  return last.status === 'failed' ? { status: last.status, code: last.error.code } : { status: last.status }
}
