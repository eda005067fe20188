import { describe, expect, test } from 'vitest'
import type { Layer } from '../../../src/lib/findings/finding.ts'
import type { DiagnosticsReport, MatrixRow } from '../../../src/lib/diagnostics/report.ts'
import { connectionDiagram } from '../../../src/lib/diagnostics/connection-diagram.ts'
import { placed } from '../../support/placed.ts'
import { samples } from '../../support/sample-reports.ts'

const { report } = samples.ok

/** The report with one layer of one host failed, and those after it skipped. */
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

const drawn = (shown: DiagnosticsReport) =>
  connectionDiagram({
    ...shown,
    checks: shown.checks.map(placed),
    usesProxy: shown.runtime.proxy,
    isPending: shown.token.status === 'pending',
  })

describe('the connection diagram', () => {
  test('leads from this workload through the proxy to every endpoint of the table', () => {
    expect(drawn(report).map(({ name }) => name)).toEqual([
      'This workload',
      'Proxy',
      'Login authority',
      'Resource manager',
      'Metadata',
      'Key vault',
      'Storage account',
    ])
  })

  test.each([
    ['authority', 'dns', 'Login authority', 'name unknown'],
    ['authority', 'tcp', 'Login authority', 'no connection'],
    ['resource-manager', 'tls', 'Resource manager', 'TLS fails'],
    ['key-vault', 'dns', 'Key vault', 'name unknown'],
  ] as const)('breaks before %s when its %s fails', (id, layer, name, trouble) => {
    const nodes = drawn(broken(id, layer))
    expect(nodes.filter(({ edge }) => edge === 'fail').map((node) => node.name)).toEqual([name])
    expect(nodes.find((node) => node.name === name)).toMatchObject({ status: 'fail', trouble })
  })

  test.each([
    ['authority', 'answer', 'Login authority', 'invalid response'],
    ['authority', 'token', 'Login authority', 'no valid token'],
    ['resource-manager', 'token', 'Resource manager', 'no valid token'],
  ] as const)('reaches %s and marks it when its %s fails', (id, layer, name, trouble) => {
    const nodes = drawn(broken(id, layer))
    expect(nodes.find((node) => node.name === name)).toMatchObject({ edge: 'pass', status: 'fail', trouble })
    expect(nodes.some(({ edge }) => edge === 'fail')).toBe(false)
  })

  test('breaks before the proxy when that fails', () => {
    const refused = { status: 'fail', code: 'AUTHORITY_PROXY_FAILED', message: '', durationMs: 0 } as const
    const checks = report.checks.map((check) => (check.id === 'authority.proxy' ? { ...refused, id: check.id } : check))
    const [, proxy, authority] = drawn({ ...broken('authority', 'proxy'), checks })
    expect(proxy).toMatchObject({ edge: 'fail', status: 'fail', trouble: 'proxy fails' })
    // Nothing behind the proxy was reached, so nothing there is known.
    expect(authority).toMatchObject({ edge: 'skip', status: 'skip' })
  })

  test('shows what is not configured as such, and a proxy that is set', () => {
    const hosts = report.hosts?.filter(({ id }) => id !== 'storage') ?? []
    const nodes = drawn({ ...report, hosts, runtime: { ...report.runtime, proxy: true } })
    expect(nodes[1]).toMatchObject({ status: 'pass' })
    expect(nodes.at(-1)).toEqual({
      id: 'storage',
      name: 'Storage account',
      glyph: 'cylinder',
      status: 'none',
      edge: 'none',
    })
  })

  test('waits at the login authority while a person has to sign in', () => {
    expect(drawn(samples.pending.report)[2]).toMatchObject({
      status: 'pending',
      trouble: 'waiting for sign-in',
    })
  })
})
