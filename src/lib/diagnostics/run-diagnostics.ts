import type { CredentialPlan } from '../auth/credential-plan.ts'
import type { TokenOutcome } from '../auth/token-cache.ts'
import { tenantOf } from '../auth/authority.ts'
import { isProtected } from '../endpoints/endpoint.ts'
import { configuredEndpoints } from '../endpoints/endpoint-table.ts'
import { ServiceError } from '../errors.ts'
import { findings } from '../findings/catalog.ts'
import type { Finding } from '../findings/finding.ts'
import type { TraceStep } from '../transport/attempt.ts'
import { singleFlightCache } from '../base/single-flight-cache.ts'
import { within } from '../base/within.ts'
import { longestAnswerMs } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/shared-documents.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import type { FoundCheck } from './found-check.ts'
import { lifetimesMs } from './lifetimes.ts'
import { failedCheck } from './probes/layers.ts'
import { runProbes } from './probes/run-probes.ts'
import { acceptanceId, checkAcceptance, checkServiceAcceptance } from './token-acceptance.ts'
import { checkAcquired, checkToken } from './token-checks.ts'
import type { TokenProvider } from './token-provider.ts'

/** The result of one diagnostics run. */
export interface DiagnosticsRun {
  readonly token: TokenOutcome
  readonly checks: readonly FoundCheck[]
  /** The audience that the token was requested for. */
  readonly audience: string
  /** Absent when the environment lacks what its mode needs. */
  readonly plan: CredentialPlan | undefined
  readonly trace: readonly TraceStep[]
  readonly checkedAt: Date
}

/** Checks that are reused as one. */
interface Part {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly checks: readonly FoundCheck[]
}

export interface RunOptions {
  readonly context: DiagnosticsContext
  readonly provider: TokenProvider
  readonly documents: SharedDocuments
}

/** Milliseconds that a service gets even when the attempt used up the deadline. */
const leastAcceptanceMs = 500

/** @returns A function that makes a diagnostics run: token, probes and acceptance checks, each part reused while it is fresh. */
export function createDiagnosticsRun({ context, provider, documents }: RunOptions): () => Promise<DiagnosticsRun> {
  const { cloud, settings, env } = context
  const { profile } = cloud
  const endpoints = configuredEndpoints(profile, settings)
  const [resourceManager, ...services] = endpoints.filter(isProtected)
  const needsPerson = settings.authMode === 'deviceCode'

  const parts = singleFlightCache<Part>({
    ttlMs: ({ checks }) => (checks.some(isTrouble) ? lifetimesMs.troubled : lifetimesMs.healthy),
    maxEntries: 3,
  })
  const part = async (key: string, check: () => Promise<readonly FoundCheck[]>): Promise<Part> =>
    parts.get(async () => ({ startedAt: Date.now(), checks: await check() }), key)

  const probe = async (): Promise<readonly FoundCheck[]> => {
    try {
      const tenantId = tenantOf(profile, settings)
      return await runProbes({
        profile,
        endpoints,
        env,
        signal: AbortSignal.timeout(settings.tokenTimeoutMs),
        timeoutMs: longestAnswerMs(settings.tokenTimeoutMs),
        allowedTokenHosts: settings.allowedTokenHosts,
        documents,
        ...(tenantId && { tenantId }),
      })
    } catch (error) {
      return [failedCheck('cloud.probes', error)]
    }
  }

  const skipServices = (message: string): FoundCheck[] =>
    services.map((service) => ({ id: acceptanceId(service), status: 'skip', message, durationMs: 0 }))
  const checkServices = async (): Promise<readonly FoundCheck[]> => {
    if (needsPerson) return skipServices('A person would have to sign in again for it')
    const options = {
      tokenFor: async (audience: string) => provider.tokenFor(audience),
      timeoutMs: settings.tokenTimeoutMs,
      env,
    }
    const { checks } = await part('services', () =>
      Promise.all(services.map((endpoint) => checkServiceAcceptance({ endpoint, ...options }))),
    )
    return checks
  }

  const checkResourceManager = async (token: string, started: number): Promise<readonly FoundCheck[]> => {
    if (resourceManager === undefined) return []
    const { checks } = await part(`token ${token}`, async () => {
      const timeoutMs = Math.max(leastAcceptanceMs, settings.tokenTimeoutMs - (performance.now() - started))
      const audience = provider.audience()
      return [await checkAcceptance({ endpoint: resourceManager, token, audience, timeoutMs, env })]
    })
    return checks
  }

  const authority = () => {
    const plan = provider.plan()
    return plan !== undefined && 'authority' in plan ? plan.authority : undefined
  }

  const checkOutcome = async (outcome: TokenOutcome, started: number): Promise<readonly FoundCheck[]> => {
    const acquired = checkAcquired(outcome)
    if (outcome.status !== 'acquired') return [acquired, ...skipServices('Skipped: there is no token')]
    const { token } = outcome.token
    const expected = { profile, audience: provider.audience(), tenantId: tenantOf(profile, settings), now: Date.now() }
    const verdict = await checkToken(token, expected)
    const accepted = await Promise.all([checkResourceManager(token, started), checkServices()])
    const checks = [acquired, ...verdict, ...accepted.flat()]
    if (!needsPerson && checks.some(blamesToken)) provider.distrust()
    return checks
  }

  return async () => {
    const started = performance.now()
    const probing = part('probes', probe)
    const token = await provider.current()
    const [probes, outcome] = await Promise.all([
      probing,
      checkOutcome(token, started).catch((error: unknown) => [failedCheck('token.checks', error)]),
    ])
    const isOptional = authority() === undefined && token.status === 'acquired'
    return {
      token,
      checks: [...(isOptional ? probes.checks.map(asHint) : probes.checks), ...outcome],
      audience: provider.audience(),
      plan: provider.plan(),
      trace: provider.trace(),
      // Both may be reused, so the later time is the age of the report.
      checkedAt: new Date(Math.max(probes.startedAt, token.startedAt)),
    }
  }
}

/** Milliseconds of a whole run. Each part of it is bounded by the deadline of a token, and at most three follow each other. */
export function longestRunMs(tokenTimeoutMs: number): number {
  return 4 * tokenTimeoutMs + 5000
}

/** A run that died, or does not end, as a failed one. */
export function endedRun(run: Promise<DiagnosticsRun>, timeoutMs: number): Promise<DiagnosticsRun> {
  return within(run, timeoutMs).catch(failedRun)
}

/** A failed run replaces the last report, because earlier results may no longer be true. */
function failedRun(cause: unknown): DiagnosticsRun {
  const error = new ServiceError('UNEXPECTED', 'The diagnostics run failed', { cause })
  const now = Date.now()
  return {
    token: { status: 'failed', error, startedAt: now, durationMs: 0, cached: false },
    checks: [failedCheck('diagnostics.run', cause)],
    audience: '',
    plan: undefined,
    trace: [],
    checkedAt: new Date(now),
  }
}

function isTrouble({ status }: FoundCheck): boolean {
  return status === 'fail' || status === 'warn'
}

function blamesToken({ code }: FoundCheck): boolean {
  const finding: Finding | undefined = code === undefined ? undefined : findings[code]
  return finding?.tokenAtFault === true
}

/** A mode that never asks the login authority works without it, as long as it gets its token. */
function asHint(check: FoundCheck): FoundCheck {
  return check.status === 'fail' && check.id.startsWith('authority.') ? { ...check, status: 'warn' } : check
}
