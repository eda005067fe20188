import type { ErrorCode, Evidence } from '../errors.ts'
import { findingOf } from '../findings/catalog.ts'
import type { RunFacts } from '../findings/finding.ts'
import { printable } from '../base/printable.ts'
import { type FoundCheck, toDiagnosis } from './checks.ts'
import type { FactsSource } from './evidence-of-run.ts'
import { collectFacts } from './facts.ts'
import { nodeOf, probeMatrix } from './matrix.ts'
import type { Diagnosis, MatrixRow, ReportStatus, RootCause, TokenResult } from './report.ts'

/** What a run means. Status, fixes, root cause and probe matrix derive from its facts, and the connection diagram from these. */
export interface Conclusion {
  readonly status: ReportStatus
  readonly checks: readonly FoundCheck[]
  readonly hosts: readonly MatrixRow[]
  readonly rootCause?: RootCause
}

type Failure = FoundCheck & Diagnosis

/** Codes that are no error where work is possible with them: they inform. */
const information: ReadonlySet<string> = new Set<ErrorCode>(['API_VERSION_UNSUPPORTED'])

export function conclude(
  source: FactsSource,
  token: Pick<TokenResult, 'status' | 'cached'>,
  hasWarnings: boolean,
): Conclusion {
  const { endpoints } = source
  const { run, explain } = collectFacts(source)
  const checks = source.checks.map(explain)
  const status = statusOf(token.status, checks, hasWarnings)
  const isTokenCached = token.cached
  if (status !== 'failed') return { status, checks, hosts: probeMatrix({ endpoints, checks, isTokenCached }) }
  const rootCause = findRootCause(checks, endpoints, run)
  const isExplained = blamesOther(rootCause, checks)
  return {
    status,
    checks: checks.map((check) => agreeOn(rootCause, check)),
    hosts: probeMatrix({ endpoints, checks, isTokenCached, isExplained }),
    rootCause,
  }
}

function statusOf(token: TokenResult['status'], checks: readonly FoundCheck[], hasWarnings: boolean): ReportStatus {
  if (token === 'failed' || checks.some(({ status }) => status === 'fail')) return 'failed'
  if (token === 'pending') return 'pending'
  const warned = checks.some(({ status, code = '' }) => status === 'warn' && !information.has(code))
  return hasWarnings || warned ? 'warning' : 'ok'
}

/** A failure without a diagnosis is a fault in this service. */
const unexplained = toDiagnosis({
  code: 'UNEXPECTED',
  message: 'The diagnostics run failed without a diagnosis',
  evidence: {},
})

/** Codes of failures without a known reason: any other failed check explains more. */
const vague: ReadonlySet<string> = new Set<ErrorCode>(['UNEXPECTED', 'TOKEN_TIMEOUT'])

/** Causes that show as other failures: with the first failed, the others are its consequences. */
const consequences: Readonly<Partial<Record<ErrorCode, readonly ErrorCode[]>>> = {
  CLOCK_SKEW: ['TOKEN_EXPIRED', 'TOKEN_NOT_YET_VALID', 'CLIENT_ASSERTION_REJECTED', 'RESOURCE_MANAGER_REJECTED_TOKEN'],
  CHALLENGE_AUTHORITY_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  CHALLENGE_AUDIENCE_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN', 'RESOURCE_UNKNOWN', 'SCOPE_INVALID'],
  TOKEN_AUDIENCE_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_TENANT_MISMATCH: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_EXPIRED: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
  TOKEN_NOT_YET_VALID: ['RESOURCE_MANAGER_REJECTED_TOKEN'],
}

/** Whether one failure shows as another: by its code, as a late response of the same host, or because this process can do nothing at all. */
function causes(root: Failure, other: Failure): boolean {
  if (root.code === 'PROCESS_RESOURCES_EXHAUSTED') return true
  if (root.fault === 'DNS_UNAVAILABLE' || root.fault === 'PROXY_FAILED') {
    return other.fault === 'TIMEOUT' && other.endpoint === root.endpoint
  }
  return consequences[root.code]?.includes(other.code) === true
}

/** Evidence that identifies one cause at several hosts: two hosts with certificates of one CA have one cause. */
const identifying = ['issuer', 'selfSigned', 'proxy'] as const

/** Faults that one cause has at several hosts. Of the others each host has its own. */
const shared = /^(DNS_|REFUSED|UNREACHABLE|TIMEOUT|UNTRUSTED|CERTIFICATE_|PROXY_|TLS_)/

/**
 * The root cause of a failed report: why there is no token, else the first failed check, in the words and with the values of the check
 * with the most evidence. A cause that shows at several hosts is reported once.
 */
function findRootCause(checks: readonly FoundCheck[], endpoints: FactsSource['endpoints'], run: RunFacts): RootCause {
  const failed = checks.flatMap((check) => (check.status === 'fail' ? [{ ...unexplained, ...check }] : []))
  const unresolved = namesUnresolved(failed, checks, endpoints, run)
  if (unresolved !== undefined) return unresolved
  const symptom =
    failed.find(({ id, code }) => id === 'token.acquired' && !vague.has(code)) ??
    failed.find(({ code }) => !vague.has(code)) ??
    failed[0]
  if (symptom === undefined) return { ...unexplained, checks: [] }
  const root = failed.find((each) => each.code !== symptom.code && causes(each, symptom)) ?? symptom
  const same = failed.filter((check) => isSameCause(check, root))
  // The check with the most evidence describes it; the token attempt only knows that a request failed.
  const [best = root] = same.filter(({ code }) => code === root.code).toSorted((a, b) => weight(b) - weight(a))
  const explained = failed.filter(
    (check) =>
      same.includes(check) ||
      causes(root, check) ||
      vague.has(check.code) ||
      // An authority that is not that of the cloud fails in many ways; the services of the cloud say which one it is.
      (check.code === 'CHALLENGE_AUTHORITY_MISMATCH' && run.authorityToSet !== undefined),
  )
  const evidence = { ...signInEvidence(best, run), ...best.evidence }
  const names = [...new Set(same.flatMap((check) => hostOf(check, endpoints) ?? []))]
  const { code, message, cause, fix, change } = best
  const elsewhere = names
    .slice(names.length > 1 ? 0 : 1)
    .filter((name) => !message.includes(name.replace(/:\d+$/, '')) && !message.includes(name))
  return {
    code,
    message: elsewhere.length > 0 ? `${message} (the same at ${elsewhere.join(', ')})` : message,
    cause,
    fix,
    ...(change === undefined ? {} : { change }),
    ...(names.length === 0 ? {} : { hosts: names }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence: shown(evidence) }),
    checks: explained.map(({ id }) => id),
  }
}

/** Names that all fail are one fault of the network. An address, a proxy or a name that resolves shows that the network is not at fault. */
function namesUnresolved(
  failed: readonly Failure[],
  checks: readonly FoundCheck[],
  endpoints: FactsSource['endpoints'],
  run: RunFacts,
): RootCause | undefined {
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  const hosts = [
    ...new Set(lookups.flatMap(({ endpoint }) => endpoints.find(({ id }) => id === endpoint)?.url.hostname ?? [])),
  ]
  if (hosts.length < 2 || lookups.some(({ fault }) => fault !== 'DNS_FAILED')) return undefined
  const code = run.isPublic === true ? 'PUBLIC_NAMES_UNRESOLVED' : 'PRIVATE_NAMES_UNRESOLVED'
  const shownHosts = `${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ` and ${hosts.length - 3} more` : ''}`
  const message = `${findingOf(code).title}: ${shownHosts}`
  const evidence = failed.find(({ fault }) => fault === 'DNS_FAILED')?.evidence ?? {}
  const own = failed.filter(({ code, fault }) => fault === 'DNS_FAILED' || vague.has(code))
  return {
    ...toDiagnosis({ code, message, evidence }, run),
    hosts,
    evidence: shown(evidence),
    checks: own.map(({ id }) => id),
  }
}

function weight({ id, evidence = {} }: Failure): number {
  return Object.keys(evidence).length + (id === 'token.acquired' ? 0 : 0.5)
}

function isSameCause(check: Failure, root: Failure): boolean {
  if (check.evidence?.sameAt !== undefined && root.evidence?.sameAt !== undefined) return true
  if (!isSameFault(check, root)) return false
  return identifying.every((name) => {
    const [one, other] = [check.evidence?.[name], root.evidence?.[name]]
    return one === undefined || other === undefined || one === other
  })
}

/** Whether two failures say the same of two hosts. */
function isSameFault(one: FoundCheck, other: FoundCheck): boolean {
  if (one.code === other.code) return true
  return one.fault !== undefined && one.fault === other.fault && shared.test(one.fault)
}

function hostOf(check: Failure, endpoints: FactsSource['endpoints']): string | undefined {
  if (findingOf(check.code).isLocal === true && nodeOf(check) === 'workload') return undefined
  const named = check.evidence?.host
  const own = endpoints.find(({ id }) => id === check.endpoint)?.url.host
  return own ?? endpoints.find(({ url }) => url.host === named || url.host.startsWith(`${named}:`))?.url.host ?? named
}

/** The operator of the login authority finds a refused sign-in by its tenant and application. */
function signInEvidence({ evidence }: Failure, { tenantId, clientId }: RunFacts): Evidence {
  if (evidence?.error === undefined) return {}
  return { ...(tenantId === undefined ? {} : { tenantId }), ...(clientId === undefined ? {} : { clientId }) }
}

function shown(evidence: Evidence): Record<string, string> {
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, printable(value)]))
}

/** Whether a failed check is about one node although the root cause, which it follows from, blames another: a clock spoils every token. */
function blamesOther(rootCause: RootCause, checks: readonly FoundCheck[]): (check: FoundCheck) => boolean {
  const isRoot = (check: FoundCheck) =>
    check.status === 'fail' && rootCause.checks.includes(check.id) && check.code === rootCause.code
  const roots = checks.filter(isRoot)
  const nodes = new Set(
    checks.filter((check) => check.status === 'fail' && roots.some((root) => isSameFault(check, root))).map(nodeOf),
  )
  return (check) =>
    check.status === 'fail' && rootCause.checks.includes(check.id) && nodes.size > 0 && !nodes.has(nodeOf(check))
}

/**
 * Gives all failed checks of one cause the same fix: those with the same code, and their consequences. A check of another host keeps a
 * separate fix, which names that host.
 */
function agreeOn(rootCause: RootCause, check: FoundCheck): FoundCheck {
  if (check.status !== 'fail' || !rootCause.checks.includes(check.id)) return check
  const { change: _change, ...rest } = check
  const fix = { fix: rootCause.fix, ...(rootCause.change === undefined ? {} : { change: rootCause.change }) }
  if (check.code === rootCause.code) return { ...rest, ...fix }
  const isSame =
    check.fault !== undefined &&
    shared.test(check.fault) &&
    check.code?.endsWith(check.fault) === true &&
    rootCause.code.endsWith(check.fault)
  if (isSame || check.evidence?.sameAt !== undefined) return check
  return { ...rest, cause: `This follows from ${rootCause.code}, the root cause of this report.`, ...fix }
}
