import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { arbitraryRun, assemble } from '../../support/arbitrary-run.ts'
import { contractProblems } from '../../support/contract.ts'
import { contradictionsOf } from '../../support/contradictions.ts'
import { fc } from '../../support/properties.ts'
import { failed, passed } from '../../support/verdict-of.ts'
import { readRuntime } from '../../../src/lib/diagnostics/assemble-report.ts'
import type { Run } from '../../../src/lib/diagnostics/run.ts'
import { endedRun } from '../../../src/lib/diagnostics/run-diagnostics.ts'

const statuses = new Set(['ok', 'warning', 'failed', 'pending'])

/** What is wrong with a report as a whole. */
function problemsOf(report: DiagnosticsReport): string[] {
  const { status, checkedAt, rootCause } = report
  return [
    ...(statuses.has(status) ? [] : [`status ${status}`]),
    ...(Number.isNaN(Date.parse(checkedAt)) ? [`checkedAt ${checkedAt}`] : []),
    ...((status === 'failed') === (rootCause !== undefined) ? [] : [`${status} with ${rootCause?.code}`]),
    ...(JSON.stringify(report).startsWith('{') ? [] : ['no JSON']),
  ]
}

describe('A report', () => {
  test('of any checks never contradicts itself: diagram, matrix, verdict and root cause are one judgment', () => {
    fc.assert(
      fc.property(arbitraryRun, (each) => {
        const report = assemble(each, null)
        expect([...problemsOf(report), ...contradictionsOf(report)]).toEqual([])
      }),
    )
  })

  test('has no field that docs/reference/openapi.json does not describe', () => {
    fc.assert(
      fc.property(arbitraryRun, (each) => {
        const problems = contractProblems('DiagnosticsReport', assemble(each, null))
        // The codes of these runs are any texts.
        expect(problems.filter((problem) => problem.includes('additional properties'))).toEqual([])
      }),
    )
  })

  test('of a run that is broken in any way is a failed report, never an error', () => {
    const part = fc.constantFrom(...(['token', 'checks', 'audience', 'plan', 'trace', 'checkedAt'] as const))
    fc.assert(
      fc.property(arbitraryRun, part, fc.constantFrom(undefined, null, {}, 7), (each, name, broken) => {
        const report = assemble({ ...each, [name]: broken }, null)
        expect(problemsOf(report)).toEqual([])
        expect(['token', 'checks'].includes(name) ? report.status : 'failed').toBe('failed')
      }),
    )
  })
})

describe('The runtime of a report', () => {
  test('contains versions and no value of a variable', () => {
    const runtime = readRuntime({ HTTPS_PROXY: 'http://user:hush@proxy.test:3128', NO_PROXY: 'exempt.test' })
    expect(readRuntime({ HTTPS_PROXY: ' ' }).proxy).toBe(false)
    expect(runtime).toMatchObject({ node: process.versions.node, openssl: process.versions.openssl, proxy: true })
    expect(JSON.stringify(runtime)).not.toMatch(/hush|proxy\.test|exempt/)
  })
})

describe('The token of a report', () => {
  const expiresOn = '2026-11-21T03:00:00.000Z'
  const seconds = Date.parse(expiresOn) / 1000
  const opaque = 'opaque'
  const withClaims = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  const reported = (token: string, checks: Run['checks'] = []) => {
    const outcome = { token, expiresOnTimestamp: seconds * 1000 }
    const attempt = { status: 'acquired', startedAt: 0, durationMs: 1, cached: false, token: outcome } as const
    const run = { checks, audience: 'https://a.test/', plan: undefined, trace: [], checkedAt: new Date(0) }
    return assemble({ ...run, token: attempt }, null).token
  }

  test.each([
    ['of the response', opaque, expiresOn],
    ['of the response before the claim', withClaims({ exp: seconds + 60 }), expiresOn],
    ['of the claim before the response', withClaims({ exp: seconds - 60 }), '2026-11-21T02:59:00.000Z'],
  ])('expires at the time %s', (_what, token, expected) => {
    expect(reported(token).expiresOn).toBe(expected)
  })

  test.each([
    ['token.lifetime', 'TOKEN_EXPIRED', 'TOKEN_EXPIRED'],
    ['token.audience', 'TOKEN_AUDIENCE_MISMATCH', 'TOKEN_AUDIENCE_MISMATCH'],
    ['authority.tls', 'AUTHORITY_UNTRUSTED', undefined],
    ['resource-manager.accepts-token', 'RESOURCE_MANAGER_REJECTED_TOKEN', undefined],
  ] as const)('that fails %s has the problem %s', (id, code, problem) => {
    expect(reported(opaque, [passed('token.acquired'), failed(id, code)]).problem).toBe(problem)
  })
})

describe('A run', () => {
  test.each<[string, () => Promise<Run>]>([
    ['that never ends', () => new Promise(() => {})],
    ['that dies', () => Promise.reject(new RangeError('broken'))],
  ])('%s is a failed run', async (_what, run) => {
    expect(await endedRun(run(), 10)).toMatchObject({
      token: { status: 'failed', error: { code: 'UNEXPECTED' } },
      checks: [{ id: 'diagnostics.run', status: 'fail', code: 'UNEXPECTED' }],
    })
  })
})
