import { findingOf } from '../findings/catalog.ts'
import { type Layer, layers } from '../findings/finding.ts'
import type { FoundCheck } from './checks.ts'
import type { ConfiguredEndpoint, Endpoint } from './endpoint.ts'
import type { MatrixRow, DiagnosticsReport, DiagramNode } from './report.ts'
import { faults } from '../findings/fault-table.ts'
import { endpointTable } from './endpoint-table.ts'

type Cell = NonNullable<MatrixRow['layers'][Layer]>
type Cells = Partial<Record<Layer, Cell>>

const ranks = { skip: 0, pass: 1, explained: 2, warn: 3, fail: 4 } as const

/** The layers of a connection, below the response. */
const connectionLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

/**
 * The node of the connection diagram that a check is about, and that its failure blames. Probe matrix, diagram and root cause use this
 * one judgment, so that they never contradict each other.
 */
export function nodeOf({ code, status, fault, endpoint = 'workload', evidence }: FoundCheck): string {
  if (status !== 'fail' && status !== 'warn') return endpoint
  if (fault === 'PROXY_FAILED') return 'proxy'
  const isLocal = code !== undefined && findingOf(code).isLocal === true
  // The other hosts agree with the local clock, so that of the authority is wrong.
  return isLocal && evidence?.agreeingHosts === undefined ? 'workload' : endpoint
}

interface MatrixSource {
  readonly endpoints: readonly Pick<ConfiguredEndpoint, 'id' | 'name' | 'role' | 'url'>[]
  readonly checks: readonly FoundCheck[]
  /** Whether the token was cached before this run. Default is false. */
  readonly isTokenCached?: boolean
  /** Whether the failure of another node caused this one. Its cell shows neither success nor failure. Default is false. */
  readonly isExplained?: (check: FoundCheck) => boolean
}

/** One row per endpoint: the worst check of each layer. An endpoint on the host of an earlier one shares its layers below HTTP. */
export function probeMatrix({
  endpoints,
  checks,
  isTokenCached = false,
  isExplained = () => false,
}: MatrixSource): MatrixRow[] {
  const rows: MatrixRow[] = []
  for (const { id, name, role, url } of endpoints) {
    // A check that blames this machine belongs to no row; one that blames the proxy to that of the endpoint behind it.
    const own = checks.filter((check) => check.endpoint === id && nodeOf(check) !== 'workload')
    if (own.length === 0) continue
    const sameHost = rows.find(({ host }) => host === url.host)
    const cells: Cells = {}
    for (const layer of layers) {
      const ofLayer = own.filter((check) => (nodeOf(check) === 'proxy' ? 'proxy' : (check.layer ?? 'answer')) === layer)
      const cell = worst(ofLayer, isExplained) ?? (connectionLayers.has(layer) ? sameHost?.layers[layer] : undefined)
      if (cell !== undefined) cells[layer] = cell
    }
    const certificate = own.find((check) => check.certificate !== undefined)?.certificate ?? sameHost?.certificate
    const isDead = layers.some(
      (layer) => cells[layer]?.status === 'fail' && (connectionLayers.has(layer) || isTokenCached),
    )
    rows.push({
      id,
      name,
      role,
      host: url.host,
      layers: isDead ? withoutCachedToken(cells) : cells,
      ...(certificate === undefined ? {} : { certificate }),
    })
  }
  return rows
}

/** A token of an earlier run proves nothing about an endpoint that fails now. */
function withoutCachedToken({ token, ...cells }: Cells): Cells {
  if (token === undefined) return cells
  return { ...cells, token: token.status === 'pass' ? { ...token, status: 'skip' } : token }
}

function worst(checks: readonly FoundCheck[], isExplained: (check: FoundCheck) => boolean): Cell | undefined {
  const rank = (check: FoundCheck) => (isExplained(check) ? ranks.explained : ranks[check.status])
  const [first] = checks.toSorted((a, b) => rank(b) - rank(a))
  return first && { status: isExplained(first) ? 'skip' : first.status, check: first.id }
}

/** The input of the diagram. */
interface DiagramSource extends Pick<DiagnosticsReport, 'hosts' | 'instance'> {
  readonly checks: readonly FoundCheck[]
  /** Whether requests to at least one endpoint go through a proxy. */
  readonly usesProxy: boolean
  readonly isPending: boolean
}

/** A failure that is no network fault, in two or three words. */
const layerWords: Readonly<Record<Layer, string>> = {
  proxy: 'proxy fails',
  dns: 'name unknown',
  tcp: 'no connection',
  tls: 'TLS fails',
  answer: 'invalid response',
  token: 'no valid token',
}

/** The nodes of the connection diagram, in the order of the path: this workload, its proxy, and every endpoint of the table. */
export function connectionDiagram(source: DiagramSource): readonly DiagramNode[] {
  const { hosts = [], checks, instance, usesProxy, isPending } = source
  const blames = (node: string, status: FoundCheck['status']) =>
    checks.some((check) => check.status === status && nodeOf(check) === node)
  const local = blames('workload', 'fail') ? 'fail' : blames('workload', 'warn') ? 'warn' : 'here'
  const proxyFails = blames('proxy', 'fail')
  const listed = hosts.filter(({ id }) => endpointTable.every((row) => row.id !== id))
  const rows: readonly Pick<Endpoint, 'id' | 'name' | 'glyph' | 'isOptional'>[] = [
    ...endpointTable,
    ...listed.map(({ id, name }) => ({ id, name, glyph: 'cylinder' as const })),
  ]
  const endpoints = rows.flatMap(({ id, name, glyph, isOptional }): DiagramNode[] => {
    const row = hosts.find((each) => each.id === id)
    if (row === undefined) return isOptional ? [] : [{ id, name, glyph, status: 'none', edge: 'none' }]
    const node = { id, name, glyph, host: row.host, ...stateOf(row, checks) }
    const waits = id === 'authority' && isPending && node.status !== 'fail'
    return [waits ? { ...node, status: 'pending', trouble: 'waiting for sign-in' } : node]
  })
  const connects = endpoints.some(({ edge }) => edge === 'pass')
  return [
    {
      id: 'workload',
      name: 'This workload',
      glyph: 'server',
      host: instance.hostName,
      status: local,
      edge: 'none',
      ...(local === 'here' ? {} : { trouble: blamesClock(checks) ? 'clock differs' : 'wrong setting' }),
    },
    {
      id: 'proxy',
      name: 'Proxy',
      glyph: 'arrows',
      status: proxyFails ? 'fail' : usesProxy ? 'pass' : 'none',
      edge: proxyFails ? 'fail' : connects ? 'pass' : 'none',
      ...(proxyFails ? { trouble: faults.PROXY_FAILED.short } : {}),
    },
    ...endpoints,
  ]
}

function blamesClock(checks: readonly FoundCheck[]): boolean {
  return checks.some(({ code, status }) => code === 'CLOCK_SKEW' && (status === 'fail' || status === 'warn'))
}

function stateOf(row: MatrixRow, checks: readonly FoundCheck[]): Pick<DiagramNode, 'status' | 'edge' | 'trouble'> {
  // A failed proxy is a separate node, and no request got past it.
  const proxied = checks.find(({ id }) => id === row.layers.proxy?.check)
  if (proxied?.status === 'fail' && nodeOf(proxied) === 'proxy') return { status: 'skip', edge: 'skip' }
  const found = layers.flatMap((layer) => {
    const cell = row.layers[layer]
    return cell === undefined ? [] : [{ layer, ...cell }]
  })
  const worst = (each: typeof found) =>
    (['fail', 'warn', 'pass'] as const).find((status) => each.some((one) => one.status === status)) ?? 'skip'
  const status = worst(found)
  const bad = found.find((each) => each.status === status)
  const isBad = bad !== undefined && (status === 'fail' || status === 'warn')
  const edge = worst(found.filter(({ layer }) => connectionLayers.has(layer)))
  return { status, edge, ...(isBad ? { trouble: troubleOf(bad.layer, status, checks, bad.check) } : {}) }
}

function troubleOf(layer: Layer, status: 'fail' | 'warn', checks: readonly FoundCheck[], id: string): string {
  if (status === 'warn') return `${layer}: warning`
  const { fault, code } = checks.find((check) => check.id === id) ?? {}
  if (code === 'CLOCK_SKEW') return 'clock differs'
  return fault === undefined ? layerWords[layer] : faults[fault].short
}
