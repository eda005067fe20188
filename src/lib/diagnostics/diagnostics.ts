import type { AccessToken, TokenCredential } from '@azure/core-auth'
import { createCredentialPlan } from '../auth/create-credential-plan.ts'
import { createCredential, type SignInPrompt } from '../auth/credential.ts'
import type { CredentialPlan } from '../auth/credential-plan.ts'
import { surfaceLibraryLog } from '../auth/library-log.ts'
import { secretsOf } from '../auth/secret.ts'
import { createTokenSource, type TokenOutcome } from '../auth/token-source.ts'
import { ServiceError } from '../errors.ts'
import type { LastToken } from '../health.ts'
import type { Log } from '../log-event.ts'
import { discoverCloud } from '../metadata/discover-cloud.ts'
import { discoveredAudience } from '../metadata/equal-audiences.ts'
import { readVariable } from '../profile/overrides.ts'
import { scopeFor } from '../profile/scope.ts'
import { singleFlight } from '../single-flight.ts'
import { checkAcceptance } from './accepts-token.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { assembleReport, type Findings } from './assemble-report.ts'
import { renderPage } from './page/page.ts'
import { runProbes } from './probes/run-probes.ts'
import type { Check, DiagnosticsReport } from './report.ts'
import { checkAcquired, checkToken } from './token-checks.ts'

export interface Diagnostics {
  /** Attempts a token and probes the cloud, or answers from what is fresh enough. */
  report(options?: { readonly explain?: boolean }): Promise<DiagnosticsReport>
  page(): Promise<ReturnType<typeof renderPage>>
  /** The last attempt's outcome, without starting one. */
  lastToken(): LastToken | undefined
}

/** Milliseconds that checks are reused when all is well, and when something failed. */
const goodReuseMs = 60_000
const failureReuseMs = 20_000
/** Milliseconds that the resource manager gets even when the attempt used up the deadline. */
const leastAcceptanceMs = 500

const reuseMs = (checks: readonly Check[]) =>
  checks.some(({ status }) => status === 'fail') ? failureReuseMs : goodReuseMs

/** Everything that needs the credential library, the network or the page. Loaded at first use, not at cold start. */
export function createDiagnostics(context: DiagnosticsContext): Diagnostics {
  const { cloud, settings, env, log } = context
  const { profile } = cloud
  let audience = profile.resourceManagerAudience
  let plan: CredentialPlan | undefined
  let credential: TokenCredential | undefined
  let onPrompt: (prompt: SignInPrompt) => void = () => {}

  const acquire = async (announce: (prompt: SignInPrompt) => void): Promise<AccessToken> => {
    onPrompt = announce
    plan ??= createCredentialPlan(profile, env)
    if (credential === undefined) {
      if (settings.logLevel === 'verbose') surfaceLibraryLog(log, secretsOf(plan))
      credential = createCredential(plan, {
        timeoutMs: settings.tokenTimeoutMs,
        onPrompt: (prompt) => onPrompt(prompt),
      })
    }
    if (settings.discoverAudience) audience = discoveredAudience(await discoverCloud(profile))
    const token = await credential.getToken(scopeFor(audience))
    if (token === null) throw new ServiceError('TOKEN_RESPONSE_INVALID', 'The credential returned no token')
    return token
  }
  const source = createTokenSource(async (announce) => logged(log, profile.name, () => acquire(announce)))

  const probe = singleFlight(() => {
    const signal = AbortSignal.timeout(settings.tokenTimeoutMs)
    const { storageAccount, keyVault, allowedTokenHosts } = settings
    const tenantId = readVariable(env, 'PLATFORM_TENANT_ID') ?? profile.tenantId
    const named = {
      ...(storageAccount && { storageAccount }),
      ...(keyVault && { keyVault }),
      ...(tenantId && { tenantId }),
    }
    return runProbes({ profile, env, signal, allowedTokenHosts, ...named })
  }, reuseMs)

  const accept = singleFlightPerToken(async (token, elapsedMs) => {
    const timeoutMs = Math.max(leastAcceptanceMs, settings.tokenTimeoutMs - elapsedMs)
    return [await checkAcceptance({ profile, token, timeoutMs })]
  })

  const find = async (): Promise<Findings> => {
    const started = Date.now()
    const [outcome, probes] = await Promise.all([
      source.current().then(async (token) => ({ token, checks: await checkOutcome(token, started) })),
      probe(),
    ])
    return {
      token: outcome.token,
      checks: [...probes, ...outcome.checks],
      audience,
      plan,
      checkedAt: new Date(started),
    }
  }

  const checkOutcome = async (outcome: TokenOutcome, started: number): Promise<Check[]> => {
    const acquired = checkAcquired(outcome)
    if (outcome.status !== 'acquired') return [acquired]
    const { token } = outcome.token
    const tenantId = plan !== undefined && 'authority' in plan ? plan.authority.tenantId : undefined
    const verdict = checkToken(token, { profile, audience, tenantId, now: Date.now() })
    return [acquired, ...verdict, ...(await accept(token, Date.now() - started))]
  }

  const report: Diagnostics['report'] = async ({ explain = false } = {}) =>
    assembleReport(context, await find(), explain)

  return {
    report,
    async page() {
      const { classificationBanner: text } = settings
      return renderPage({ report: await report(), cloud, ...(text === undefined ? {} : { banner: { text } }) })
    },
    lastToken() {
      const last = source.last()
      if (last === undefined) return undefined
      return last.status === 'failed' ? { status: last.status, code: last.error.code } : { status: last.status }
    },
  }
}

/** One acceptance check per token, shared by all who ask while it runs, and kept as long as other checks are. */
function singleFlightPerToken(work: (token: string, elapsedMs: number) => Promise<Check[]>) {
  let current: { readonly token: string; readonly run: () => Promise<Check[]> } | undefined
  return (token: string, elapsedMs: number) => {
    if (current?.token !== token) current = { token, run: singleFlight(() => work(token, elapsedMs), reuseMs) }
    return current.run()
  }
}

async function logged(log: Log, profile: string, acquire: () => Promise<AccessToken>): Promise<AccessToken> {
  const started = Date.now()
  const entry = { event: 'token', profile } as const
  try {
    const token = await acquire()
    log({ ...entry, level: 'info', status: 'acquired', durationMs: Date.now() - started })
    return token
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'UNEXPECTED'
    log({ ...entry, level: 'error', status: 'failed', code, durationMs: Date.now() - started })
    throw error
  }
}
