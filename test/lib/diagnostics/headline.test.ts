import { describe, expect, test } from 'vitest'
import { toExplanation } from '../../../src/lib/diagnostics/explanation.ts'
import { headlineOf } from '../../../src/lib/diagnostics/headline.ts'
import type { Check } from '../../../src/lib/diagnostics/report.ts'
import { ServiceError, type ErrorCode } from '../../../src/lib/errors.ts'

const explained = (code: ErrorCode) => toExplanation(new ServiceError(code, `What ${code} says`))
const fail = (id: string, code: ErrorCode): Check => ({ id, status: 'fail', ...explained(code), durationMs: 1 })

describe('The headline', () => {
  test('is absent from a report that did not fail', () => {
    expect(headlineOf({ status: 'warning', token: {}, checks: [fail('a.b', 'CLOCK_SKEW')] })).toBeUndefined()
  })

  test('of a token that was acquired is the failed check', () => {
    const checks = [fail('resource-manager.accepts-token', 'RESOURCE_MANAGER_REJECTED_TOKEN')]
    expect(headlineOf({ status: 'failed', token: {}, checks })).toMatchObject({
      ...explained('RESOURCE_MANAGER_REJECTED_TOKEN'),
      checks: ['resource-manager.accepts-token'],
    })
  })

  test.each(['UNEXPECTED', 'TOKEN_TIMEOUT'] as const)('a failed check tells more than %s of the attempt', (code) => {
    const acquired = fail('token.acquired', code)
    const judged = { status: 'failed', token: { error: explained(code) } } as const
    const untrusted = fail('authority.tls', 'AUTHORITY_UNTRUSTED')
    expect(headlineOf({ ...judged, checks: [acquired, untrusted] })?.code).toBe('AUTHORITY_UNTRUSTED')
    expect(headlineOf({ ...judged, checks: [acquired] })?.code).toBe(code)
  })
})
