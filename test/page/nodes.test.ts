import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport, MatrixRow, Layer } from '../../src/lib/diagnostics/report.ts'
import { connectionDiagram } from '../../src/page/connection-diagram.ts'
import { nodesOf, nodesText } from '../../src/page/nodes.ts'
import { samples } from '../support/sample-reports.ts'

const { report } = samples.ok

/** The report with one layer of one host failed, and those after it not asked. */
function broken(id: string, failed: Layer): DiagnosticsReport {
  const order: readonly Layer[] = ['proxy', 'dns', 'tcp', 'tls', 'answer', 'token']
  const hosts = report.hosts?.map((host): MatrixRow => {
    if (host.id !== id) return host
    const layers = Object.entries(host.layers).map(([layer, found]) => {
      const after = order.indexOf(layer as Layer) - order.indexOf(failed)
      return [layer, { ...found, status: after === 0 ? 'fail' : after > 0 ? 'skip' : 'pass' }]
    })
    return { ...host, layers: Object.fromEntries(layers) as MatrixRow['layers'] }
  })
  return { ...report, hosts: hosts ?? [] }
}

describe('the way to the cloud', () => {
  test('leads from this workload by the proxy, the login authority and the resource manager to the services', () => {
    expect(nodesOf(report).map(({ name }) => name)).toEqual([
      'This workload',
      'Proxy',
      'Login authority',
      'Resource manager',
      'Storage',
      'Key vault',
      'Metadata',
    ])
  })

  test.each([
    ['authority', 'dns', 'Login authority', 'name unknown'],
    ['authority', 'tcp', 'Login authority', 'no connection'],
    ['resource-manager', 'tls', 'Resource manager', 'TLS fails'],
    ['key-vault', 'dns', 'Key vault', 'name unknown'],
  ] as const)('breaks before %s when its %s fails', (id, layer, name, trouble) => {
    const stations = nodesOf(broken(id, layer))
    expect(stations.filter(({ way }) => way === 'fail').map((station) => station.name)).toEqual([name])
    expect(stations.find((station) => station.name === name)).toMatchObject({ status: 'fail', trouble })
    expect(
      connectionDiagram(broken(id, layer))
        .toString()
        .match(/class="cross fail"/g),
    ).toHaveLength(2)
    expect(nodesText(stations)).toContain(`the way to it is broken, ${trouble}`)
  })

  test.each([
    ['authority', 'answer', 'Login authority', 'wrong answer'],
    ['authority', 'token', 'Login authority', 'no valid token'],
    ['resource-manager', 'token', 'Resource manager', 'no valid token'],
  ] as const)('reaches %s and marks it when its %s fails', (id, layer, name, trouble) => {
    const stations = nodesOf(broken(id, layer))
    expect(stations.find((station) => station.name === name)).toMatchObject({ way: 'pass', status: 'fail', trouble })
    expect(stations.some(({ way }) => way === 'fail')).toBe(false)
  })

  test('breaks before the proxy when that fails', () => {
    const [, proxy] = nodesOf(broken('authority', 'proxy'))
    expect(proxy).toMatchObject({ way: 'fail', status: 'fail', trouble: 'proxy fails' })
  })

  test('shows what is not configured as such, and a proxy that is set', () => {
    const hosts = report.hosts?.filter(({ id }) => id !== 'storage') ?? []
    const stations = nodesOf({ ...report, hosts, runtime: { ...report.runtime, proxy: true } })
    expect(stations[1]).toMatchObject({ place: 'set by a variable', status: 'pass' })
    expect(stations[4]).toMatchObject({ name: 'Storage', place: 'not configured', status: 'none', way: 'none' })
  })

  test('waits at the login authority while a person has to sign in', () => {
    expect(nodesOf(samples.pending.report)[2]).toMatchObject({ status: 'pending', trouble: 'waits for a person' })
  })
})
