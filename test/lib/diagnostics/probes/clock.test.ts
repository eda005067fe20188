import { createHttpHeaders, type PipelineResponse } from '@azure/core-rest-pipeline'
import { expect, test } from 'vitest'
import { runCheck } from '../../../../src/lib/diagnostics/checks.ts'
import { checkClock } from '../../../../src/lib/diagnostics/probes/probe-authority.ts'

const sent = Date.parse('2026-11-21T02:10:00Z')
const date = new Date(sent).toUTCString()
const checkAt = (seconds: number, headers: Record<string, string> = { date }) =>
  runCheck({ id: 'clock' }, () => {
    const response = { headers: createHttpHeaders(headers) } as PipelineResponse
    return checkClock(response, 'login.test', sent + seconds * 1000)
  })

test.each([
  [120, 'pass', undefined],
  [-120, 'pass', undefined],
  [121, 'warn', /121 s ahead of/],
  [-300, 'warn', /300 s behind/],
  [301, 'fail', /301 s ahead of/],
  [-301, 'fail', /301 s behind/],
])('A local clock %i s ahead of the host is a %s that says by how much', async (seconds, status, message) => {
  const proof = message && { code: 'CLOCK_SKEW', message, evidence: { skewSeconds: String(seconds) } }
  expect(await checkAt(seconds)).toMatchObject({ status, ...proof })
})

test.each([
  ['of an answer out of a cache is older by its age', { date, age: '600' }, 'pass'],
  ['that is absent is not compared', { date: '' }, 'skip'],
  ['that cannot be read is not compared', { date: 'yesterday' }, 'skip'],
])('The time %s', async (_what, headers, status) => {
  expect(await checkAt(600, headers)).toMatchObject({ status })
})
