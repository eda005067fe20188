import type { NetworkFault } from '../errors.ts'
import { layers, type Layer } from '../findings/finding.ts'
import type { FoundCheck } from './checks.ts'
import { endpointTable } from './endpoint-table.ts'
import type { Endpoint } from './endpoint.ts'
import { connectionLayers, nodeOf } from './matrix.ts'
import type { DiagnosticsReport, DiagramNode, MatrixRow } from './report.ts'

/** The input of the diagram. */
interface DiagramSource extends Pick<DiagnosticsReport, 'hosts' | 'instance'> {
  readonly checks: readonly FoundCheck[]
  /** Whether requests to at least one endpoint go through a proxy. */
  readonly usesProxy: boolean
  readonly isPending: boolean
}

/** A failure in two or three words. */
const faultWords: Readonly<Record<NetworkFault, string>> = {
  PROXY_FAILED: 'proxy fails',
  DNS_FAILED: 'name unknown',
  DNS_UNAVAILABLE: 'DNS server fails',
  REFUSED: 'connection refused',
  UNREACHABLE: 'no route',
  TIMEOUT: 'no response',
  RESET: 'connection reset',
  UNTRUSTED: 'untrusted certificate',
  CERTIFICATE_EXPIRED: 'certificate expired',
  CERTIFICATE_NOT_YET_VALID: 'certificate not yet valid',
  CERTIFICATE_NAME_MISMATCH: 'wrong certificate',
  CERTIFICATE_INVALID: 'invalid certificate',
  CERTIFICATE_WEAK: 'weak certificate',
  CERTIFICATE_IPV6_UNSUPPORTED: 'IPv6 literal',
  TLS_FAILED: 'TLS fails',
  REDIRECTED: 'redirect',
  NOT_FOUND: 'path unknown',
  THROTTLED: 'too many requests',
  HTTP_ERROR: 'error status',
  RESPONSE_TOO_LARGE: 'invalid response',
  RESPONSE_INVALID: 'invalid response',
}

/** The same for codes that are no network fault. */
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
      ...(proxyFails ? { trouble: faultWords.PROXY_FAILED } : {}),
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
  return fault === undefined ? layerWords[layer] : faultWords[fault]
}
