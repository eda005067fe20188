import { expect, test } from 'vitest'
import { Attempt, type TraceStep } from '../../../src/lib/transport/attempt.ts'

test('a request that is repeated as often as a poll stands once in the trace', async () => {
  const attempt = new Attempt({ timeoutMs: 1000 })
  const poll: TraceStep = {
    step: 'token',
    method: 'POST',
    host: 'login.test',
    path: '/token',
    outcome: 'ok',
    durationMs: 1,
  }
  await attempt.run(async () => {
    attempt.record({ ...poll, step: 'device-code' })
    for (let durationMs = 0; durationMs < 10_000; durationMs++) attempt.record({ ...poll, durationMs })
    attempt.record({ ...poll, outcome: 'DEVICE_CODE_DECLINED' })
  })
  expect(attempt.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'device-code ok',
    'token ok',
    'token DEVICE_CODE_DECLINED',
  ])
})
