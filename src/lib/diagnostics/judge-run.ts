import type { Env } from '../base/env.ts'
import type { ConfiguredEndpoint } from '../endpoints/endpoint.ts'
import type { Evidence } from '../errors.ts'
import { proxyFor } from '../transport/proxy-for.ts'
import { endpointOf, nodeOf } from './blame.ts'
import { chooseFix } from '../findings/choose-fix.ts'
import { findingOf } from '../findings/explain.ts'
import type { FoundCheck } from './found-check.ts'
import { probeMatrix } from './probe-matrix.ts'
import type { MatrixRow, ReportStatus, RootCause, TokenResult } from './report.ts'
import { findRootCause, isSameFault } from './root-cause.ts'

/** The input of the judgment of a run. */
export interface JudgedRun {
  readonly checks: readonly FoundCheck[]
  readonly token: Pick<TokenResult, 'status' | 'cached'>
  readonly endpoints: readonly ConfiguredEndpoint[]
  readonly hasWarnings: boolean
  /** The conclusions from all checks. */
  readonly conclusions: Evidence
  /** When each endpoint last worked, by its id, in words. */
  readonly workedUntil: ReadonlyMap<string, string>
  readonly env: Env
  /** Names the settings of a fix as the reader can change them. */
  readonly nameSettings: (fix: string) => string
}

/** The judgment of a run. Status, root cause, fixes, probe matrix and connection diagram derive from it. */
export interface Judgment {
  readonly status: ReportStatus
  readonly checks: readonly FoundCheck[]
  readonly hosts: readonly MatrixRow[]
  readonly rootCause?: RootCause
}

export function judgeRun(run: JudgedRun): Judgment {
  const { token, endpoints, conclusions, hasWarnings } = run
  const found = run.checks.map((check) => withBestFix(check, run))
  const hosts = probeMatrix({ endpoints, checks: found, isTokenCached: token.cached })
  const status = statusOf(token.status, found, hasWarnings)
  if (status !== 'failed') return { status, checks: found, hosts }
  const rootCause = findRootCause({ checks: found, hosts, conclusions })
  const follows = blamesOther(rootCause, found)
  return {
    status,
    checks: found.map((check) => agreeOn(rootCause, check)),
    hosts: probeMatrix({ endpoints, checks: found, isTokenCached: token.cached, isExplained: follows }),
    rootCause,
  }
}

/** Whether a failed check is about one node although the root cause, which it follows from, blames another: a clock spoils every token. */
function blamesOther(rootCause: RootCause, checks: readonly FoundCheck[]): (check: FoundCheck) => boolean {
  const isRoot = ({ status, code }: FoundCheck) => status === 'fail' && isSameFault(code, rootCause.code)
  const nodes = new Set(checks.filter(isRoot).map(nodeOf))
  return (check) =>
    check.status === 'fail' && rootCause.checks.includes(check.id) && nodes.size > 0 && !nodes.has(nodeOf(check))
}

function statusOf(token: TokenResult['status'], checks: readonly FoundCheck[], hasWarnings: boolean): ReportStatus {
  if (token === 'failed' || checks.some(({ status }) => status === 'fail')) return 'failed'
  if (token === 'pending') return 'pending'
  return hasWarnings || checks.some(({ status }) => status === 'warn') ? 'warning' : 'ok'
}

/** A check with the fix that respects all results of the run, not only its own. */
function withBestFix(check: FoundCheck, run: JudgedRun): FoundCheck {
  const { code, fix } = check
  if (code === undefined || fix === undefined) return check
  // A token request fails on its way to the login authority.
  const id = endpointOf(check) === 'token' ? 'authority' : endpointOf(check)
  const endpoint = run.endpoints.find((each) => each.id === id)
  const workedUntil = run.workedUntil.get(id)
  const evidence = {
    ...check.evidence,
    ...(isDirect(code) ? exemptionEvidence(endpoint?.url, run.env) : {}),
    ...(code.endsWith('_PROXY_FAILED') ? proxyEvidence(endpoint?.url, run.env) : {}),
  }
  const known = {
    ...run.conclusions,
    ...(endpoint === undefined ? {} : addressEvidence(endpoint, evidence)),
    ...(workedUntil === undefined ? {} : { workedUntil }),
    ...evidence,
  }
  const best = run.nameSettings(chooseFix(findingOf(code), known))
  return { ...check, fix: best, ...(Object.keys(evidence).length === 0 ? {} : { evidence }) }
}

/** The setting that holds the address of an endpoint, and the address to which a redirect of the same path leads. */
function addressEvidence(
  { role, url, addressSetting }: ConfiguredEndpoint,
  { location = '', path }: Evidence,
): Evidence {
  if (role === 'SERVICE') return { addressSetting, accountSetting: addressSetting }
  const target = URL.parse(location)
  const hasMoved = target?.pathname === path && (target?.protocol === 'https:' || url.protocol === 'http:')
  return {
    addressSetting,
    ...(hasMoved && target ? { movedTo: target.origin + url.pathname } : {}),
    ...(url.protocol === 'http:' ? { addressWithTls: url.href.replace(/^http:/, 'https:') } : {}),
  }
}

/** The variable of the proxy that NO_PROXY exempts a host from, which only the proxy may know. */
function exemptionEvidence(url: URL | undefined, env: Env): Evidence {
  if (url === undefined) return {}
  const { exempted, noProxy, exemptingEntry } = proxyFor(url, env)
  if (exempted === undefined || noProxy === undefined || exemptingEntry === undefined) return {}
  return { exempted, exemptionVariable: noProxy, exemptingEntry }
}

/** Faults of a direct connection that a proxy would avoid. */
const isDirect = (code: string) => /_(DNS_FAILED|REFUSED|UNREACHABLE|TIMEOUT)$/.test(code)

/** The variable and the address of the proxy, without user name and password. NO_PROXY matches host names without ports. */
function proxyEvidence(url: URL | undefined, env: Env): Evidence {
  if (url === undefined) return {}
  const { proxy, noProxy, ignoredEntry } = proxyFor(url, env)
  if (proxy === undefined) return {}
  return {
    ...(noProxy === undefined ? {} : { exemptionVariable: noProxy }),
    ...(ignoredEntry === undefined ? {} : { ignoredEntry }),
    variable: proxy.variable,
    host: url.hostname,
    ...(proxy.url === undefined ? {} : { proxy: proxy.url.origin }),
  }
}

/**
 * Gives all failed checks of one cause the same fix: those with the same code, and their consequences. A check of another host keeps a
 * separate fix, which names that host.
 */
function agreeOn(rootCause: RootCause, check: FoundCheck): FoundCheck {
  if (check.status !== 'fail' || !rootCause.checks.includes(check.id)) return check
  if (check.code === rootCause.code) return { ...check, fix: rootCause.fix }
  if (isSameFault(check.code, rootCause.code)) return check
  return { ...check, cause: `This follows from ${rootCause.code}, the root cause of this report.`, fix: rootCause.fix }
}
