import { findingOf } from '../findings/catalog.ts'
import { type Layer, layers } from '../findings/finding.ts'
import type { FoundCheck } from './checks.ts'
import type { ConfiguredEndpoint } from './endpoint.ts'
import type { MatrixRow } from './report.ts'

type Cell = NonNullable<MatrixRow['layers'][Layer]>
type Cells = Partial<Record<Layer, Cell>>

const ranks = { skip: 0, pass: 1, explained: 2, warn: 3, fail: 4 } as const

/** The layers of a connection, below the response. */
export const connectionLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

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
