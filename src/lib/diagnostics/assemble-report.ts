import type { AccessToken } from '../auth/token-credential.ts'
import { readTokenClaims } from '../auth/token-claims.ts'
import { credentialOf } from '../auth/credential-plan.ts'
import { tenantOf } from '../auth/tenant.ts'
import { appliedOverrides } from '../profile/explained-profile.ts'
import { shouldDisableInstanceDiscovery } from '../profile/instance-discovery.ts'
import { metadataPath } from '../profile/endpoints.ts'
import { lintProfile } from '../profile/lint-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { scopeFor } from '../profile/scope.ts'
import { VERSION } from '../settings/version.ts'
import { lookedAt } from './looked-at.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { toDiagnosis } from './diagnosis.ts'
import { conclusionsOf } from './conclusions.ts'
import { withoutEvidence } from './found-check.ts'
import { findRootCause } from './root-cause.ts'
import { probeMatrix } from './probe-matrix.ts'
import { readInstance } from './instance.ts'
import { isoDate } from './iso-date.ts'
import type { DiagnosticsRun } from './diagnostics-run.ts'
import { printable } from '../base/printable.ts'
import type { DiagnosticsReport, Identity, ReportStatus, TokenResult } from './report.ts'
import { agreeOn, proxyEvidence, withBestFix } from './best-fix.ts'
import { readRuntime } from './runtime.ts'
import { readIdentity } from './token-checks.ts'

/** Requests that are shown: a sign-in by a person polls for a quarter of an hour. */
const mostSteps = 20

/**
 * Makes the body of `/api/diagnostics`: everything an operator may know, nothing that is secret. What is fixed for the life of the
 * process is worked out once.
 */
export function createReportAssembler(context: DiagnosticsContext): (look: DiagnosticsRun) => DiagnosticsReport {
  const { cloud, settings, env } = context
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
  const runtime = readRuntime(env)
  const instance = readInstance(env)
  const targets = lookedAt(cloud.profile, settings)
  return (look) => {
    const status = judge(look, warnings.length > 0)
    const identity = reportIdentity(context, look)
    const facts = conclusionsOf(look.checks, cloud.profile, identity)
    const found = look.checks.map((check) =>
      withBestFix(check, facts, (id) => proxyEvidence(targets.find((each) => each.id === id)?.url, env)),
    )
    const hosts = probeMatrix(targets, found)
    const rootCause = findRootCause({ status, checks: found, hosts, facts })
    const checks = rootCause === undefined ? found : found.map((check) => agreeOn(rootCause, check))
    return {
      status,
      version: VERSION,
      instance,
      ...(rootCause === undefined ? {} : { rootCause }),
      checkedAt: look.checkedAt.toISOString(),
      cloud: described,
      authMode,
      credential: credentialOf(authMode),
      token: reportToken(look, checks),
      identity,
      ...clockSkew(look.checks),
      checks: checks.map(withoutEvidence),
      hosts,
      warnings,
      smokeTest: null,
      ...(settings.serveMetadata ? { metadataHost: `/${metadataPath}` } : {}),
      runtime,
    }
  }
}

function judge({ token, checks }: DiagnosticsRun, warned: boolean): ReportStatus {
  if (token.status === 'failed' || checks.some(({ status }) => status === 'fail')) return 'failed'
  if (token.status === 'pending') return 'pending'
  return warned || checks.some(({ status }) => status === 'warn') ? 'warning' : 'ok'
}

function reportToken({ token, audience, trace }: DiagnosticsRun, checks: DiagnosticsRun['checks']): TokenResult {
  const { status, durationMs, cached } = token
  const steps = trace.length === 0 ? {} : { trace: trace.slice(-mostSteps) }
  const result = { status, scope: scopeOf(audience), durationMs, cached, ...steps }
  if (token.status === 'acquired') {
    const expiresOn = isoDate(endOf(token.token))
    return { ...result, ...(expiresOn === undefined ? {} : { expiresOn }) }
  }
  if (token.status === 'failed') {
    // The check of the attempt says the same, in the light of all others.
    const { fix } = checks.find(({ id }) => id === 'token.acquired') ?? {}
    const error = toDiagnosis(token.error)
    return { ...result, error: { ...error, fix: fix ?? error.fix } }
  }
  const { userCode, verificationUri, expiresOnTimestamp } = token.prompt
  return {
    ...result,
    signIn: {
      userCode: printable(userCode, 64),
      verificationUri: printable(verificationUri, 2048),
      expiresOn: isoDate(expiresOnTimestamp) ?? '',
    },
  }
}

/** When a token ends: what the answer said of it, or what it says of itself when that is earlier. */
function endOf({ token, expiresOnTimestamp }: AccessToken): number {
  const { exp } = readTokenClaims(token) ?? {}
  return exp === undefined ? expiresOnTimestamp : Math.min(expiresOnTimestamp, exp * 1000)
}

/** A scope that no request can be made with is shown as what it comes from. */
function scopeOf(audience: string): string {
  try {
    return scopeFor(audience)
  } catch {
    return audience
  }
}

function reportIdentity({ cloud, settings }: DiagnosticsContext, { token, plan }: DiagnosticsRun): Identity {
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

function clockSkew(checks: DiagnosticsRun['checks']): Pick<DiagnosticsReport, 'clockSkewSeconds'> {
  const seconds = checks.find(({ id }) => id === 'authority.clock')?.evidence?.['skewSeconds']
  return seconds === undefined ? {} : { clockSkewSeconds: Number(seconds) }
}
