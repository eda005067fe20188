import { describe, expect, test } from 'vitest'
import { readRuntime } from '../../../src/lib/diagnostics/assemble-report.ts'
import type { Run } from '../../../src/lib/diagnostics/run.ts'
import { endedRun, longestRunMs } from '../../../src/lib/diagnostics/run-diagnostics.ts'

describe('The runtime of a report', () => {
  test.each(['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])('has a proxy if %s is set, and none if it is blank', (name) => {
    expect(readRuntime({ [name]: 'http://user:hush@proxy.test:3128' }).proxy).toBe(true)
    expect(readRuntime({ [name]: ' ' }).proxy).toBe(false)
  })

  test('contains versions and no value of a variable', () => {
    const runtime = readRuntime({ HTTPS_PROXY: 'http://user:hush@proxy.test:3128', NO_PROXY: 'exempt.test' })
    expect(runtime).toMatchObject({ node: process.versions.node, openssl: process.versions.openssl })
    expect(JSON.stringify(runtime)).not.toMatch(/hush|proxy\.test|exempt/)
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

  test('may take longer than its four longest parts', () => {
    expect(longestRunMs(120_000)).toBeGreaterThan(4 * 120_000)
  })
})
