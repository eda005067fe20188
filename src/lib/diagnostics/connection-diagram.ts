import { endpointTable } from '../endpoints/endpoint-table.ts'
import { layers, type DiagnosticsReport, type DiagramNode, type Layer, type MatrixRow } from './report.ts'

/** What the diagram is drawn from. */
type Drawn = Pick<DiagnosticsReport, 'hosts' | 'instance' | 'runtime' | 'token'>

/** A failure of a layer in two or three words. */
const troubleOf: Readonly<Record<Layer, string>> = {
  proxy: 'proxy fails',
  dns: 'name unknown',
  tcp: 'no connection',
  tls: 'TLS fails',
  answer: 'invalid response',
  token: 'no valid token',
}

/** Layers below the answer: when one fails, the edge to the host is broken, and not the host. */
const edgeLayers: ReadonlySet<Layer> = new Set(['proxy', 'dns', 'tcp', 'tls'])

/** The nodes of the connection diagram, in the order of the path: this workload, its proxy, and every endpoint of the table. */
export function connectionDiagram({ hosts = [], instance, runtime, token }: Drawn): readonly DiagramNode[] {
  const proxyFails = hosts.some((row) => row.layers.proxy?.status === 'fail')
  const connects = hosts.some((row) => stateOf(row).edge === 'pass')
  return [
    { id: 'workload', name: 'This workload', glyph: 'server', host: instance.hostName, status: 'here', edge: 'none' },
    {
      id: 'proxy',
      name: 'Proxy',
      glyph: 'arrows',
      status: proxyFails ? 'fail' : runtime.proxy ? 'pass' : 'none',
      edge: proxyFails ? 'fail' : connects ? 'pass' : 'none',
      ...(proxyFails ? { trouble: troubleOf.proxy } : {}),
    },
    ...endpointTable.map(({ id, name, glyph }): DiagramNode => {
      const row = hosts.find((each) => each.id === id)
      if (row === undefined) return { id, name, glyph, status: 'none', edge: 'none' }
      const node = { id, name, glyph, host: row.host, ...stateOf(row) }
      const waits = id === 'authority' && token.status === 'pending' && node.status !== 'fail'
      return waits ? { ...node, status: 'pending', trouble: 'waiting for sign-in' } : node
    }),
  ]
}

function stateOf(row: MatrixRow): Pick<DiagramNode, 'status' | 'edge' | 'trouble'> {
  const found = layers.flatMap((layer) => ({ layer, status: row.layers[layer]?.status ?? 'skip' }))
  const worst = (each: typeof found) =>
    (['fail', 'warn', 'pass'] as const).find((status) => each.some((one) => one.status === status)) ?? 'skip'
  const bad = found.find(({ status }) => status === 'fail') ?? found.find(({ status }) => status === 'warn')
  const below = found.filter(({ layer }) => edgeLayers.has(layer))
  const isOpaque = below.every(({ layer }) => row.layers[layer] === undefined)
  return {
    status: worst(found),
    // An endpoint on the host of another one has no layers below its answer.
    edge: isOpaque ? (worst(found) === 'fail' ? 'pass' : worst(found)) : worst(below),
    ...(bad === undefined ? {} : { trouble: bad.status === 'fail' ? troubleOf[bad.layer] : `${bad.layer}: warning` }),
  }
}
