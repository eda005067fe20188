import type { ConfiguredEndpoint } from '../endpoints/endpoint.ts'
import { endpointOf, layerOf, nodeOf } from './blame.ts'
import type { FoundCheck } from './found-check.ts'
import { layers, type Layer } from './layer.ts'
import type { MatrixRow } from './report.ts'

type Cell = NonNullable<MatrixRow['layers'][Layer]>
type Cells = Partial<Record<Layer, Cell>>

const ranks = { skip: 0, pass: 1, explained: 2, warn: 3, fail: 4 } as const

/** The layers of a connection, below the response. */
export const connectionLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

export interface MatrixSource {
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
    const own = checks.filter((check) => isAbout(check, id))
    if (own.length === 0) continue
    const shared = rows.find(({ host }) => host === url.host)
    const cells: Cells = {}
    for (const layer of layers) {
      const cell =
        worst(
          own.filter((check) => layerOf(check) === layer),
          isExplained,
        ) ?? sharedCell(shared, layer)
      if (cell !== undefined) cells[layer] = cell
    }
    const certificate = own.find((check) => check.certificate !== undefined)?.certificate ?? shared?.certificate
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

/** A check that blames the proxy belongs to the row of the endpoint behind it. A check that blames this machine belongs to no row. */
function isAbout(check: FoundCheck, id: string): boolean {
  const node = nodeOf(check)
  if (node === 'workload') return false
  return (node === 'proxy' ? endpointBehindProxy(check) : node) === id
}

function endpointBehindProxy(check: FoundCheck): string {
  const endpoint = endpointOf(check)
  return endpoint === 'token' ? 'authority' : endpoint
}

/** A token of an earlier run proves nothing about an endpoint that fails now. */
function withoutCachedToken({ token, ...cells }: Cells): Cells {
  if (token === undefined) return cells
  return { ...cells, token: token.status === 'pass' ? { ...token, status: 'skip' } : token }
}

function sharedCell(row: MatrixRow | undefined, layer: Layer): Cell | undefined {
  return connectionLayers.has(layer) ? row?.layers[layer] : undefined
}

function worst(checks: readonly FoundCheck[], isExplained: (check: FoundCheck) => boolean): Cell | undefined {
  const rank = (check: FoundCheck) => (isExplained(check) ? ranks.explained : ranks[check.status])
  const [first] = checks.toSorted((a, b) => rank(b) - rank(a))
  return first && { status: isExplained(first) ? 'skip' : first.status, check: first.id }
}
