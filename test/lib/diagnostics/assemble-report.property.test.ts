import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../../src/lib/diagnostics/report.ts'
import { arbitraryRun, assemble } from '../../support/arbitrary-run.ts'
import { contractProblems } from '../../support/contract.ts'
import { contradictionsOf } from '../../support/contradictions.ts'
import { fc } from '../../support/properties.ts'

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
