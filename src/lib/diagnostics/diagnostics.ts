import { tenantOf } from '../auth/tenant.ts'
import type { TokenOutcome } from '../auth/token-source.ts'
import type { LastToken } from '../service/health.ts'
import { singleFlight } from '../transport/single-flight.ts'
import { createDocumentShare, type DocumentShare } from '../transport/document-share.ts'
import { checkAcceptance, notShown } from './accepts-token.ts'
import { createTokenAcquirer } from './acquire-token.ts'
import { createReportAssembler, type Look } from './assemble-report.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { runProbes } from './probes/run-probes.ts'
import type { Check, DiagnosticsReport } from './report.ts'
import { checkAcquired, checkToken } from './token-checks.ts'

export interface Diagnostics {
  /** Attempts a token and probes the cloud, or answers from what is fresh enough. */
  report(options?: { readonly explain?: boolean }): Promise<DiagnosticsReport>
  /** The last attempt's outcome, without starting one. */
  lastToken(): LastToken | undefined
}

/** Milliseconds that checks are reused when all is well, and when something failed. */
const goodReuseMs = 60_000
const failureReuseMs = 20_000
/** Milliseconds that a whole picture is reused once its token is a known one. */
const pictureReuseMs = 1000
/** Milliseconds that the resource manager gets even when the attempt used up the deadline. */
const leastAcceptanceMs = 500

const reuseMs = (checks: readonly Check[]) =>
  checks.some(({ status }) => status === 'fail') ? failureReuseMs : goodReuseMs

/** Everything that needs the credential library or the network. Loaded at first use, not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  const { cloud, settings } = context
  const { profile } = cloud
  const assemble = createReportAssembler(context)
  const documents = createDocumentShare()
  const acquirer = createTokenAcquirer(context, documents)
  const probe = singleFlight(
    async () => ({ startedAt: Date.now(), checks: await probeCloud(context, documents) }),
    ({ checks }) => reuseMs(checks),
  )
  const accept = singleFlightPerToken(async (token, elapsedMs) => {
    const timeoutMs = Math.max(leastAcceptanceMs, settings.tokenTimeoutMs - elapsedMs)
    return [await checkAcceptance({ profile, token, timeoutMs })]
  })

  const signsIn = () => {
    const plan = acquirer.plan()
    return plan !== undefined && 'authority' in plan ? plan.authority : undefined
  }

  const checkOutcome = async (outcome: TokenOutcome, started: number): Promise<Check[]> => {
    const acquired = checkAcquired(outcome)
    if (outcome.status !== 'acquired') return [acquired]
    const { token } = outcome.token
    const expected = {
      profile,
      audience: acquirer.audience(),
      tenantId: signsIn()?.tenantId,
      now: Date.now(),
    }
    const verdict = checkToken(token, expected)
    const foreign = verdict.some(({ id, status }) => id === 'token.audience' && status === 'fail')
    return [acquired, ...verdict, ...(foreign ? [notShown] : await accept(token, Date.now() - started))]
  }

  const lookNow = async (): Promise<Look> => {
    const started = Date.now()
    const probing = probe()
    const token = await acquirer.current()
    const [probes, outcome] = await Promise.all([probing, checkOutcome(token, started)])
    const relevant = signsIn() === undefined && token.status === 'acquired' ? probes.checks.map(asHint) : probes.checks
    const checks = [...relevant, ...outcome]
    // Both may come from the past: the later one says how old the picture is.
    const checkedAt = new Date(Math.max(probes.startedAt, token.startedAt))
    return { token, checks, audience: acquirer.audience(), plan: acquirer.plan(), trace: acquirer.trace(), checkedAt }
  }

  // Nothing changes within a second of an outcome that was there already; many readers then cost as much as one.
  const look = singleFlight(lookNow, ({ token }) => (token.cached ? pictureReuseMs : 0))

  const report: Diagnostics['report'] = async ({ explain = false } = {}) => assemble(await look(), explain)

  return {
    report,
    lastToken() {
      const last = acquirer.last()
      if (last === undefined) return undefined
      return last.status === 'failed' ? { status: last.status, code: last.error.code } : { status: last.status }
    },
  }
}

function probeCloud(
  { cloud: { profile }, settings, env }: DiagnosticsContext,
  documents: DocumentShare,
): Promise<readonly Check[]> {
  const { storageAccount, keyVault, allowedTokenHosts } = settings
  const tenantId = tenantOf(profile, settings)
  return runProbes({
    profile,
    env,
    signal: AbortSignal.timeout(settings.tokenTimeoutMs),
    allowedTokenHosts,
    documents,
    ...(storageAccount && { storageAccount }),
    ...(keyVault && { keyVault }),
    ...(tenantId && { tenantId }),
  })
}

/** A mode that never asks the login authority works without it, as long as it gets its token. */
function asHint(check: Check): Check {
  return check.status === 'fail' && check.id.startsWith('authority.') ? { ...check, status: 'warn' } : check
}

/** One acceptance check per token, shared by all who ask while it runs, and kept as long as other checks are. */
function singleFlightPerToken(work: (token: string, elapsedMs: number) => Promise<Check[]>) {
  let current: { readonly token: string; readonly run: () => Promise<Check[]> } | undefined
  return (token: string, elapsedMs: number) => {
    if (current?.token !== token) current = { token, run: singleFlight(() => work(token, elapsedMs), reuseMs) }
    return current.run()
  }
}
