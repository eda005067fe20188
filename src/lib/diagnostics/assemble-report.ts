import type { AccessToken } from '../auth/token-credential.ts'
import { readTokenClaims } from '../auth/token-claims.ts'
import { credentialOf } from '../auth/credential-plan.ts'
import { namedTenant, tenantOf } from '../auth/tenant.ts'
import { appliedOverrides } from '../profile/explained-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { metadataPath } from '../profile/endpoints.ts'
import { lintProfile } from '../profile/lint-profile.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { scopeFor } from '../profile/scope.ts'
import { VERSION } from '../settings/version.ts'
import { configuredEndpoints } from '../endpoints/endpoint-table.ts'
import { ServiceError } from '../errors.ts'
import { connectionDiagram } from './connection-diagram.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { toDiagnosis } from './diagnosis.ts'
import { conclusionsOf } from './conclusions.ts'
import { withoutEvidence, type FoundCheck } from './found-check.ts'
import { findRootCause } from './root-cause.ts'
import { probeMatrix } from './probe-matrix.ts'
import { readInstance } from './instance.ts'
import { isoDate } from './iso-date.ts'
import type { DiagnosticsRun } from './run-diagnostics.ts'
import { printable } from '../base/printable.ts'
import { failedCheck } from './probes/layers.ts'
import type { DiagnosticsReport, Identity, ReportStatus, SmokeTestRun, TokenResult } from './report.ts'
import { agreeOn, proxyEvidence, withBestFix } from './best-fix.ts'
import { readRuntime } from './runtime.ts'
import { readIdentity } from './token-checks.ts'

/** Requests that are shown: a sign-in by a person polls for a quarter of an hour. */
const mostSteps = 20

/**
 * Makes the body of `/api/diagnostics`: everything an operator may know, nothing secret. What never changes in a process is computed once.
 */
export function createReportAssembler(
  context: DiagnosticsContext,
): (run: DiagnosticsRun, smokeTest: SmokeTestRun | null) => DiagnosticsReport {
  const { cloud, settings, env } = context
  const { authMode } = settings
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
  const warnings = [
    ...cloud.warnings,
    ...lintProfile(cloud.profile, { authMode, tenantId: namedTenant(settings) }),
    ...settings.warnings,
  ]
  const described = {
    name,
    displayName,
    environment,
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience,
    disableInstanceDiscovery: identityProviderOf(cloud.profile).disableInstanceDiscovery,
    placeholder: placeholderFields(cloud.profile).length > 0,
    source: cloud.source,
    overrides: appliedOverrides(cloud),
  }
  const runtime = readRuntime(env)
  const instance = readInstance(env)
  const endpoints = configuredEndpoints(cloud.profile, settings)
  return (run, smokeTest) => {
    const all = [...invalidProfile(smokeTest), ...run.checks]
    const status = judge(run.token.status, all, warnings.length > 0)
    const identity = reportIdentity(context, run)
    const conclusions = conclusionsOf(all, cloud.profile, identity)
    const found = all.map((check) =>
      withBestFix(check, conclusions, (id) => proxyEvidence(endpoints.find((each) => each.id === id)?.url, env)),
    )
    const hosts = probeMatrix(endpoints, found)
    const rootCause = findRootCause({ status, checks: found, hosts, conclusions })
    const checks = rootCause === undefined ? found : found.map((check) => agreeOn(rootCause, check))
    const token = reportToken(run, checks)
    return {
      status,
      version: VERSION,
      instance,
      ...(rootCause === undefined ? {} : { rootCause }),
      checkedAt: run.checkedAt.toISOString(),
      cloud: described,
      authMode,
      credential: credentialOf(authMode),
      token,
      identity,
      ...clockSkew(all),
      checks: checks.map(withoutEvidence),
      hosts,
      diagram: connectionDiagram({ hosts, instance, runtime, token }),
      warnings,
      smokeTest,
      ...(settings.serveMetadata ? { metadataHost: `/${metadataPath}` } : {}),
      runtime,
    }
  }
}

/** The active profile is read again by each scheduled check: an invalid profile fails this service too. */
function invalidProfile(run: SmokeTestRun | null): FoundCheck[] {
  const check = run?.results.at(-1)?.checks.find(({ id, status }) => id === 'profile.valid' && status === 'fail')
  if (check === undefined) return []
  const { id, code = 'UNEXPECTED', message, durationMs } = check
  return [failedCheck(id, new ServiceError(code, message), durationMs)]
}

function judge(token: TokenResult['status'], checks: DiagnosticsRun['checks'], warned: boolean): ReportStatus {
  if (token === 'failed' || checks.some(({ status }) => status === 'fail')) return 'failed'
  if (token === 'pending') return 'pending'
  return warned || checks.some(({ status }) => status === 'warn') ? 'warning' : 'ok'
}

function reportToken({ token, audience, trace }: DiagnosticsRun, checks: DiagnosticsRun['checks']): TokenResult {
  const { status, durationMs, cached } = token
  const steps = trace.length === 0 ? {} : { trace: trace.slice(-mostSteps) }
  const result = { status, scope: scopeOf(audience), durationMs, cached, ...steps }
  if (token.status === 'acquired') {
    const expiresOn = isoDate(expiryOf(token.token))
    return { ...result, ...(expiresOn === undefined ? {} : { expiresOn }) }
  }
  if (token.status === 'failed') {
    // The check of the attempt has the fix that respects all other checks.
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

/** When a token expires: by the token response, or by its own claim if that is earlier. */
function expiryOf({ token, expiresOnTimestamp }: AccessToken): number {
  const { exp } = readTokenClaims(token) ?? {}
  return exp === undefined ? expiresOnTimestamp : Math.min(expiresOnTimestamp, exp * 1000)
}

/** A scope that no request can be all with is shown as what it comes from. */
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
