import { expect, test } from 'vitest'
import { ServiceError } from '../../../src/lib/errors.ts'
import { reportHealth } from '../../../src/lib/service/health.ts'

const sound = { profile: 'platform-us-government', warnings: [] }
test.each([
  ['an acquired token passes', { status: 'acquired' }, 'pass', { status: 'pass', output: 'acquired' }],
  ['a sign-in that waits is a warning', { status: 'pending' }, 'warn', { status: 'warn', output: 'pending' }],
  [
    'a token that failed is a warning, for a restart would not help',
    { status: 'failed', error: new ServiceError('AUTHORITY_UNREACHABLE', 'x') },
    'warn',
    { status: 'warn', output: 'AUTHORITY_UNREACHABLE' },
  ],
] as const)('%s', (_claim, token, status, entry) => {
  const report = reportHealth({ ...sound, token, profileInvalid: false })
  expect([report.status, report.checks.token]).toEqual([status, [entry]])
})

test('a diagnostics run that found something wrong is a warning, whatever the token', () => {
  const checkedAt = '2026-11-21T02:10:00.000Z'
  const healthOf = (token: 'acquired' | 'pending', status: 'ok' | 'failed' | 'pending') =>
    reportHealth({ ...sound, token: { status: token }, report: { status, checkedAt }, profileInvalid: false })
  expect(healthOf('acquired', 'failed')).toMatchObject({
    status: 'warn',
    checks: { diagnostics: [{ status: 'warn', time: checkedAt, output: 'failed' }] },
  })
  expect(healthOf('acquired', 'ok').status).toBe('pass')
  expect(healthOf('pending', 'pending').status).toBe('warn')
  expect(healthOf('acquired', 'pending').status).toBe('pass')
})
