import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { drawn, samples } from '../../support/sample-reports.ts'

const { report, profile } = samples.ok
const diagramOf = (more: Partial<DiagnosticsReport>) => drawn(profile.profile, { ...report, ...more }).diagram

describe('the connection diagram', () => {
  test('breaks before the proxy when that fails', () => {
    const refused = { status: 'fail', code: 'AUTHORITY_PROXY_FAILED', message: '', durationMs: 0 } as const
    const checks = report.checks.map((check) => {
      if (check.id === 'authority.proxy') return { ...refused, id: check.id }
      return check.id.startsWith('authority.') ? { ...check, status: 'skip' as const } : check
    })
    const [, proxy, authority] = diagramOf({ checks })
    expect(proxy).toMatchObject({ edge: 'fail', status: 'fail', trouble: 'proxy fails' })
    // Nothing behind the proxy was reached, so nothing there is known.
    expect(authority).toMatchObject({ edge: 'skip', status: 'skip' })
  })

  test('shows what is not configured as such, and a proxy that is set', () => {
    const checks = report.checks.filter(({ id }) => !id.startsWith('storage.'))
    const nodes = diagramOf({ checks, runtime: { ...report.runtime, proxy: true } })
    expect(nodes[1]).toMatchObject({ status: 'pass' })
    expect(nodes.at(-1)).toEqual({
      id: 'storage',
      name: 'Storage account',
      glyph: 'cylinder',
      status: 'none',
      edge: 'none',
    })
  })

  test.each([
    ['authority.tls', 'fail', 'AUTHORITY_UNTRUSTED', 'untrusted certificate'],
    ['authority.clock', 'fail', 'CLOCK_SKEW', 'clocks differ'],
    ['authority.tls', 'warn', 'CERTIFICATE_EXPIRES_SOON', 'certificate about to expire'],
    ['resource-manager.challenge', 'fail', 'CHALLENGE_AUDIENCE_MISMATCH', 'service expects another audience'],
    ['token.acquired', 'fail', 'FIPS_MODE_OFF', 'FIPS mode is off or incomplete'],
  ] as const)('labels a node with the short name of its trouble: %s %s %s', (id, status, code, trouble) => {
    const checks = report.checks.map((check) => (check.id === id ? { ...check, status, code } : check))
    expect(diagramOf({ checks }).map((node) => node.trouble)).toContain(trouble)
  })
})
