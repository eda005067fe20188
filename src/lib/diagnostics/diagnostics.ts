import { tenantOf } from '../auth/tenant.ts'
import type { TokenOutcome } from '../auth/outcome-cache.ts'
import { ServiceError } from '../errors.ts'
import { createCredentialPlan } from '../auth/credential-plan.ts'
import { createTokenProvider } from '../auth/token-provider.ts'
import { findings } from '../findings/catalogue.ts'
import type { Finding } from '../findings/finding.ts'
import { allowedAudience } from '../metadata/audiences.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import type { SignInPrompt } from '../transport/attempt.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { longestAnswerMs } from '../transport/request-limit.ts'
import { createSharedDocuments, type SharedDocuments } from '../transport/shared-documents.ts'
import { checkAcceptance } from './acceptance/acceptance.ts'
import { resourceManagerTarget } from './acceptance/resource-manager.ts'
import { createServiceAcceptance } from './acceptance/service-acceptance.ts'
import { serviceAcceptance } from './acceptance/services.ts'
import { createReportAssembler } from './assemble-report.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import type { FoundCheck } from './found-check.ts'
import type { DiagnosticsRun } from './diagnostics-run.ts'
import { failedCheck } from './probes/layers.ts'
import { runProbes } from './probes/run-probes.ts'
import type { Check, DiagnosticsReport, SmokeTestRun } from './report.ts'
import type { LogEvent } from './log-event.ts'
import { reuseMs } from './reuse.ts'
import { checkAcquired, checkToken } from './token-checks.ts'

interface ReportOptions {
  /** With each profile field's value and origin. Default is false. */
  readonly explain?: boolean
  /** With the earlier looks of this process. Default is false. */
  readonly history?: boolean
}

export interface Diagnostics {
  /** Attempts a token and probes the cloud, or answers from what is fresh enough. Never rejects: what fails is a failed check. */
  report(options?: ReportOptions): Promise<DiagnosticsReport>
  /** The report of the last look that ended, without starting one. */
  last(): DiagnosticsReport | undefined
  /** The last attempt's outcome, without starting one. */
  lastToken(): TokenOutcome | undefined
}

/** Milliseconds that a whole picture is reused once its token is a known one. */
const pictureReuseMs = 1000
/** Milliseconds that a service gets even when the attempt used up the deadline. */
const leastAcceptanceMs = 500

/** Everything that needs the credential library or the network. Loaded at first use, not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  const { cloud, settings, env } = context
  const { profile } = cloud
  const assemble = createReportAssembler(context)
  const documents = createSharedDocuments()
  const acquirer = createAcquirer(context, documents)
  const probes = singleFlightCache<{ readonly startedAt: number; readonly checks: readonly FoundCheck[] }>({
    ttlMs: ({ checks }) => reuseMs(checks),
  })
  const probe = () => probes.get(async () => ({ startedAt: Date.now(), checks: await probeCloud(context, documents) }))
  // One acceptance check per token, and only the token in force is remembered.
  const acceptances = singleFlightCache<FoundCheck>({ ttlMs: (check) => reuseMs([check]), maxEntries: 1 })
  const accept = (token: string, elapsedMs: number) =>
    acceptances.get(() => {
      const timeoutMs = Math.max(leastAcceptanceMs, settings.tokenTimeoutMs - elapsedMs)
      return checkAcceptance(resourceManagerTarget(profile, acquirer.audience()), token, timeoutMs, env)
    }, token)
  const serviceTargets = serviceAcceptance(profile, settings)
  const checkServices = createServiceAcceptance(
    serviceTargets,
    (audience) => acquirer.tokenFor(audience),
    settings.tokenTimeoutMs,
    env,
  )

  const signsIn = () => {
    const plan = acquirer.plan()
    return plan !== undefined && 'authority' in plan ? plan.authority : undefined
  }

  const askServices = async (): Promise<readonly FoundCheck[]> => {
    // A person would have to sign in for each service.
    if (settings.authMode !== 'deviceCode') return checkServices()
    return serviceTargets.map(({ group }) => skipped(group, 'A person would have to sign in once more for it'))
  }

  const checkOutcome = async (outcome: TokenOutcome, started: number): Promise<readonly FoundCheck[]> => {
    const acquired = checkAcquired(outcome)
    if (outcome.status !== 'acquired') {
      return [acquired, ...serviceTargets.map(({ group }) => skipped(group, 'Not asked: there is no token'))]
    }
    const { token } = outcome.token
    const now = Date.now()
    const expected = { profile, audience: acquirer.audience(), tenantId: signsIn()?.tenantId, now }
    const verdict = checkToken(token, expected)
    const [accepted, services] = await Promise.all([accept(token, performance.now() - started), askServices()])
    const checks = [acquired, ...verdict, accepted, ...services]
    // A person would have to sign in for another one.
    if (settings.authMode !== 'deviceCode' && checks.some(blamesToken)) acquirer.distrust()
    return checks
  }

  const lookNow = async (): Promise<DiagnosticsRun> => {
    const started = performance.now()
    const probing = probe()
    const token = await acquirer.current()
    const [probes, outcome] = await Promise.all([
      probing,
      checkOutcome(token, started).catch((error: unknown) => [failedCheck('token.checks', error)]),
    ])
    const relevant = signsIn() === undefined && token.status === 'acquired' ? probes.checks.map(asHint) : probes.checks
    const checks = [...relevant, ...outcome]
    // Both may come from the past: the later one says how old the picture is.
    const checkedAt = new Date(Math.max(probes.startedAt, token.startedAt))
    return { token, checks, audience: acquirer.audience(), plan: acquirer.plan(), trace: acquirer.trace(), checkedAt }
  }

  // Nothing changes within a second of an outcome that was there already; many readers then cost as much as one.
  const looks = singleFlightCache<DiagnosticsRun>({ ttlMs: ({ token }) => (token.cached ? pictureReuseMs : 0) })

  const look = () => looks.get(lookNow)

  let latest:
    | { readonly look: DiagnosticsRun; readonly invalid: Check | undefined; readonly report: DiagnosticsReport }
    | undefined
  return {
    async report({ explain = false, history = false } = {}) {
      const found = await look()
      const invalid = invalidProfile(context.lastSmokeTest())
      if (latest?.look !== found || latest.invalid !== invalid) {
        const checks = invalid === undefined ? found.checks : [checkOfInvalid(invalid), ...found.checks]
        latest = { look: found, invalid, report: assemble({ ...found, checks }) }
        context.onReport?.(latest.report)
      }
      const smokeTest = context.lastSmokeTest() ?? null
      // The same object as long as nothing is new, so that its readers can tell.
      if (latest.report.smokeTest !== smokeTest) latest = { ...latest, report: { ...latest.report, smokeTest } }
      if (!explain && !history) return latest.report
      return {
        ...latest.report,
        ...(history ? { history: context.history?.() ?? [] } : {}),
        ...(explain ? { fields: cloud.fields } : {}),
      }
    },
    last: () => latest?.report,
    lastToken: () => acquirer.last(),
  }
}

/** The active profile is read anew by each scheduled check: what that found is true of this service too, and fails its health. */
function invalidProfile(run: SmokeTestRun | undefined): Check | undefined {
  return run?.results.at(-1)?.checks.find(({ id, status }) => id === 'profile.valid' && status === 'fail')
}

function checkOfInvalid({ id, code = 'UNEXPECTED', message, durationMs }: Check): FoundCheck {
  return failedCheck(id, new ServiceError(code, message), durationMs)
}

function blamesToken({ code }: Check): boolean {
  const finding: Finding | undefined = code === undefined ? undefined : findings[code]
  return finding?.tokenAtFault === true
}

function skipped(group: string, message: string): FoundCheck {
  return { id: `${group}.accepts-token`, status: 'skip', message, durationMs: 0 }
}

function createAcquirer({ cloud: { profile }, settings, env, log }: DiagnosticsContext, documents: SharedDocuments) {
  const { tokenTimeoutMs: timeoutMs, discoverAudience, logLevel } = settings
  const discover = async () =>
    // The token needs its part of the time as well.
    allowedAudience(profile, await discoverCloud(profile, { env, timeoutMs: timeoutMs / 2 }))
  return createTokenProvider({
    plan: () => createCredentialPlan(profile, settings),
    audience: profile.resourceManagerAudience,
    timeoutMs,
    discover: discoverAudience ? discover : undefined,
    documents,
    onPrompt(prompt) {
      if (settings.httpAuthLevel === 'anonymous') log(signInEvent(prompt))
    },
    onEnd({ durationMs, code }) {
      const entry = { event: 'token', profile: profile.name, durationMs } as const
      if (code === undefined) log({ ...entry, level: 'info', status: 'acquired' })
      else log({ ...entry, level: 'error', status: 'failed', code })
    },
    libraryLog: logLevel === 'verbose' ? log : undefined,
  })
}

/** Where the routes show no code, the log is the one place that has it. */
function signInEvent({ userCode, verificationUri }: SignInPrompt): LogEvent {
  const message = `To sign in, open ${verificationUri} and enter the code ${userCode}`
  return { level: 'warning', event: 'sign-in', status: 'pending', message }
}

async function probeCloud(
  { cloud: { profile }, settings, env }: DiagnosticsContext,
  documents: SharedDocuments,
): Promise<readonly FoundCheck[]> {
  const { storageAccount, keyVault, allowedTokenHosts } = settings
  try {
    const tenantId = tenantOf(profile, settings)
    return await runProbes({
      profile,
      env,
      signal: AbortSignal.timeout(settings.tokenTimeoutMs),
      timeoutMs: longestAnswerMs(settings.tokenTimeoutMs),
      allowedTokenHosts,
      documents,
      ...(storageAccount && { storageAccount }),
      ...(keyVault && { keyVault }),
      ...(tenantId && { tenantId }),
    })
  } catch (error) {
    return [failedCheck('cloud.probes', error)]
  }
}

/** A mode that never asks the login authority works without it, as long as it gets its token. */
function asHint(check: FoundCheck): FoundCheck {
  return check.status === 'fail' && check.id.startsWith('authority.') ? { ...check, status: 'warn' } : check
}
