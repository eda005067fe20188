import type { Check, DiagnosticsReport, MatrixRow } from '../lib/diagnostics/report.ts'
import { hostName, stateOf } from './hosts.ts'
import type { Glyph } from './icons.ts'
import { plainText } from './shown-text.ts'

/** `here` is this process; `none` has nothing to tell: there is no such host here. */
type NodeStatus = Check['status'] | 'pending' | 'here' | 'none'

/** One stop of the way that the picture draws. */
export interface DiagramNode {
  readonly glyph: Glyph
  readonly name: string
  /** A host name, or why there is none. One line without hidden characters. */
  readonly place: string
  readonly status: NodeStatus
  /** Of the line that leads here. */
  readonly way: NodeStatus
  /** What is wrong, in two or three words. */
  readonly trouble?: string
}

const hostStations = [
  { id: 'authority', glyph: 'key' },
  { id: 'resource-manager', glyph: 'layers' },
  { id: 'storage', glyph: 'cylinder' },
  { id: 'key-vault', glyph: 'lock' },
  { id: 'metadata', glyph: 'document' },
] as const

/** The way of this workload into its cloud: itself, the proxy, the login authority, the resource manager, and the three services. */
export function nodesOf({ hosts = [], instance, runtime, token }: DiagnosticsReport): readonly DiagramNode[] {
  const proxyFails = hosts.some(({ layers }) => layers.proxy?.status === 'fail')
  const left = hosts.some((host) => stateOf(host).way === 'pass')
  const workload: DiagramNode = {
    glyph: 'server',
    name: 'This workload',
    place: plainText(instance.hostName, 200),
    status: 'here',
    way: 'none',
  }
  const proxy: DiagramNode = {
    glyph: 'arrows',
    name: 'Proxy',
    place: runtime.proxy || proxyFails ? 'set by a variable' : 'none, direct',
    status: proxyFails ? 'fail' : runtime.proxy ? 'pass' : 'none',
    way: proxyFails ? 'fail' : left ? 'pass' : 'none',
    ...(proxyFails ? { trouble: 'proxy fails' } : {}),
  }
  const others = hostStations.map(({ id, glyph }): DiagramNode => {
    const host = hosts.find((row) => row.id === id)
    if (host === undefined)
      return { glyph, name: hostName({ id }), place: 'not configured', status: 'none', way: 'none' }
    const station = hostStation(glyph, host)
    const waits = id === 'authority' && token.status === 'pending' && station.status !== 'fail'
    return waits ? { ...station, status: 'pending', trouble: 'waits for a person' } : station
  })
  return [workload, proxy, ...others]
}

function hostStation(glyph: Glyph, host: MatrixRow): DiagramNode {
  return { glyph, name: hostName(host), place: plainText(host.host, 200), ...stateOf(host) }
}

const statusWords: Readonly<Record<NodeStatus, string>> = {
  pass: 'works',
  warn: 'works, with a warning',
  fail: 'broken',
  skip: 'not asked',
  pending: 'waits',
  here: '',
  none: '',
}

/** The picture in words, for a screen reader. The hosts of what works stand in the matrix. */
export function nodesText(stations: readonly DiagramNode[]): string {
  const sentences = stations.map(({ name, place, status, way, trouble }) => {
    const broken = way === 'fail' ? 'the way to it is broken' : statusWords[status]
    const words = [status === 'pass' ? '' : place, broken, trouble].filter((word) => word !== undefined && word !== '')
    return `${name}: ${words.join(', ')}`
  })
  return `${sentences.join('. ')}.`
}
