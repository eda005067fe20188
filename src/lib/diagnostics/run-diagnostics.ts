import { type CredentialPlan, planCredential } from '../auth/credential-plan.ts'
import type { TokenOutcome } from '../auth/token-cache.ts'
import type { Env } from '../base/env.ts'
import { within } from '../base/waiting.ts'
import { isServiceError, ServiceError, type Warning } from '../errors.ts'
import { findingOf } from '../findings/catalog.ts'
import { placeholdersToReplace } from '../profile/explained-profile.ts'
import { isPlaceholder } from '../profile/field-path.ts'
import type { ExplainedCloud } from '../profile/identity-provider.ts'
import { placeholderError } from '../auth/acquire-token.ts'
import type { Settings } from '../settings/settings.ts'
import { type TraceStep, responseTimeoutMs, type Attempt } from '../transport/attempt.ts'
import type { SharedDocuments } from '../transport/exchange.ts'
import { failedCheck, skippedCheck } from './checks.ts'
import { checkCredential, checkAcquired, checkToken } from './token-checks.ts'
import { configuredEndpoints, configuredServices, isProtected } from './endpoint-table.ts'
import { type Log, signInEvent, tokenEvent } from '../base/app.ts'
import { runProbes } from './probes/probe-endpoint.ts'
import type { Check as ReportedCheck, SmokeTestRun } from './report.ts'
import type { Check, Endpoint, Run } from './run.ts'
import { checkAcceptance, checkServiceToken, tokenPlace } from './token-acceptance.ts'
import { openCredential } from '../auth/credential.ts'
import { discoverAudience } from '../metadata/discover-cloud.ts'
import { scopeFor } from '../profile/endpoints.ts'

/** What a diagnostics run works with, resolved at cold start. */
export interface DiagnosticsContext {
  readonly cloud: ExplainedCloud
  /** The result of `findWarnings`. */
  readonly warnings: readonly Warning[]
  readonly settings: Settings
  readonly env: Env
  readonly log: Log
  readonly lastSmokeTest: () => SmokeTestRun | undefined
  /** Checks whether the profile file is still valid and unchanged since the start. Absent if the caller does. */
  readonly profileCheck?: () => ReportedCheck
}

/** The endpoints, the token provider, and a function that makes one diagnostics run: probes, and checks of the outcome of a token attempt. */
export function createDiagnosticsRun(context: DiagnosticsContext) {
  const { cloud, settings, env } = context
  const { profile } = cloud
  const { tokenTimeoutMs, allowedTokenHosts } = settings
  const documents: SharedDocuments = new Map()
  const provider = createTokenProvider(context, documents)
  const listed = configuredServices(profile, settings.services)
  const endpoints = [...configuredEndpoints(profile, settings), ...listed.endpoints]
  const isManager = ({ role }: Endpoint) => role === 'RESOURCE_MANAGER'
  const services = endpoints.filter(isProtected).filter((each) => !isManager(each))
  const managers = endpoints.filter(isProtected).filter(isManager)
  const needsPerson = settings.authMode === 'deviceCode'
  const issuedBy = endpoints.some(({ id }) => id === 'identity-endpoint') ? 'identity-endpoint' : 'authority'

  const checkOutcome = async (outcome: TokenOutcome): Promise<readonly Check[]> => {
    const acquired = checkAcquired(outcome, issuedBy)
    const skip = (reason: string) => services.map((each) => skippedCheck(tokenPlace(each), `Skipped: ${reason}`))
    if (outcome.status !== 'acquired') return [acquired, ...skip('there is no token')]
    const { token } = outcome
    const { audience } = provider.state()
    const claims = await checkToken(token.token, { ...cloud.provider.expectedClaims, audience, issuedBy })
    const sent = { tokenFor: provider.tokenFor, timeoutMs: tokenTimeoutMs, env }
    const ofManager = { ...sent, tokenFor: async () => token, audience }
    const accepted = await Promise.all([
      ...managers.map((endpoint) => checkAcceptance({ endpoint, ...ofManager })),
      ...(needsPerson
        ? skip('a person would have to sign in again')
        : [
            ...services.map((endpoint) => checkAcceptance({ endpoint, ...sent })),
            ...listed.endpoints.map((endpoint) => checkServiceToken(endpoint, provider.tokenFor)),
          ]),
    ])
    const checks = [acquired, ...claims, ...accepted]
    if (!needsPerson && checks.some(blamesToken)) provider.limitReuse()
    return checks
  }

  const run = async (outcomeOfAttempt: Promise<TokenOutcome>): Promise<Run> => {
    const checkedAt = new Date()
    const limits = { signal: AbortSignal.timeout(tokenTimeoutMs), timeoutMs: responseTimeoutMs(tokenTimeoutMs) }
    const [token, probes, outcome, credential] = await Promise.all([
      outcomeOfAttempt,
      runProbes({ profile, provider: cloud.provider, endpoints, env, allowedTokenHosts, documents, ...limits }),
      outcomeOfAttempt.then(checkOutcome),
      checkCredential(settings),
    ])
    const { plan, ...attempt } = provider.state()
    const isOptional = (plan === undefined || !('authority' in plan)) && token.status === 'acquired'
    const profileCheck = context.profileCheck?.()
    return {
      token,
      checks: [
        profileCheck === undefined || profileCheck.status === 'pass' ? [] : profileCheck,
        isOptional ? probes.map(asHint) : probes,
        outcome,
        credential.check ?? [],
        listed.problems,
      ].flat(),
      credentialExpiresOn: credential.expiresOn,
      ...attempt,
      plan,
      checkedAt,
    }
  }
  return { endpoints, provider, run }
}

/** Milliseconds for four parts, each within the deadline of a token: the attempt, a token for a service, a request to it, and its retry. */
export const longestRunMs = (tokenTimeoutMs: number): number => 4 * tokenTimeoutMs + 5000

/** Replaces a run that rejects or doesn't end in time by a failed run. */
export const endedRun = (run: Promise<Run>, timeoutMs: number): Promise<Run> => within(run, timeoutMs).catch(failedRun)

/** A run with one failed check. It replaces the last report, whose results may no longer be true. */
export function failedRun(cause: unknown): Run {
  const error = new ServiceError('UNEXPECTED', 'The diagnostics run failed', { cause })
  const now = Date.now()
  return {
    token: { status: 'failed', error, startedAt: now, durationMs: 0, cached: false },
    checks: [failedCheck({ id: 'diagnostics.run' }, cause)],
    audience: '',
    plan: undefined,
    trace: [],
    checkedAt: new Date(now),
  }
}

const blamesToken = ({ code }: Check): boolean => code !== undefined && findingOf(code).tokenAtFault === true

/** Turns failures of the login authority into warnings, for auth modes that get their token elsewhere. */
function asHint(check: Check): Check {
  return check.status === 'fail' && check.endpoint === 'authority' ? { ...check, status: 'warn' } : check
}

/** Reports a placeholder before a missing variable of the auth mode, because the placeholder must be replaced first. */
function planFor(cloud: ExplainedCloud, settings: Settings): CredentialPlan {
  const { authorityHost, resourceManagerAudience } = cloud.profile
  const placeholders = placeholdersToReplace(cloud)
  try {
    return { ...planCredential(cloud, settings), placeholders }
  } catch (error) {
    const isOpen =
      isPlaceholder(authorityHost) || (isPlaceholder(resourceManagerAudience) && !settings.discoverAudience)
    const isMissing = isServiceError(error) && error.code === 'CREDENTIAL_SETTING_MISSING'
    throw isOpen && isMissing ? placeholderError(placeholders) : error
  }
}

/** The credential of the active profile, and what its attempts for the resource manager showed. */
function createTokenProvider({ cloud, settings, env, log }: DiagnosticsContext, documents: SharedDocuments) {
  const { profile } = cloud
  const { tokenTimeoutMs: timeoutMs, logLevel } = settings
  const scope = scopeFor(profile.resourceManagerAudience)
  let audience: string = profile.resourceManagerAudience
  let trace: readonly TraceStep[] = []
  let plan: CredentialPlan | undefined
  const scopeOf = async (wanted: string, attempt: Attempt) => {
    if (wanted !== scope) return wanted
    // Half of the time remains for the token.
    const found = await discoverAudience(profile, { env, timeoutMs: timeoutMs / 2, attempt })
    const ofFound = scopeFor(found)
    audience = found
    return ofFound
  }
  const credential = openCredential(() => (plan ??= planFor(cloud, settings)), {
    timeoutMs,
    documents,
    processEnv: env,
    ...(settings.discoverAudience && { scopeOf }),
    onPrompt({ userCode, verificationUri }) {
      // Only anonymous access hides the code from the page. Then the log shows it.
      if (settings.httpAuthLevel === 'anonymous')
        log(signInEvent(profile.name, `${verificationUri} and enter the code ${userCode}`))
    },
    onEnd(ended) {
      if (ended.cached || ended.scope !== scope) return
      trace = ended.steps
      log(tokenEvent(profile.name, ended))
    },
    libraryLog: logLevel === 'verbose' ? log : undefined,
  })
  return {
    current: () => credential.outcome(scope),
    last: () => credential.lastOutcome(scope),
    limitReuse: () => credential.limitReuse(),
    /** Gets a token for another service. */
    tokenFor: async (other: string) => credential.getToken(scopeFor(other)),
    /** The audience that the last attempt used, its requests, and its plan unless a variable of the auth mode is missing. */
    state: () => ({ audience, trace, plan }),
  }
}
