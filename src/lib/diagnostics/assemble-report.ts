import { hostname } from 'node:os'
import { readTokenClaims } from '../auth/token-claims.ts'
import { credentialOf } from '../auth/credential-plan.ts'
import { type Env, readVariable } from '../base/env.ts'
import { isoDate } from '../base/dates.ts'
import { withoutUndefined } from '../base/json.ts'
import { shortPrintable } from '../base/printable.ts'
import { appliedOverrides, describeOrigin } from '../profile/explained-profile.ts'
import { scopeFor } from '../profile/endpoints.ts'
import { placeholderFields } from '../profile/field-path.ts'
import { tenantInUse } from '../settings/credential-values.ts'
import { isFipsMode } from '../settings/node-requirements.ts'
import { VERSION } from '../settings/version.ts'
import { addedAuthorities, trustedCount } from '../transport/certificate-authorities.ts'
import { proxyVariableOf } from '../transport/egress.ts'
import { toDiagnosis } from './checks.ts'
import { conclude } from './conclude.ts'
import type { ChangeableField } from '../findings/finding.ts'
import { collectFacts } from './facts.ts'
import type { Check, DiagnosticsReport, Identity, Runtime, SmokeTestRun, TokenResult, Instance } from './report.ts'
import type { Endpoint, JudgedCheck, Run } from './run.ts'
import { type DiagnosticsContext, failedRun } from './run-diagnostics.ts'
import { readIdentity } from './token-checks.ts'

/** Requests that a report lists, at most. A sign-in by a person polls for 15 minutes. */
const mostSteps = 20

/** Makes a report of a run, without secrets. If that fails, the report is a failed one. Values of the process are computed once. */
export function createReportAssembler(context: DiagnosticsContext, endpoints: readonly Endpoint[]) {
  const { cloud, warnings, settings, env } = context
  const { profile, source, selectedBy } = cloud
  const { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience } = profile
  const named = { name, displayName, environment, authorityHost, resourceManagerEndpoint, resourceManagerAudience }
  const described = {
    ...named,
    disableInstanceDiscovery: cloud.provider.disableInstanceDiscovery,
    placeholder: placeholderFields(profile).length > 0,
    source,
    selectedBy,
    overrides: appliedOverrides(cloud),
  }
  const runtime = readRuntime(env)
  const instance = readInstance(env)
  const remembered: Partial<Record<ChangeableField, string>> = {}
  const assemble = (run: Run, smokeTest: SmokeTestRun | null): DiagnosticsReport => {
    const checkedAt = run.checkedAt.toISOString()
    const identity = reportIdentity(context, run)
    const facts = collectFacts({ checks: run.checks, cloud, identity, settings, endpoints, remembered, env })
    const { status, checks, hosts, diagram, rootCause } = conclude(facts, run.token, warnings.length > 0)
    const proof = `it worked in this process until ${checkedAt.slice(0, 16).replace('T', ' ')} UTC`
    for (const field of Object.keys(facts.confirmed) as ChangeableField[]) remembered[field] = proof
    return withoutUndefined({
      status,
      version: VERSION,
      instance,
      rootCause,
      checkedAt,
      cloud: described,
      authMode: settings.authMode,
      authModeFrom: settings.authModeFrom,
      audienceFrom: audienceOrigin(context, run.audience),
      credential: credentialOf(settings.authMode),
      token: reportToken(run, checks),
      identity,
      clockSkewSeconds: facts.hosts.get('authority')?.skewSeconds,
      credentialExpiresOn: run.credentialExpiresOn,
      checks: checks.map(shownCheck),
      hosts,
      diagram,
      warnings,
      smokeTest,
      runtime,
    })
  }
  return (run: Run, smokeTest: SmokeTestRun | null): DiagnosticsReport => {
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

/** @param checks One of them is the token attempt, with the fix that respects all other checks. */
function reportToken({ token, audience, trace: all }: Run, checks: readonly JudgedCheck[]): TokenResult {
  const { status, durationMs, cached } = token
  const trace = all.length === 0 ? undefined : all.slice(-mostSteps)
  const result = withoutUndefined({ status, scope: audience && scopeFor(audience), durationMs, cached, trace })
  if (token.status === 'acquired') {
    const problem = checks.find((each) => each.of === 'claims' && each.status === 'fail')?.code
    const claimed = (readTokenClaims(token.token.token)?.exp ?? Infinity) * 1000
    const expiresOn = isoDate(Math.min(token.token.expiresOnTimestamp, claimed))
    return withoutUndefined({ ...result, expiresOn, problem })
  }
  if (token.status === 'failed') {
    const attempt = checks.find((each) => each.of === 'attempt' && each.fix !== undefined)
    const { code = token.error.code, message, cause = '', fix = '', change } = attempt ?? toDiagnosis(token.error)
    return { ...result, error: withoutUndefined({ code, message, cause, fix, change }) }
  }
  const { userCode, verificationUri, expiresOnTimestamp } = token.prompt
  const shown = { userCode: shortPrintable(userCode, 64), verificationUri: shortPrintable(verificationUri, 2048) }
  return { ...result, signIn: { ...shown, expiresOn: isoDate(expiresOnTimestamp) ?? '' } }
}

/** The part of a check that the report contains. */
function shownCheck({ id, status, message, durationMs, code, cause, fix, change }: JudgedCheck): Check {
  return withoutUndefined({ id, status, message, durationMs, code, cause, fix, change })
}

function reportIdentity({ cloud, settings, env }: DiagnosticsContext, { token, plan }: Run): Identity {
  const tenantId = plan !== undefined && 'authority' in plan ? plan.authority.tenantId : cloud.provider.tenantId
  const clientId = plan !== undefined && 'clientId' in plan ? plan.clientId : settings.clientId
  const { from: tenantFrom, profileTenantId } = tenantInUse(cloud.profile, settings, env) ?? {}
  const ofToken = token.status === 'acquired' ? readIdentity(token.token.token) : {}
  const { subscriptionId } = settings
  return withoutUndefined({ tenantId, tenantFrom, profileTenantId, clientId, ...ofToken, subscriptionId })
}

/** The versions, trust and proxy settings of this process, without paths and proxy addresses. */
export function readRuntime(env: Env): Runtime {
  const added = addedAuthorities(env)
  const effective = added.filter(({ status }) => status === 'read by Node' || status === 'loaded by the service')
  const sources = ['bundled', ...effective.map(({ variable }) => variable)]
  return {
    node: process.versions.node,
    openssl: process.versions.openssl ?? 'unknown',
    fips: isFipsMode(),
    trustStore: { certificates: trustedCount(), sources, added },
    proxy: proxyVariableOf(env) !== undefined,
  }
}

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

/** Identifies this process. The platform's instance id is long, and its first characters are enough. */
function readInstance(env: Env): Instance {
  const id = readVariable(env, 'WEBSITE_INSTANCE_ID')?.slice(0, 12)
  return withoutUndefined({ hostName: hostname(), process: String(process.pid), startedAt, id })
}
