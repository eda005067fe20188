import type { AccessToken } from '../auth/token-credential.ts'
import { readTokenClaims } from '../auth/token-claims.ts'
import { credentialOf } from '../auth/credential-plan.ts'
import { type Env, readVariable } from '../base/env.ts'
import { isoDate } from '../base/dates.ts'
import { shortPrintable } from '../base/printable.ts'
import { appliedOverrides, describeOrigin } from '../profile/explained-profile.ts'
import { metadataPath, scopeFor } from '../profile/endpoints.ts'
import { placeholderFields } from '../profile/field-path.ts'
import { tenantInUse } from '../settings/credential-values.ts'
import { isFipsMode } from '../settings/node-requirements.ts'
import { VERSION } from '../settings/version.ts'
import { addedAuthorities, trustedCount } from '../transport/certificate-authorities.ts'
import { proxyVariableOf } from '../transport/egress.ts'
import { toDiagnosis } from './checks.ts'
import { conclude, type ExplainedCheck } from './conclude.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import { collectFacts, type Memory, remember } from './facts.ts'
import type { Check, DiagnosticsReport, Identity, Runtime, SmokeTestRun, TokenResult, Instance } from './report.ts'
import { type DiagnosticsContext, type DiagnosticsRun, failedRun } from './run-diagnostics.ts'
import { readIdentity } from './token-checks.ts'
import { hostname } from 'node:os'
import { hashText } from '../base/names.ts'

/** Requests that a report lists, at most. A sign-in by a person polls for 15 minutes. */
const mostSteps = 20

/**
 * Makes the body of `/api/diagnostics` from a run, without secrets. If that fails, the report is a failed one. Values that never change in
 * a process are computed once.
 */
export function createReportAssembler(
  context: DiagnosticsContext,
  endpoints: readonly ConfiguredEndpoint[],
): (run: DiagnosticsRun, smokeTest: SmokeTestRun | null) => DiagnosticsReport {
  const { cloud, warnings, settings, env } = context
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } =
    cloud.profile
  const described = {
    name,
    displayName,
    environment,
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience,
    disableInstanceDiscovery: cloud.provider.disableInstanceDiscovery,
    placeholder: placeholderFields(cloud.profile).length > 0,
    source: cloud.source,
    selectedBy: cloud.selectedBy,
    overrides: appliedOverrides(cloud),
  }
  const runtime = readRuntime(env)
  const instance = readInstance(env)
  const memory: Memory = { proven: new Map(), workedUntil: new Map() }
  const assemble = (run: DiagnosticsRun, smokeTest: SmokeTestRun | null): DiagnosticsReport => {
    const checkedAt = run.checkedAt.toISOString()
    const identity = reportIdentity(context, run)
    const token = reportToken(run)
    const facts = collectFacts({ checks: run.checks, cloud, identity, settings, endpoints, memory, env })
    const { status, checks, hosts, diagram, rootCause } = conclude(facts, token, warnings.length > 0)
    remember(facts, checkedAt)
    return {
      status,
      version: VERSION,
      instance,
      ...(rootCause === undefined ? {} : { rootCause }),
      checkedAt,
      cloud: described,
      authMode: settings.authMode,
      authModeFrom: settings.authModeFrom,
      audienceFrom: audienceOrigin(context, run.audience),
      credential: credentialOf(settings.authMode),
      token: withFix(token, checks),
      identity,
      ...clockSkew(run),
      ...credentialExpiry(run),
      checks: checks.map(shownCheck),
      hosts,
      diagram,
      warnings,
      smokeTest,
      ...(settings.serveMetadata ? { metadataHost: `/${metadataPath}` } : {}),
      runtime,
    }
  }
  return (run, smokeTest) => {
    try {
      return assemble(run, smokeTest)
    } catch (error) {
      return assemble(failedRun(error), smokeTest)
    }
  }
}

function audienceOrigin({ cloud, settings }: DiagnosticsContext, audience: string): string {
  const { profile, fields } = cloud
  if (settings.discoverAudience && audience !== profile.resourceManagerAudience) return 'discovered'
  const origin = fields['resourceManagerAudience']
  return origin === undefined || origin.by === 'profile' ? 'profile' : describeOrigin(origin)
}

function reportToken({ token, audience, trace }: DiagnosticsRun): TokenResult {
  const { status, durationMs, cached } = token
  const steps = trace.length === 0 ? {} : { trace: trace.slice(-mostSteps) }
  const result = { status, scope: scopeOf(audience), durationMs, cached, ...steps }
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

/** The part of a check that the report contains. */
function shownCheck({ id, status, message, durationMs, code, cause, fix, change }: ExplainedCheck): Check {
  const more = { ...(code && { code }), ...(cause && { cause }), ...(fix && { fix }), ...(change && { change }) }
  return { id, status, message, durationMs, ...more }
}

/** Takes cause and fix from the check of the token attempt, which respects all other checks. */
function withFix(token: TokenResult, checks: readonly ExplainedCheck[]): TokenResult {
  const { code, message, cause, fix, change } = checks.find(({ id }) => id === 'token.acquired') ?? {}
  if (token.error === undefined || code === undefined || fix === undefined || cause === undefined) return token
  return { ...token, error: { code, message: message ?? '', cause, fix, ...(change === undefined ? {} : { change }) } }
}

/** When a token expires: the earlier time of the token response and the `exp` claim. */
function expiryOf({ token, expiresOnTimestamp }: AccessToken): number {
  return Math.min(expiresOnTimestamp, (readTokenClaims(token)?.exp ?? Infinity) * 1000)
}

/** The scope of an audience. An audience without a valid scope is returned unchanged. */
function scopeOf(audience: string): string {
  try {
    return scopeFor(audience)
  } catch {
    return audience
  }
}

function reportIdentity({ cloud, settings, env }: DiagnosticsContext, { token, plan }: DiagnosticsRun): Identity {
  const tenantId = plan !== undefined && 'authority' in plan ? plan.authority.tenantId : cloud.provider.tenantId
  const clientId = plan !== undefined && 'clientId' in plan ? plan.clientId : settings.clientId
  const { from: tenantFrom, profileTenantId } = tenantInUse(cloud.profile, settings, env) ?? {}
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(tenantFrom === undefined ? {} : { tenantFrom }),
    ...(profileTenantId === undefined ? {} : { profileTenantId }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(token.status === 'acquired' ? readIdentity(token.token.token) : {}),
    ...(settings.subscriptionId === undefined ? {} : { subscriptionId: settings.subscriptionId }),
  }
}

function clockSkew({ checks }: DiagnosticsRun): Pick<DiagnosticsReport, 'clockSkewSeconds'> {
  const { skewSeconds } = checks.find(({ id }) => id === 'authority.clock')?.observed ?? {}
  return skewSeconds === undefined ? {} : { clockSkewSeconds: skewSeconds }
}

function credentialExpiry({ checks }: DiagnosticsRun): Pick<DiagnosticsReport, 'credentialExpiresOn'> {
  const { certificate } = checks.find(({ id }) => id === 'credential.expiry') ?? {}
  return certificate === undefined ? {} : { credentialExpiresOn: certificate.validTo }
}

/** The versions, trust and proxy settings of this process, without paths and proxy addresses. */
export function readRuntime(env: Env): Runtime {
  const added = addedAuthorities(env)
  const effective = added.filter(({ status }) => status === 'read by Node' || status === 'loaded by the service')
  return {
    node: process.versions.node,
    openssl: process.versions.openssl ?? 'unknown',
    fips: isFipsMode(),
    trustStore: {
      certificates: trustedCount(),
      sources: ['bundled', ...effective.map(({ variable }) => variable)],
      added,
    },
    proxy: proxyVariableOf(env) !== undefined,
  }
}

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

/** The label `process` of the metrics. At most 4,096 values bound the number of series; a container keeps its value after a restart. */
export const processLabel = String(hashText(`${hostname()} ${process.pid}`) % 4096)

/** Identifies this process. The platform's instance id is long, and its first characters are enough. */
function readInstance(env: Env): Instance {
  const id = readVariable(env, 'WEBSITE_INSTANCE_ID')?.slice(0, 12)
  return { hostName: hostname(), process: String(process.pid), startedAt, ...(id === undefined ? {} : { id }) }
}
