import { expect, test } from 'vitest'
import { visibleReport } from '../../src/functions/diagnostics.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'

const waiting = {
  status: 'pending',
  token: {
    status: 'pending',
    signIn: { userCode: 'ABCD', verificationUri: 'https://login.test/device', expiresOn: '' },
  },
} as unknown as DiagnosticsReport

test.each(['function', 'admin'] as const)('a pending code is shown with the access level %s', (httpAuthLevel) => {
  expect(visibleReport(waiting, { httpAuthLevel })).toBe(waiting)
})

test('a pending code is hidden with anonymous access', () => {
  const report = visibleReport(waiting, { httpAuthLevel: 'anonymous' })
  expect(report.token).toEqual({ status: 'pending' })
  expect(report.status).toBe('pending')
})
