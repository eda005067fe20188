import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { checkClock } from '../../../../src/lib/diagnostics/probes/probe-authority.ts'

const sent = Date.parse('2026-11-21T02:10:00Z')
const answer = (headers: Record<string, string>) => ({
  status: 200,
  headers: createHttpHeaders(headers),
  request: createPipelineRequest({ url: 'https://login.enclave.test/' }),
})
const dated = answer({ date: new Date(sent).toUTCString() })

describe('the clock', () => {
  test.each([0, 1, 120, -120])('%i s ahead passes', (seconds) => {
    expect(checkClock(dated, 'login.test', sent + seconds * 1000).status).toBeUndefined()
  })

  test.each([121, 300, -121, -300])('%i s ahead is a warning', (seconds) => {
    expect(checkClock(dated, 'login.test', sent + seconds * 1000)).toMatchObject({ status: 'warn', code: 'CLOCK_SKEW' })
  })

  test.each([
    [301, '301 s ahead of'],
    [-301, '301 s behind'],
  ])('%i s ahead fails and says by how much', (seconds, words) => {
    expect(() => checkClock(dated, 'login.test', sent + seconds * 1000)).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({
          code: 'CLOCK_SKEW',
          message: expect.stringContaining(words) as string,
        }) as Error,
        observed: { skewSeconds: seconds },
      }),
    )
  })

  test('of an answer out of a cache is older by its age', () => {
    const cached = answer({ date: new Date(sent).toUTCString(), age: '600' })
    expect(checkClock(cached, 'login.test', sent + 600_000).status).toBeUndefined()
  })

  test.each(['', 'yesterday'])('is not compared with the date %j', (date) => {
    expect(checkClock(answer({ date }), 'login.test', sent).status).toBe('skip')
  })
})
