import { credentialNames, type CredentialPlan } from '../auth/credential-plan.ts'
import { tenantOf } from '../auth/tenant.ts'
import type { TokenOutcome } from '../auth/token-source.ts'
import { appliedOverrides } from '../profile/explained-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { lintProfile } from '../profile/lint-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { scopeFor } from '../profile/scope.ts'
import { VERSION } from '../settings/version.ts'
import type { TraceStep } from '../transport/attempt.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { toExplanation } from './explanation.ts'
import { headlineOf } from './headline.ts'
import { describeInstance } from './instance.ts'
import type { Check, DiagnosticsReport, Identity, ReportStatus, TokenResult } from './report.ts'
import { describeRuntime } from './runtime.ts'
import { readIdentity } from './token-checks.ts'

/** Requests that are shown: a sign-in by a person polls for a quarter of an hour. */
const mostSteps = 20

/** What one look at the cloud found. */
export interface Look {
  readonly token: TokenOutcome
  readonly checks: readonly Check[]
  /** The audience that was asked for. */
  readonly audience: string
  /** Absent when the environment lacks what its mode needs. */
  readonly plan: CredentialPlan | undefined
  readonly trace: readonly TraceStep[]
  readonly checkedAt: Date
}

/**
 * Makes the body of `/api/diagnostics`: everything an operator may know, nothing that is secret. What is fixed for the life of the
 * process is worked out once.
 */
export function createReportAssembler(
  context: DiagnosticsContext,
): (look: Look, explained: boolean) => DiagnosticsReport {
  const { cloud, settings, env, lastSmokeTest } = context
  const { authMode } = settings
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
  const warnings = [
    ...cloud.warnings,
    ...lintProfile(cloud.profile, { authMode, tenantId: tenantOf(cloud.profile, settings) }),
    ...settings.warnings,
  ]
  const described = {
    name,
    displayName,
    environment,
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience,
    disableInstanceDiscovery: shouldDisableInstanceDiscovery(authorityHost),
    placeholder: placeholderFields(cloud.profile).length > 0,
    source: cloud.source,
    overrides: appliedOverrides(cloud),
  }
  const runtime = describeRuntime(env)
  const instance = describeInstance(env)
  return (look, explained) => {
    const status = judge(look, warnings.length > 0)
    const token = describeToken(look)
    const headline = headlineOf({ status, token, checks: look.checks })
    return {
      status,
      version: VERSION,
      instance,
      ...(headline === undefined ? {} : { headline }),
      checkedAt: look.checkedAt.toISOString(),
      cloud: described,
      authMode,
      credential: credentialNames[authMode],
      token,
      identity: describeIdentity(context, look),
      checks: look.checks,
      warnings,
      smokeTest: lastSmokeTest() ?? null,
      runtime,
      ...(explained ? { fields: cloud.fields } : {}),
    }
  }
}

function judge({ token, checks }: Look, warned: boolean): ReportStatus {
  if (token.status === 'failed' || checks.some(({ status }) => status === 'fail')) return 'failed'
  if (token.status === 'pending') return 'pending'
  return warned || checks.some(({ status }) => status === 'warn') ? 'warning' : 'ok'
}

function describeToken({ token, audience, trace }: Look): TokenResult {
  const { status, durationMs, cached } = token
  const steps = trace.length === 0 ? {} : { trace: trace.slice(-mostSteps) }
  const result = { status, scope: scopeFor(audience), durationMs, cached, ...steps }
  if (token.status === 'acquired')
    return { ...result, expiresOn: new Date(token.token.expiresOnTimestamp).toISOString() }
  if (token.status === 'failed') return { ...result, error: toExplanation(token.error) }
  const { userCode, verificationUri, expiresOnTimestamp } = token.prompt
  return {
    ...result,
    signIn: { userCode, verificationUri, expiresOn: new Date(expiresOnTimestamp).toISOString() },
  }
}

function describeIdentity({ cloud, settings }: DiagnosticsContext, { token, plan }: Look): Identity {
  const tenantId =
    plan !== undefined && 'authority' in plan ? plan.authority.tenantId : tenantOf(cloud.profile, settings)
  const clientId = plan !== undefined && 'clientId' in plan ? plan.clientId : settings.clientId
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(token.status === 'acquired' ? readIdentity(token.token.token) : {}),
    ...(settings.subscriptionId === undefined ? {} : { subscriptionId: settings.subscriptionId }),
  }
}
