import { hostname } from 'node:os'
import type { ErrorCode, Evidence } from '../errors.ts'
import { findingOf } from '../findings/catalog.ts'
import { sharedFaults } from '../findings/fault-table.ts'
import type { RunFacts } from '../findings/finding.ts'
import { printable } from '../base/printable.ts'
import { proxyFor } from '../transport/egress.ts'
import { type FoundCheck, toDiagnosis } from './checks.ts'
import { collectFacts, explainCheck } from './facts.ts'
import { drawRun, nodeOf } from './matrix.ts'
import type { Diagnosis, DiagramNode, MatrixRow, ReportStatus, RootCause, TokenResult } from './report.ts'
import { type FactsSource, type IndexedRun, indexRun } from './run-index.ts'

/**
 * The one judgment of a run: facts in, conclusion out. `run-index.ts` and `facts.ts` collect what the checks observed, this file decides why
 * the run failed, and `matrix.ts` draws the decision.
 */
export interface Conclusion {
  readonly status: ReportStatus
  readonly checks: readonly FoundCheck[]
  readonly hosts: readonly MatrixRow[]
  readonly diagram: readonly DiagramNode[]
  readonly rootCause?: RootCause
}

type Failure = FoundCheck & Diagnosis

/** Codes that are informational: the check failed, but the service still works. */
const information: ReadonlySet<string> = new Set<ErrorCode>(['API_VERSION_UNSUPPORTED'])

export function conclude(
  source: FactsSource,
  token: Pick<TokenResult, 'status' | 'cached'>,
  hasWarnings: boolean,
): Conclusion {
  const { endpoints, env } = source
  const indexed = indexRun(source)
  const run = collectFacts(indexed)
  const explained = source.checks.map((check) => explainCheck(check, indexed, run))
  const status = statusOf(token.status, explained, hasWarnings)
  const root = status === 'failed' ? findRoot(explained, indexed, run) : undefined
  const checks = root === undefined ? explained : explained.map((check) => agreeOn(root, check))
  const drawn = drawRun({
    endpoints,
    checks,
    hostName: hostname(),
    usesProxy: endpoints.some(({ url }) => proxyFor(url, env).proxy !== undefined),
    isTokenCached: token.cached,
    isPending: token.status === 'pending',
    ...(root === undefined ? {} : { isExplained: blamesOther(root, explained) }),
  })
  return { status, checks, ...drawn, ...(root === undefined ? {} : { rootCause: root.rootCause }) }
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

/** The root cause, and the fault that it has at several hosts. */
interface Root {
  readonly rootCause: RootCause
  readonly fault?: FoundCheck['fault']
  /** The ids of the checks that it explains. */
  readonly explains: ReadonlySet<string>
}

/**
 * The root cause of a failed report: why there is no token, else the first failed check, in the words and with the values of the check
 * with the most evidence. A cause that shows at several hosts is reported once.
 */
function findRoot(checks: readonly FoundCheck[], indexed: IndexedRun, run: RunFacts): Root {
  const failed = checks.flatMap((check) => (check.status === 'fail' ? [{ ...unexplained, ...check }] : []))
  const symptom =
    failed.find(({ id, code }) => id === 'token.acquired' && !vague.has(code)) ??
    failed.find(({ code }) => !vague.has(code)) ??
    failed[0]
  if (symptom === undefined) return { rootCause: { ...unexplained, checks: [] }, explains: new Set() }
  const names = unresolvedNames(checks, indexed)
  if (names.length > 1) return rootOfNames(names, failed, run)
  const root = failed.find((each) => each.code !== symptom.code && causes(each, symptom)) ?? symptom
  const same = failed.filter((check) => isSameCause(check, root))
  // The check with the most evidence describes it; the token attempt only knows that a request failed.
  const [best = root] = same.filter(({ code }) => code === root.code).toSorted((a, b) => weight(b) - weight(a))
  const explained = failed.filter(
    (check) =>
      same.includes(check) ||
      causes(root, check) ||
      vague.has(check.code) ||
      // An authority of another cloud fails in many ways; the services of the cloud say which one is right.
      (check.code === 'CHALLENGE_AUTHORITY_MISMATCH' && run.authorityToSet !== undefined),
  )
  const hosts = [...new Set(same.flatMap((check) => hostOf(check, indexed) ?? []))]
  const { code, message, cause, fix, change, fault } = best
  const elsewhere = hosts
    .slice(hosts.length > 1 ? 0 : 1)
    .filter((name) => !message.includes(name.replace(/:\d+$/, '')) && !message.includes(name))
  const told = elsewhere.length > 0 ? `${message} (the same at ${elsewhere.join(', ')})` : message
  const diagnosis = { code, message: told, cause, fix, ...(change === undefined ? {} : { change }) }
  return rootOf(diagnosis, explained, hosts, { ...signInEvidence(best, run), ...best.evidence }, fault)
}

function rootOf(
  diagnosis: Diagnosis,
  explained: readonly FoundCheck[],
  hosts: readonly string[],
  evidence: Evidence,
  fault: FoundCheck['fault'],
): Root {
  const checks = explained.map(({ id }) => id)
  const shown = Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, printable(value)]))
  const rootCause = {
    ...diagnosis,
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence: shown }),
    checks,
  }
  return { rootCause, explains: new Set(checks), ...(fault === undefined ? {} : { fault }) }
}

/** The names of the cloud, if all lookups failed. An address, a proxy or a name that resolves shows that the network is not at fault. */
function unresolvedNames(checks: readonly FoundCheck[], { places }: IndexedRun): readonly string[] {
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  if (lookups.some(({ fault }) => fault !== 'DNS_FAILED')) return []
  return [...new Set(lookups.flatMap(({ endpoint = '' }) => places.get(endpoint)?.endpoint.url.hostname ?? []))]
}

/** Names that all fail are one fault of the network. */
function rootOfNames(names: readonly string[], failed: readonly Failure[], run: RunFacts): Root {
  const code = run.isPublic === true ? 'PUBLIC_NAMES_UNRESOLVED' : 'PRIVATE_NAMES_UNRESOLVED'
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  const own = failed.filter((check) => check.fault === 'DNS_FAILED' || vague.has(check.code))
  const { evidence = {} } = own.find(({ fault }) => fault === 'DNS_FAILED') ?? {}
  return rootOf(
    toDiagnosis({ code, message: `The DNS server has no address for ${some}`, evidence }, run),
    own,
    names,
    evidence,
    undefined,
  )
}

function weight({ id, evidence = {} }: Failure): number {
  return Object.keys(evidence).length + (id === 'token.acquired' ? 0 : 0.5)
}

function isSameCause(check: Failure, root: Failure): boolean {
  if (check.evidence?.sameAt !== undefined && root.evidence?.sameAt !== undefined) return true
  if (check.code !== root.code && !isSameFault(check, root.fault)) return false
  return identifying.every((name) => {
    const [one, other] = [check.evidence?.[name], root.evidence?.[name]]
    return one === undefined || other === undefined || one === other
  })
}

const isSameFault = ({ fault }: FoundCheck, other: FoundCheck['fault']): boolean =>
  fault !== undefined && fault === other && sharedFaults.has(fault)

function hostOf(check: Failure, { places, endpoints }: IndexedRun): string | undefined {
  if (findingOf(check.code).isLocal === true && nodeOf(check) === 'workload') return undefined
  const named = check.evidence?.host
  const own = places.get(check.endpoint ?? '')?.endpoint.url.host
  return own ?? endpoints.find(({ url }) => url.host === named || url.hostname === named)?.url.host ?? named
}

/** The operator of the login authority finds a refused sign-in by its tenant and application. */
function signInEvidence({ evidence }: Failure, { tenantId, clientId }: RunFacts): Evidence {
  if (evidence?.error === undefined) return {}
  return { ...(tenantId === undefined ? {} : { tenantId }), ...(clientId === undefined ? {} : { clientId }) }
}

/** Whether a failed check is about one node although its root cause blames another: a wrong clock spoils every token. */
function blamesOther(
  { rootCause, fault, explains }: Root,
  checks: readonly FoundCheck[],
): (check: FoundCheck) => boolean {
  const failed = checks.filter(({ status }) => status === 'fail')
  const roots = failed.filter(({ id, code }) => explains.has(id) && code === rootCause.code)
  const nodes = new Set(failed.filter((check) => roots.includes(check) || isSameFault(check, fault)).map(nodeOf))
  if (roots.length === 0) return () => false
  return (check) => check.status === 'fail' && explains.has(check.id) && !nodes.has(nodeOf(check))
}

/**
 * Gives all failed checks of one cause the same fix: those with the same code, and their consequences. A check of another host keeps a
 * separate fix, which names that host.
 */
function agreeOn({ rootCause, fault, explains }: Root, check: FoundCheck): FoundCheck {
  if (check.status !== 'fail' || !explains.has(check.id)) return check
  const { change: _change, ...rest } = check
  const fix = { fix: rootCause.fix, ...(rootCause.change === undefined ? {} : { change: rootCause.change }) }
  if (check.code === rootCause.code) return { ...rest, ...fix }
  if (isSameFault(check, fault) || check.evidence?.sameAt !== undefined) return check
  return { ...rest, cause: `This follows from ${rootCause.code}, the root cause of this report.`, ...fix }
}
