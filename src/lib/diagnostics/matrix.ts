import { hostname } from 'node:os'
import { findingOf } from '../findings/catalog.ts'
import { faults } from '../findings/network-faults.ts'
import { type Layer, layers } from '../findings/finding.ts'
import { endpointTable } from './endpoint-table.ts'
import type { DiagramNode, MatrixRow, TokenResult } from './report.ts'
import type { Check, Endpoint, JudgedCheck } from './run.ts'

/** What the drawings need of the token. */
export type DrawnToken = Pick<TokenResult, 'status' | 'cached'>

/** The layers of a connection, below the response. */
const connectionLayers: ReadonlySet<string> = new Set<Layer>(['proxy', 'dns', 'tcp', 'tls'])
/** The worst status first. A consequence ranks between a warning and a success. */
const statuses = ['fail', 'warn', 'pass', 'skip'] as const
type Ranked = Pick<Check, 'status'> & { readonly isConsequence?: boolean }
const rankOf = ({ status, isConsequence }: Ranked) => (isConsequence === true ? 1.5 : statuses.indexOf(status))
const worstOf = <T extends Ranked>(found: readonly T[]) => found.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0)

/** One row per endpoint, with the worst check of each layer. Endpoints on one host share the layers of the connection. */
export function drawMatrix(
  endpoints: readonly Endpoint[],
  checks: readonly JudgedCheck[],
  token: DrawnToken,
): readonly MatrixRow[] {
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
export function drawDiagram(
  rows: readonly MatrixRow[],
  checks: readonly JudgedCheck[],
  token: DrawnToken,
  usesProxy: boolean,
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
  const connects = drawn.some(({ edge }) => edge === 'pass')
  const trouble = blamed('workload', 'fail') ?? blamed('workload', 'warn')
  const workload = trouble ? { status: trouble.status, trouble: shortName(trouble) } : { status: 'here' as const }
  const proxy = blamed('proxy', 'fail')
    ? ({ status: 'fail', edge: 'fail', trouble: faults.PROXY_FAILED.short } as const)
    : ({ status: usesProxy ? 'pass' : 'none', edge: connects ? 'pass' : 'none' } as const)
  return [
    { id: 'workload', name: 'This workload', glyph: 'server', host: hostname(), edge: 'none', ...workload },
    { id: 'proxy', name: 'Proxy', glyph: 'arrows', ...proxy },
    ...drawn,
  ]
}

/** The short name of the network fault, else the title of the code. */
function shortName({ fault, code = 'UNEXPECTED' }: Check): string {
  if (fault !== undefined) return faults[fault].short
  const { title } = findingOf(code)
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
}
