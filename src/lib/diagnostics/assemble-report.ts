import type { AccessToken } from '../auth/token-credential.ts'
import { readTokenClaims } from '../auth/token-claims.ts'
import { credentialOf } from '../auth/credential-plan.ts'
import { tenantOf } from '../auth/authority.ts'
import { appliedOverrides, describeSource } from '../profile/explained-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { metadataPath, scopeFor } from '../profile/endpoints.ts'
import { placeholderFields } from '../profile/placeholders.ts'
import { proxyFor } from '../transport/proxy-for.ts'
import { readOverrideSwitch } from '../profile/resolve-cloud-profile.ts'
import { VERSION } from '../settings/version.ts'
import { configuredEndpoints } from '../endpoints/endpoint-table.ts'
import { ServiceError } from '../errors.ts'
import { connectionDiagram } from './connection-diagram.ts'
import type { DiagnosticsContext } from './diagnostics-context.ts'
import { toDiagnosis } from './diagnosis.ts'
import { conclusionsOf } from './conclusions.ts'
import { withoutEvidence, type FoundCheck } from './found-check.ts'
import { judgeRun } from './judge-run.ts'
import { createSettingNames } from './settings-in-force.ts'
import { readInstance } from './instance.ts'
import { isoDate } from '../base/iso-date.ts'
import type { DiagnosticsRun } from './run-diagnostics.ts'
import { shortPrintable } from '../base/printable.ts'
import { failedCheck } from './probes/layers.ts'
import type { DiagnosticsReport, Identity, MatrixRow, SmokeTestRun, TokenResult } from './report.ts'
import { readRuntime } from './runtime.ts'
import { readIdentity } from './token-checks.ts'

/** How many requests a report lists: a sign-in by a person polls for 15 minutes. */
const mostSteps = 20

/** Makes the body of `/api/diagnostics`: all results, without secrets. Values that never change in a process are computed once. */
export function createReportAssembler(
  context: DiagnosticsContext,
): (run: DiagnosticsRun, smokeTest: SmokeTestRun | null) => DiagnosticsReport {
  const { cloud, warnings, settings, env } = context
  const { authMode } = settings
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
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
    selectedBy: cloud.selectedBy,
    overrides: appliedOverrides(cloud),
  }
  const runtime = readRuntime(env)
  const instance = readInstance(env)
  const endpoints = configuredEndpoints(cloud.profile, settings)
  const usesProxy = endpoints.some(({ url }) => proxyFor(url, env).proxy !== undefined)
  const nameSettings = createSettingNames(cloud, readOverrideSwitch(env))
  const workedUntil = new Map<string, string>()
  return (run, smokeTest) => {
    const failures: FoundCheck[] = []
    /** A part that throws becomes a failed check, so that no part can prevent the report. */
    const attempt = <T>(part: string, make: () => T, fallback: T): T => {
      try {
        return make()
      } catch (error) {
        failures.push(failedCheck(`report.${part}`, error))
        return fallback
      }
    }
    const now = new Date().toISOString()
    const checkedAt = attempt('time', () => run.checkedAt.toISOString(), now)
    const ran = attempt('checks', () => [...invalidProfile(smokeTest), ...run.checks], [])
    const identity = attempt('identity', () => reportIdentity(context, run), {})
    const conclusions = attempt(
      'conclusions',
      () => conclusionsOf({ checks: ran, profile: cloud.profile, identity, authMode }),
      {},
    )
    const token = attempt('token', () => reportToken(run), {
      status: 'failed',
      scope: '',
      durationMs: 0,
      cached: false,
    })
    const judged = { token, endpoints, hasWarnings: warnings.length > 0, conclusions, workedUntil, env, nameSettings }
    const judge = (checks: readonly FoundCheck[]) => judgeRun({ ...judged, checks })
    const { status, checks, hosts, rootCause } =
      attempt('judgment', () => judge([...ran, ...failures]), undefined) ?? judge(failures)
    rememberWorking(workedUntil, hosts, checkedAt)
    const shownChecks = checks.map(withoutEvidence)
    const isPending = token.status === 'pending'
    return {
      status,
      version: VERSION,
      instance,
      ...(rootCause === undefined ? {} : { rootCause }),
      checkedAt,
      cloud: described,
      authMode,
      authModeFrom: settings.authModeFrom,
      audienceFrom: audienceOrigin(context, run.audience),
      credential: credentialOf(authMode),
      token: withFix(token, checks),
      identity,
      ...clockSkew(ran),
      checks: shownChecks,
      hosts,
      diagram: connectionDiagram({ hosts, checks: shownChecks, instance, usesProxy, isPending }),
      warnings,
      smokeTest,
      ...(settings.serveMetadata ? { metadataHost: `/${metadataPath}` } : {}),
      runtime,
    }
  }
}

/** Records when each endpoint last worked: if an endpoint worked before, its outage is not a fault of the profile. */
function rememberWorking(workedUntil: Map<string, string>, hosts: readonly MatrixRow[], checkedAt: string): void {
  for (const { id, layers } of hosts) {
    const statuses = new Set(Object.values(layers).map(({ status }) => status))
    if (statuses.has('pass') && !statuses.has('fail')) {
      workedUntil.set(id, `${checkedAt.slice(0, 16).replace('T', ' ')} UTC`)
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

function audienceOrigin({ cloud, settings }: DiagnosticsContext, audience: string): string {
  const { profile, fields, source } = cloud
  if (settings.discoverAudience && audience !== profile.resourceManagerAudience) return 'discovered'
  const { from = '' } = fields['resourceManagerAudience'] ?? {}
  return from === describeSource(source) ? 'profile' : from
}

function reportToken({ token, audience, trace }: DiagnosticsRun): TokenResult {
  const { status, durationMs, cached } = token
  const steps = trace.length === 0 ? {} : { trace: trace.slice(-mostSteps) }
  const result = {
    status,
    scope: scopeOf(audience),
    durationMs,
    cached,
    ...steps,
  }
  if (token.status === 'acquired') {
    const expiresOn = isoDate(expiryOf(token.token))
    return { ...result, ...(expiresOn === undefined ? {} : { expiresOn }) }
  }
  if (token.status === 'failed') return { ...result, error: toDiagnosis(token.error) }
  const { userCode, verificationUri, expiresOnTimestamp } = token.prompt
  return {
    ...result,
    signIn: {
      userCode: shortPrintable(userCode, 64),
      verificationUri: shortPrintable(verificationUri, 2048),
      expiresOn: isoDate(expiresOnTimestamp) ?? '',
    },
  }
}

/** The check of the attempt has the fix that respects all other checks. */
function withFix(token: TokenResult, checks: readonly FoundCheck[]): TokenResult {
  const { fix } = checks.find(({ id }) => id === 'token.acquired') ?? {}
  return token.error === undefined || fix === undefined ? token : { ...token, error: { ...token.error, fix } }
}

/** When a token expires: by the token response, or by its own claim if that is earlier. */
function expiryOf({ token, expiresOnTimestamp }: AccessToken): number {
  const { exp } = readTokenClaims(token) ?? {}
  return exp === undefined ? expiresOnTimestamp : Math.min(expiresOnTimestamp, exp * 1000)
}

/** An audience without a valid scope is shown unchanged. */
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
  return Number.isFinite(Number(seconds)) ? { clockSkewSeconds: Number(seconds) } : {}
}
