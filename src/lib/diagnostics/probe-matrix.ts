import type { ConfiguredEndpoint } from '../endpoints/endpoint.ts'
import type { FoundCheck } from './found-check.ts'
import { layers, type MatrixRow, type Layer } from './report.ts'

type Cell = NonNullable<MatrixRow['layers'][Layer]>

const ranks = { skip: 0, pass: 1, warn: 2, fail: 3 } as const

/** One row per endpoint: the worst check of each layer. An endpoint on the host of an earlier one shares its layers below HTTP. */
export function probeMatrix(
  endpoints: readonly Pick<ConfiguredEndpoint, 'id' | 'name' | 'role' | 'url'>[],
  checks: readonly FoundCheck[],
): MatrixRow[] {
  const rows: MatrixRow[] = []
  for (const { id, name, role, url } of endpoints) {
    const own = checks.filter(
      (check) => endpointOf(check) === id || (id === 'authority' && endpointOf(check) === 'token'),
    )
    if (own.length === 0) continue
    const shared = rows.find(({ host }) => host === url.host)
    const cells: Partial<Record<Layer, Cell>> = {}
    for (const layer of layers) {
      const cell = worst(own.filter((check) => layerOf(check) === layer)) ?? sharedCell(shared, layer)
      if (cell !== undefined) cells[layer] = cell
    }
    const certificate = own.find((check) => check.certificate !== undefined)?.certificate ?? shared?.certificate
    rows.push({ id, name, role, host: url.host, layers: cells, ...(certificate === undefined ? {} : { certificate }) })
  }
  return rows
}

function sharedCell(row: MatrixRow | undefined, layer: Layer): Cell | undefined {
  return layer === 'answer' || layer === 'token' ? undefined : row?.layers[layer]
}

function worst(checks: readonly FoundCheck[]): Cell | undefined {
  const [first] = checks.toSorted((a, b) => ranks[b.status] - ranks[a.status])
  return first && { status: first.status, check: first.id }
}

/** The endpoint of a check: the part of its id before the first dot. */
export function endpointOf({ id }: Pick<FoundCheck, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

function layerOf(check: FoundCheck): Layer {
  const name = check.id.slice(check.id.indexOf('.') + 1)
  const layer = layers.find((each) => each === name)
  if (layer !== undefined) return layer
  return endpointOf(check) === 'token' || name === 'accepts-token' ? 'token' : 'answer'
}
