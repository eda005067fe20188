import { describe, expect, test } from 'vitest'
import type { Layer } from '../../../src/lib/findings/finding.ts'
import type { DiagnosticsReport, MatrixRow } from '../../../src/lib/diagnostics/report.ts'
import { connectionDiagram } from '../../../src/lib/diagnostics/matrix.ts'
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
})
