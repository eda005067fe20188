import { hostname } from 'node:os'
import { withoutUndefined } from '../base/json.ts'
import { printable } from '../base/printable.ts'
import type { Evidence } from '../errors.ts'
import { findingOf } from '../findings/catalog.ts'
import { type Layer, layers } from '../findings/finding.ts'
import { faults, sharedFaults } from '../findings/network-faults.ts'
import { proxyFor } from '../transport/egress.ts'
import { toDiagnosis } from './checks.ts'
import { endpointTable } from './endpoint-table.ts'
import { type CollectedFacts, endpointFacts, evidenceOf } from './facts.ts'
import type { Diagnosis, DiagramNode, MatrixRow, RootCause, TokenResult } from './report.ts'
import type { Check, Endpoint, JudgedCheck, Verdict } from './run.ts'

type Failure = JudgedCheck & Diagnosis
type DrawnToken = Pick<TokenResult, 'status' | 'cached'>

/** What a run means: which failure is the root cause, which failures follow from it, and how far requests to each endpoint get. */
export function conclude(run: CollectedFacts, token: DrawnToken, hasWarnings: boolean): Verdict {
  const explained = run.checks.map((check) => explainCheck(check, run))
  const failed = explained.filter((check): check is Failure => check.status === 'fail')
  const root = findRoot(failed, run)
  const checks = root === undefined ? explained : decideAll(explained, failed, root)
  const hosts = drawMatrix(run.endpoints, checks, token)
  const drawn = { checks, hosts, diagram: drawDiagram(hosts, checks, token, run) }
  if (root !== undefined) return { status: 'failed', ...drawn, rootCause: root }
  const needsAttention = hasWarnings || explained.some((check) => check.status === 'warn')
  return { status: token.status === 'pending' ? 'pending' : needsAttention ? 'warning' : 'ok', ...drawn }
}

/** Adds evidence from the rest of the run to a check, a fix that respects all facts of the run, and the node that it belongs to. */
function explainCheck(check: Check, run: CollectedFacts): JudgedCheck {
  const { code, status, message, endpoint: node = 'workload', fault, layer } = check
  if (code === undefined) return { ...check, node }
  const own = run.hosts.get(node)
  const isTrouble = status === 'fail' || status === 'warn'
  const evidence = isTrouble ? evidenceOf(check, own, run) : (check.evidence ?? {})
  // The tenant is known, but in another cloud.
  const isElsewhere = code === 'TENANT_UNKNOWN' && evidence.tenantCloud !== undefined
  const failure = { code: isElsewhere ? 'TENANT_OF_ANOTHER_CLOUD' : code, message, evidence } as const
  const facts = { ...run.facts, endpoint: own && endpointFacts(own, check, run) }
  const explained = { ...check, node, evidence, ...toDiagnosis(failure, facts) }
  if (!isTrouble) return explained
  // If the other hosts agree with the local clock, the clock of the authority is wrong.
  const isOfAuthority = code === 'CLOCK_SKEW' && run.facts.clock === 'authority differs'
  if (findingOf(explained.code).isLocal === true && !isOfAuthority) return { ...explained, node: 'workload' }
  return fault === 'PROXY_FAILED' || layer === 'proxy' ? { ...explained, node: 'proxy' } : explained
}

/** Whether one failure causes another: by its code, as a timeout of the same endpoint, or because this process has no resources left. */
function causes(root: Failure, other: Failure): boolean {
  if (root.code === 'PROCESS_RESOURCES_EXHAUSTED') return true
  if (root.fault === 'DNS_UNAVAILABLE' || root.fault === 'PROXY_FAILED')
    return other.fault === 'TIMEOUT' && other.endpoint === root.endpoint
  return findingOf(root.code).causes?.includes(other.code) === true
}

/** Whether both have the same network fault, and one cause can produce it at several hosts. */
const isSameFault = ({ fault }: Check, other: Check) =>
  fault !== undefined && fault === other.fault && sharedFaults.has(fault)

/** Whether two failures have one cause, such as one CA, one proxy, or one portal that responds instead of both hosts. */
function isSameCause(check: Failure, root: Failure): boolean {
  const [one, other] = [check.evidence ?? {}, root.evidence ?? {}]
  if (one.sameAt !== undefined && other.sameAt !== undefined) return true
  const agrees = (name: keyof Evidence) => [undefined, one[name]].includes(other[name]) || one[name] === undefined
  const isSame = check.code === root.code || isSameFault(check, root)
  return isSame && (['issuer', 'selfSigned', 'proxy'] as const).every(agrees)
}

/** Whether the reason is unknown, so that any other failed check explains more. */
const isVague = ({ code }: Failure) => code === 'UNEXPECTED' || code === 'TOKEN_TIMEOUT'

/** The reason for the missing token, else the first failed check. The check with the most evidence describes it, for all its hosts. */
function findRoot(failed: readonly Failure[], run: CollectedFacts): RootCause | undefined {
  const telling = failed.filter((each) => !isVague(each))
  const symptom = telling.find((each) => each.of === 'attempt') ?? telling[0] ?? failed[0]
  if (symptom === undefined) return undefined
  if (run.unresolved.length > 1) return unresolvedRoot(failed, run)
  const root = failed.find((each) => each.code !== symptom.code && causes(each, symptom)) ?? symptom
  const same = failed.filter((check) => isSameCause(check, root))
  // The token attempt has less evidence than the probe of the same fault.
  const weight = (each: Failure) => Object.keys(each.evidence ?? {}).length + (each.of === 'attempt' ? 0 : 0.5)
  const [best = root] = same.filter(({ code }) => code === root.code).toSorted((a, b) => weight(b) - weight(a))
  const isLocal = ({ code, node }: Failure) => node === 'workload' && findingOf(code).isLocal === true
  const hostOf = ({ endpoint = '', evidence }: Failure) => run.hosts.get(endpoint)?.url.host ?? evidence?.host ?? []
  const hosts = [...new Set(same.flatMap((check) => (isLocal(check) ? [] : hostOf(check))))]
  const elsewhere = hosts.filter((host) => !best.message.includes(host.replace(/:\d+$/, '')))
  const others = hosts.length > 1 && elsewhere.length > 0 ? ` (the same at ${elsewhere.join(', ')})` : ''
  // The operator of the login authority needs tenant and application to find a refused sign-in.
  const { tenantId, clientId, authorityToSet } = run.facts
  const signIn = best.evidence?.error === undefined ? {} : { tenantId, clientId }
  // A wrong login authority fails in many ways. The challenges of the services name the right one.
  const isOfAuthority = ({ code }: Failure) => code === 'CHALLENGE_AUTHORITY_MISMATCH' && authorityToSet !== undefined
  const follows = (each: Failure) => same.includes(each) || causes(root, each) || isVague(each) || isOfAuthority(each)
  const evidence = withoutUndefined({ ...signIn, ...best.evidence })
  return rootCauseOf({ ...best, message: best.message + others, evidence }, hosts, failed.filter(follows))
}

/** If no name resolves, the network is the one cause. */
function unresolvedRoot(failed: readonly Failure[], { facts, unresolved }: CollectedFacts): RootCause {
  const code = facts.isPublic === true ? 'PUBLIC_NAMES_UNRESOLVED' : 'PRIVATE_NAMES_UNRESOLVED'
  const more = unresolved.length > 3 ? ` and ${unresolved.length - 3} more` : ''
  const message = `${unresolved.slice(0, 3).join(', ')}${more} do not resolve`
  const { evidence = {} } = failed.find(({ fault }) => fault === 'DNS_FAILED') ?? {}
  const explained = failed.filter((each) => each.fault === 'DNS_FAILED' || isVague(each))
  return rootCauseOf({ ...toDiagnosis({ code, message, evidence }, facts), evidence }, unresolved, explained)
}

/** The root cause for the report. Its evidence may be text of other systems. */
function rootCauseOf(
  { code, message, cause, fix, change, evidence = {} }: Diagnosis & Pick<Check, 'evidence'>,
  hosts: readonly string[],
  explained: readonly Check[],
): RootCause {
  const shown = Object.entries(evidence).map(([name, value]) => [name, printable(value)])
  const proof = {
    hosts: hosts.length > 0 ? hosts : undefined,
    evidence: shown.length > 0 ? (Object.fromEntries(shown) as Record<string, string>) : undefined,
    checks: explained.map(({ id }) => id),
  }
  return withoutUndefined({ code, message, cause, fix, change, ...proof })
}

/** Marks consequences at other nodes, such as a token that a wrong clock makes invalid. Only the fixes of other hosts differ: they name them. */
function decideAll(checks: readonly JudgedCheck[], failed: readonly Failure[], root: RootCause): JudgedCheck[] {
  const { code, fix } = root
  const isRoot = (check: Failure) => root.checks.includes(check.id) && check.code === code
  const found = failed.find(isRoot)
  const isSame = (check: Check) => found !== undefined && isSameFault(check, found)
  const blamed = new Set(failed.filter((each) => isRoot(each) || isSame(each)).map(({ node }) => node))
  return checks.map((check) => {
    if (check.status !== 'fail' || !root.checks.includes(check.id)) return check
    const isConsequence = found !== undefined && !blamed.has(check.node)
    const isOther = check.code !== code
    if (isOther && (isSame(check) || check.evidence?.sameAt !== undefined)) return { ...check, isConsequence }
    const { change: _change, ...rest } = check
    const cause = isOther ? `This follows from ${code}, the root cause of this report.` : check.cause
    return withoutUndefined({ ...rest, isConsequence, cause, fix, change: root.change })
  })
}

/** The layers of a connection, below the response. */
const connectionLayers: ReadonlySet<string> = new Set<Layer>(['proxy', 'dns', 'tcp', 'tls'])
/** The worst status first. A consequence ranks between a warning and a success. */
const statuses = ['fail', 'warn', 'pass', 'skip'] as const
type Ranked = Pick<Check, 'status'> & { readonly isConsequence?: boolean }
const rankOf = ({ status, isConsequence }: Ranked) => (isConsequence === true ? 1.5 : statuses.indexOf(status))
const worstOf = <T extends Ranked>(found: readonly T[]) => found.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0)

/** One row per endpoint, with the worst check of each layer. Endpoints on one host share the layers of the connection. */
function drawMatrix(endpoints: readonly Endpoint[], checks: readonly JudgedCheck[], token: DrawnToken): MatrixRow[] {
  const rows: MatrixRow[] = []
  for (const { id, name, role, url } of endpoints) {
    // A check that blames this machine has no row. A check that blames the proxy is in the row of the endpoint behind the proxy.
    const own = checks.filter(({ endpoint, node }) => endpoint === id && node !== 'workload')
    if (own.length === 0) continue
    const sameHost = rows.find(({ host }) => host === url.host)
    const byLayer = Map.groupBy(own, ({ node, layer = 'response' }) => (node === 'proxy' ? node : layer))
    const cells: { -readonly [K in keyof MatrixRow['layers']]: MatrixRow['layers'][K] } = {}
    for (const layer of layers) {
      const check = worstOf(byLayer.get(layer) ?? [])
      const shared = connectionLayers.has(layer) ? sameHost?.layers[layer] : undefined
      const cell = check ? { status: check.isConsequence === true ? 'skip' : check.status, check: check.id } : shared
      if (cell !== undefined) cells[layer] = cell
    }
    // A token of an earlier run proves nothing about an endpoint that fails now.
    const failed = Object.entries(cells).filter(([, { status }]) => status === 'fail')
    const isDead = failed.some(([layer]) => token.cached || connectionLayers.has(layer))
    if (isDead && cells.token?.status === 'pass') cells.token = { ...cells.token, status: 'skip' }
    const certificate = own.find((check) => check.certificate)?.certificate ?? sameHost?.certificate
    rows.push({ id, name, role, host: url.host, layers: cells, ...(certificate && { certificate }) })
  }
  return rows
}

/** The nodes of the connection diagram: this workload, its proxy, and the endpoints. */
function drawDiagram(
  rows: readonly MatrixRow[],
  checks: readonly JudgedCheck[],
  token: DrawnToken,
  { endpoints, env }: CollectedFacts,
): readonly DiagramNode[] {
  const stateOf = (row: MatrixRow): Pick<DiagramNode, 'status' | 'edge' | 'trouble'> => {
    // A failed proxy is a separate node, and no request got past it.
    if (row.layers.proxy?.status === 'fail') return { status: 'skip', edge: 'skip' }
    const cells = Object.entries(row.layers).map(([layer, cell]) => ({ layer, ...cell }))
    const [worst, link] = [worstOf(cells), worstOf(cells.filter(({ layer }) => connectionLayers.has(layer)))]
    const found = checks.find(({ id }) => id === worst?.check)
    const trouble = found && worst && rankOf(worst) < 2 ? { trouble: shortName(found) } : {}
    return { status: worst?.status ?? 'skip', edge: link?.status ?? 'skip', ...trouble }
  }
  const blamed = (wanted: string, how: JudgedCheck['status']) =>
    checks.find(({ node, status }) => node === wanted && status === how)
  const services = rows.filter(({ id }) => endpointTable.every((each) => each.id !== id))
  const nodes = [
    ...endpointTable,
    ...services.map(({ id, name }) => ({ id, name, glyph: 'cylinder' as const, isOptional: true })),
  ]
  const drawn = nodes.flatMap(({ id, name, glyph, isOptional }): DiagramNode[] => {
    const row = rows.find((each) => each.id === id)
    if (row === undefined) return isOptional ? [] : [{ id, name, glyph, status: 'none', edge: 'none' }]
    const node = { id, name, glyph, host: row.host, ...stateOf(row) }
    const waits = id === 'authority' && token.status === 'pending' && node.status !== 'fail'
    return [waits ? { ...node, status: 'pending', trouble: 'waiting for sign-in' } : node]
  })
  const usesProxy = endpoints.some(({ url }) => proxyFor(url, env).proxy !== undefined)
  const connects = drawn.some(({ edge }) => edge === 'pass')
  const trouble = blamed('workload', 'fail') ?? blamed('workload', 'warn')
  const workload = trouble ? { status: trouble.status, trouble: shortName(trouble) } : { status: 'here' as const }
  const proxy = blamed('proxy', 'fail')
    ? ({ status: 'fail', edge: 'fail', trouble: shortName({ fault: 'PROXY_FAILED' }) } as const)
    : ({ status: usesProxy ? 'pass' : 'none', edge: connects ? 'pass' : 'none' } as const)
  return [
    { id: 'workload', name: 'This workload', glyph: 'server', host: hostname(), edge: 'none', ...workload },
    { id: 'proxy', name: 'Proxy', glyph: 'arrows', ...proxy },
    ...drawn,
  ]
}

/** The title as the end of a sentence, without the kind of host. */
function shortName({ fault, code = 'UNEXPECTED' }: Pick<Check, 'fault' | 'code'>): string {
  const { title } = fault === undefined ? findingOf(code) : faults[fault]
  const short = title.replace(/ \w+ \{name\}/, '')
  return /^[A-Z][a-z]/.test(short) ? `${short.charAt(0).toLowerCase()}${short.slice(1)}` : short
}
