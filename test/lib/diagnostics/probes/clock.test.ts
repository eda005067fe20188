import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { checkClock } from '../../../../src/lib/diagnostics/probes/probe-authority.ts'
import { errorOf } from '../../../support/error-of.ts'

const sent = Date.parse('2026-11-21T02:10:00Z')
const answer = (headers: Record<string, string>) => ({
  status: 200,
  headers: createHttpHeaders(headers),
  request: createPipelineRequest({ url: 'https://login.enclave.test/' }),
})
const dated = answer({ date: new Date(sent).toUTCString() })

describe('the clock', () => {
  test.each([
    [120, undefined],
    [-120, undefined],
    [121, 'CLOCK_SKEW'],
    [-300, 'CLOCK_SKEW'],
  ])('%i s ahead passes, or is a warning: %s', (seconds, code) => {
    const checked = checkClock(dated, 'login.test', sent + seconds * 1000)
    expect([checked.status, checked.code]).toEqual([code && 'warn', code])
  })

  test.each([
    [301, /301 s ahead of/],
    [-301, /301 s behind/],
  ])('%i s ahead fails and says by how much', (seconds, words) => {
    const error = errorOf(() => checkClock(dated, 'login.test', sent + seconds * 1000))
    expect(error).toMatchObject({ code: 'CLOCK_SKEW', message: words, evidence: { skewSeconds: String(seconds) } })
  })

  test('of an answer out of a cache is older by its age', () => {
    const cached = answer({ date: new Date(sent).toUTCString(), age: '600' })
    expect(checkClock(cached, 'login.test', sent + 600_000).status).toBeUndefined()
  })

  test.each(['', 'yesterday'])('is not compared with the date %j', (date) => {
    expect(checkClock(answer({ date }), 'login.test', sent).status).toBe('skip')
  })
})
