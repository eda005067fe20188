import { findingOf } from '../findings/catalog.ts'
import { faults } from '../findings/fault-table.ts'
import { type Layer, layers } from '../findings/finding.ts'
import type { FoundCheck } from './checks.ts'
import { endpointTable } from './endpoint-table.ts'
import type { ConfiguredEndpoint, Endpoint } from './endpoint.ts'
import type { DiagramNode, MatrixRow, TokenResult } from './report.ts'

/** The probe matrix and the connection diagram. They draw a decided run, and decide nothing. */
export interface DrawnRun {
  readonly hosts: readonly MatrixRow[]
  readonly diagram: readonly DiagramNode[]
}

interface DecidedRun {
  readonly endpoints: readonly Pick<ConfiguredEndpoint, 'id' | 'name' | 'role' | 'url'>[]
  readonly checks: readonly FoundCheck[]
  readonly hostName: string
  /** Whether requests to at least one endpoint go through a proxy. */
  readonly usesProxy: boolean
  readonly token: Pick<TokenResult, 'status' | 'cached'>
  /** Whether the failure of another node caused this one. Its cell shows neither success nor failure. Default is false. */
  readonly isConsequence?: ((check: FoundCheck) => boolean) | undefined
}

type Cells = Partial<Record<Layer, { readonly status: FoundCheck['status']; readonly check: FoundCheck }>>
type Row = Omit<MatrixRow, 'layers'> & { readonly cells: Cells }

export function drawRun(run: DecidedRun): DrawnRun {
  const rows = rowsOf(run)
  const hosts = rows.map(({ cells, ...row }): MatrixRow => {
    const shown = Object.entries(cells).map(([layer, { status, check }]) => [layer, { status, check: check.id }])
    return { ...row, layers: Object.fromEntries(shown) as MatrixRow['layers'] }
  })
  return { hosts, diagram: diagramOf(rows, run) }
}

/** The node of the connection diagram that a check is about, and that its failure blames. */
export function nodeOf({ code, status, fault, endpoint = 'workload', evidence }: FoundCheck): string {
  if (status !== 'fail' && status !== 'warn') return endpoint
  if (fault === 'PROXY_FAILED') return 'proxy'
  const isLocal = code !== undefined && findingOf(code).isLocal === true
  // The other hosts agree with the local clock, so the clock of the authority is wrong.
  return isLocal && evidence?.agreeingHosts === undefined ? 'workload' : endpoint
}

const ranks = { skip: 0, pass: 1, consequence: 2, warn: 3, fail: 4 } as const

/** The layers of a connection, below the response. */
const connectionLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

/** One row per endpoint: the worst check of each layer. An endpoint on the host of an earlier one shares its layers below HTTP. */
function rowsOf({ endpoints, checks, token, isConsequence = () => false }: DecidedRun): readonly Row[] {
  const rank = (check: FoundCheck) => (isConsequence(check) ? ranks.consequence : ranks[check.status])
  const rows: Row[] = []
  for (const { id, name, role, url } of endpoints) {
    // A check that blames this machine belongs to no row. A check that blames the proxy belongs to the row of the endpoint behind it.
    const own = checks.filter((check) => check.endpoint === id && nodeOf(check) !== 'workload')
    if (own.length === 0) continue
    const sameHost = rows.find(({ host }) => host === url.host)
    const cells: Cells = {}
    for (const layer of layers) {
      const [check] = own
        .filter((each) => (nodeOf(each) === 'proxy' ? 'proxy' : (each.layer ?? 'response')) === layer)
        .toSorted((a, b) => rank(b) - rank(a))
      const shared = connectionLayers.has(layer) ? sameHost?.cells[layer] : undefined
      const cell =
        check === undefined ? shared : { status: isConsequence(check) ? ('skip' as const) : check.status, check }
      if (cell !== undefined) cells[layer] = cell
    }
    // A token of an earlier run proves nothing about an endpoint that fails now.
    const isDead = layers.some(
      (layer) => cells[layer]?.status === 'fail' && (connectionLayers.has(layer) || token.cached),
    )
    if (isDead && cells.token?.status === 'pass') cells.token = { ...cells.token, status: 'skip' }
    const certificate = own.find((check) => check.certificate !== undefined)?.certificate ?? sameHost?.certificate
    rows.push({ id, name, role, host: url.host, cells, ...(certificate === undefined ? {} : { certificate }) })
  }
  return rows
}

/** The nodes of the connection diagram, in the order of the path: this workload, its proxy, and every endpoint of the table. */
function diagramOf(rows: readonly Row[], { checks, hostName, usesProxy, token }: DecidedRun): readonly DiagramNode[] {
  const blamed = (node: string) => checks.filter((check) => check.status === 'fail' && nodeOf(check) === node)
  const warned = checks.filter((check) => check.status === 'warn' && nodeOf(check) === 'workload')
  const [trouble] = [...blamed('workload'), ...warned]
  const proxyFails = blamed('proxy').length > 0
  const others = rows.filter(({ id }) => endpointTable.every((row) => row.id !== id))
  const nodes: readonly Pick<Endpoint, 'id' | 'name' | 'glyph' | 'isOptional'>[] = [
    ...endpointTable,
    ...others.map(({ id, name }) => ({ id, name, glyph: 'cylinder' as const })),
  ]
  const endpoints = nodes.flatMap(({ id, name, glyph, isOptional }): DiagramNode[] => {
    const row = rows.find((each) => each.id === id)
    if (row === undefined) return isOptional ? [] : [{ id, name, glyph, status: 'none', edge: 'none' }]
    const node = { id, name, glyph, host: row.host, ...stateOf(row) }
    const waits = id === 'authority' && token.status === 'pending' && node.status !== 'fail'
    return [waits ? { ...node, status: 'pending', trouble: 'waiting for sign-in' } : node]
  })
  const connects = endpoints.some(({ edge }) => edge === 'pass')
  return [
    {
      id: 'workload',
      name: 'This workload',
      glyph: 'server',
      host: hostName,
      edge: 'none',
      ...(trouble === undefined
        ? { status: 'here' }
        : { status: trouble.status === 'fail' ? 'fail' : 'warn', trouble: shortName(trouble) }),
    },
    {
      id: 'proxy',
      name: 'Proxy',
      glyph: 'arrows',
      ...(proxyFails
        ? { status: 'fail', edge: 'fail', trouble: faults.PROXY_FAILED.short }
        : { status: usesProxy ? 'pass' : 'none', edge: connects ? 'pass' : 'none' }),
    },
    ...endpoints,
  ]
}

function stateOf({ cells }: Row): Pick<DiagramNode, 'status' | 'edge' | 'trouble'> {
  // A failed proxy is a separate node, and no request got past it.
  if (cells.proxy?.check.status === 'fail' && nodeOf(cells.proxy.check) === 'proxy')
    return { status: 'skip', edge: 'skip' }
  const found = layers.flatMap((layer) => (cells[layer] === undefined ? [] : [{ layer, ...cells[layer] }]))
  const worst = (each: typeof found) =>
    (['fail', 'warn', 'pass'] as const).find((status) => each.some((one) => one.status === status)) ?? 'skip'
  const status = worst(found)
  const edge = worst(found.filter(({ layer }) => connectionLayers.has(layer)))
  const bad = status === 'fail' || status === 'warn' ? found.find((each) => each.status === status) : undefined
  return { status, edge, ...(bad === undefined ? {} : { trouble: shortName(bad.check) }) }
}

/** The short name of a failure or warning: of its network fault, else the title of its code. */
function shortName({ fault, code = 'UNEXPECTED' }: FoundCheck): string {
  if (fault !== undefined) return faults[fault].short
  const { title } = findingOf(code)
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
}
