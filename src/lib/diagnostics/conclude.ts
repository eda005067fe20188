import { hostname } from 'node:os'
import type { ErrorCode } from '../errors.ts'
import { findingOf } from '../findings/catalog.ts'
import { sharedFaults } from '../findings/fault-table.ts'
import type { RunFacts } from '../findings/finding.ts'
import { printable } from '../base/printable.ts'
import { proxyFor } from '../transport/egress.ts'
import { type FoundCheck, toDiagnosis } from './checks.ts'
import { evidenceOf } from './evidence-of-run.ts'
import { collectFacts, endpointFacts, type FactsSource, type IndexedRun, indexRun } from './facts.ts'
import { drawRun, type DrawnRun, nodeOf } from './matrix.ts'
import type { Diagnosis, ReportStatus, RootCause, TokenResult } from './report.ts'

/**
 * This file owns "why": facts in, conclusion out. `facts.ts` collects what a run observed, `evidence-of-run.ts` adds it to a failure, this
 * file decides which failure is the root cause, and `matrix.ts` draws the decision.
 */
export interface Conclusion extends DrawnRun {
  readonly status: ReportStatus
  readonly checks: readonly ExplainedCheck[]
  readonly rootCause?: RootCause
}

/** A check with the cause and the fix of its code, if it has one. */
export type ExplainedCheck = FoundCheck & Partial<Pick<Diagnosis, 'cause' | 'fix' | 'change'>>

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
  const failed = explained.filter((each): each is Failure => each.status === 'fail')
  const root = status === 'failed' ? findRoot(failed, indexed, run) : undefined
  const checks = root === undefined ? explained : explained.map((check) => agreeOn(root, check))
  const usesProxy = endpoints.some(({ url }) => proxyFor(url, env).proxy !== undefined)
  const isConsequence = root === undefined ? undefined : consequenceOf(root, failed)
  const drawn = drawRun({ endpoints, checks, hostName: hostname(), usesProxy, token, isConsequence })
  return { status, checks, ...drawn, ...(root === undefined ? {} : { rootCause: root.rootCause }) }
}

/** A check with the evidence that other checks and the settings add to it, and the fix that respects all facts of the run. */
function explainCheck(check: FoundCheck, indexed: IndexedRun, run: RunFacts): ExplainedCheck {
  const { code, status, message } = check
  if (code === undefined) return status === 'fail' ? { ...unexplained, ...check } : check
  const place = indexed.places.get(check.endpoint ?? '')
  const facts = place === undefined ? run : { ...run, endpoint: endpointFacts(check, place, indexed, run) }
  const hasFailed = status === 'fail' || status === 'warn'
  const evidence = hasFailed ? evidenceOf(check, place, indexed, facts) : (check.evidence ?? {})
  // The tenant exists, in another cloud.
  const isElsewhere = code === 'TENANT_UNKNOWN' && evidence.tenantCloud !== undefined
  const diagnosis = toDiagnosis({ code: isElsewhere ? 'TENANT_OF_ANOTHER_CLOUD' : code, message, evidence }, facts)
  return { ...check, ...diagnosis, ...(Object.keys(evidence).length === 0 ? {} : { evidence }) }
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
  if (root.fault === 'DNS_UNAVAILABLE' || root.fault === 'PROXY_FAILED')
    return other.fault === 'TIMEOUT' && other.endpoint === root.endpoint
  return consequences[root.code]?.includes(other.code) === true
}

/** Evidence that identifies one cause at several hosts: two hosts with certificates of one CA have one cause. */
const identifying = ['issuer', 'selfSigned', 'proxy'] as const

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

/** The root cause, the network fault that it has at several hosts, and the ids of the checks that it explains. */
interface Root {
  readonly rootCause: RootCause
  readonly fault: FoundCheck['fault']
  readonly explains: ReadonlySet<string>
}

/**
 * The root cause of a failed report: why there is no token, else the first failed check, in the words and with the values of the check
 * with the most evidence. A cause that shows at several hosts is reported once.
 */
function findRoot(failed: readonly Failure[], indexed: IndexedRun, run: RunFacts): Root {
  const isTelling = ({ code }: Failure) => !vague.has(code)
  const symptom =
    failed.find((each) => each.id === 'token.acquired' && isTelling(each)) ?? failed.find(isTelling) ?? failed[0]
  if (symptom === undefined) return rootOf(unexplained, [])
  const names = unresolvedNames(indexed)
  if (names.length > 1) return rootOfNames(names, failed, run)
  const root = failed.find((each) => each.code !== symptom.code && causes(each, symptom)) ?? symptom
  const same = failed.filter((check) => isSameCause(check, root))
  // The check with the most evidence describes it; the token attempt only knows that a request failed.
  const weight = ({ id, evidence = {} }: Failure) => Object.keys(evidence).length + (id === 'token.acquired' ? 0 : 0.5)
  const [best = root] = same.filter(({ code }) => code === root.code).toSorted((a, b) => weight(b) - weight(a))
  // An authority of another cloud fails in many ways; the services of the cloud say which one is right.
  const isOfAuthority = ({ code }: Failure) =>
    code === 'CHALLENGE_AUTHORITY_MISMATCH' && run.authorityToSet !== undefined
  const explained = failed.filter(
    (check) => same.includes(check) || causes(root, check) || !isTelling(check) || isOfAuthority(check),
  )
  const hosts = [...new Set(same.flatMap((check) => hostOf(check, indexed) ?? []))]
  const elsewhere = hosts
    .slice(hosts.length > 1 ? 0 : 1)
    .filter((host) => !best.message.includes(host.replace(/:\d+$/, '')))
  const message = elsewhere.length > 0 ? `${best.message} (the same at ${elsewhere.join(', ')})` : best.message
  // The operator of the login authority finds a refused sign-in by its tenant and application.
  const { tenantId, clientId } = best.evidence?.error === undefined ? {} : run
  const signIn = { ...(tenantId === undefined ? {} : { tenantId }), ...(clientId === undefined ? {} : { clientId }) }
  return rootOf({ ...best, message, evidence: { ...signIn, ...best.evidence } }, explained, hosts)
}

function rootOf(
  { code, message, cause, fix, change, evidence = {}, fault }: Diagnosis & Pick<FoundCheck, 'evidence' | 'fault'>,
  explained: readonly Failure[],
  hosts: readonly string[] = [],
): Root {
  const checks = explained.map(({ id }) => id)
  const shown = Object.entries(evidence).map(([name, value]) => [name, printable(value)])
  const rootCause = {
    code,
    message,
    cause,
    fix,
    ...(change === undefined ? {} : { change }),
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(shown.length === 0 ? {} : { evidence: Object.fromEntries(shown) as Readonly<Record<string, string>> }),
    checks,
  }
  return { rootCause, fault, explains: new Set(checks) }
}

/** The names of the cloud, if all lookups failed. An address, a proxy or a name that resolves shows that the network is not at fault. */
function unresolvedNames({ checks, places }: IndexedRun): readonly string[] {
  const lookups = checks.filter(({ layer, endpoint }) => layer === 'dns' && endpoint !== 'identity-endpoint')
  if (lookups.some(({ fault }) => fault !== 'DNS_FAILED')) return []
  return [...new Set(lookups.flatMap(({ endpoint = '' }) => places.get(endpoint)?.endpoint.url.hostname ?? []))]
}

/** Names that all fail are one fault of the network. */
function rootOfNames(names: readonly string[], failed: readonly Failure[], run: RunFacts): Root {
  const code = run.isPublic === true ? 'PUBLIC_NAMES_UNRESOLVED' : 'PRIVATE_NAMES_UNRESOLVED'
  const some = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  const { evidence = {} } = failed.find(({ fault }) => fault === 'DNS_FAILED') ?? {}
  const diagnosis = toDiagnosis({ code, message: `The DNS server has no address for ${some}`, evidence }, run)
  const explained = failed.filter((check) => check.fault === 'DNS_FAILED' || vague.has(check.code))
  return rootOf({ ...diagnosis, evidence }, explained, names)
}

function hostOf(check: Failure, { places, endpoints }: IndexedRun): string | undefined {
  if (findingOf(check.code).isLocal === true && nodeOf(check) === 'workload') return undefined
  const named = check.evidence?.host
  const own = places.get(check.endpoint ?? '')?.endpoint.url.host
  return own ?? endpoints.find(({ url }) => url.host === named || url.hostname === named)?.url.host ?? named
}

/** Whether a failed check is about one node although its root cause blames another: a wrong clock spoils every token. */
function consequenceOf(
  { rootCause, fault, explains }: Root,
  failed: readonly Failure[],
): (check: FoundCheck) => boolean {
  const isRoot = ({ id, code }: Failure) => explains.has(id) && code === rootCause.code
  if (!failed.some(isRoot)) return () => false
  const nodes = new Set(failed.filter((check) => isRoot(check) || isSameFault(check, fault)).map(nodeOf))
  return (check) => check.status === 'fail' && explains.has(check.id) && !nodes.has(nodeOf(check))
}

/**
 * Gives all failed checks of one cause the same fix: those with the same code, and their consequences. A check of another host keeps a
 * separate fix, which names that host.
 */
function agreeOn({ rootCause, fault, explains }: Root, check: ExplainedCheck): ExplainedCheck {
  if (check.status !== 'fail' || !explains.has(check.id)) return check
  const { change: _change, ...rest } = check
  const { code, fix, change } = rootCause
  const agreed = { ...rest, fix, ...(change === undefined ? {} : { change }) }
  if (check.code === code) return agreed
  if (isSameFault(check, fault) || check.evidence?.sameAt !== undefined) return check
  return { ...agreed, cause: `This follows from ${code}, the root cause of this report.` }
}
