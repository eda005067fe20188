import { describe, expect, test } from 'vitest'
import { failedCheck } from '../../../src/lib/diagnostics/checks.ts'
import type { Check } from '../../../src/lib/diagnostics/run.ts'
import { conclude } from '../../../src/lib/diagnostics/conclude.ts'
import { collectFacts } from '../../../src/lib/diagnostics/facts.ts'
import { ServiceError, type ErrorCode, type Evidence } from '../../../src/lib/errors.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { placed } from '../../support/placed.ts'

const cloud = explainProfile({ env: {} })
const endpoints = (['AUTHORITY', 'RESOURCE_MANAGER'] as const).map((role) => ({
  id: role === 'AUTHORITY' ? 'authority' : 'resource-manager',
  name: role,
  role,
  url: new URL(role === 'AUTHORITY' ? 'https://login.test/' : 'https://management.test/'),
  probe: () => Promise.resolve(),
}))

const fail = (id: string, code: ErrorCode, evidence: Evidence = {}): Check =>
  placed(failedCheck({ id }, new ServiceError(code, `What ${id} says`, { evidence })))

function rootCauseOf(...checks: readonly Check[]) {
  const memory = { proven: new Map() }
  const source = {
    checks,
    cloud,
    identity: {},
    settings: { authMode: 'clientSecret' } as const,
    endpoints,
    memory,
    env: {},
  }
  return conclude(collectFacts(source), { status: 'failed', cached: false }, false).rootCause
}

describe('The root cause', () => {
  test('of a failure without any diagnosis is a fault of this service', () => {
    expect(rootCauseOf()).toMatchObject({ code: 'UNEXPECTED', checks: [] })
    const bare: Check = { id: 'a.b', status: 'fail', message: 'What a.b says', durationMs: 0 }
    expect(rootCauseOf(bare)).toMatchObject({ code: 'UNEXPECTED', message: 'What a.b says', checks: ['a.b'] })
  })

  test.each(['UNEXPECTED', 'TOKEN_TIMEOUT'] as const)('a failed check tells more than %s of the attempt', (code) => {
    const acquired = fail('token.acquired', code)
    expect(rootCauseOf(acquired, fail('authority.tls', 'AUTHORITY_UNTRUSTED'))).toMatchObject({
      code: 'AUTHORITY_UNTRUSTED',
      checks: ['token.acquired', 'authority.tls'],
    })
    expect(rootCauseOf(acquired)?.code).toBe(code)
  })

  test('is in the words of the check that saw the values, not of the attempt that only failed', () => {
    const witness = fail('authority.tls', 'AUTHORITY_UNTRUSTED', { issuer: '"Enclave CA"' })
    const found = rootCauseOf(fail('token.acquired', 'AUTHORITY_UNTRUSTED', { host: 'login.test' }), witness)
    expect(found).toMatchObject({ message: 'What authority.tls says', evidence: { issuer: '"Enclave CA"' } })
    expect(found?.fix).toContain('Enclave CA')
  })

  test('one untrusted authority of certificates is one cause with two hosts', () => {
    const evidence = { issuer: '"Enclave CA"' }
    const found = rootCauseOf(
      fail('authority.tls', 'AUTHORITY_UNTRUSTED', evidence),
      fail('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED', evidence),
    )
    expect(found).toMatchObject({ hosts: ['login.test', 'management.test'] })
    expect(found?.message).toContain('management.test')
    expect(found?.checks).toEqual(['authority.tls', 'resource-manager.tls'])
  })

  test('two such authorities are two causes', () => {
    const found = rootCauseOf(
      fail('authority.tls', 'AUTHORITY_UNTRUSTED', { issuer: '"One"' }),
      fail('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED', { issuer: '"Other"' }),
    )
    expect(found).toMatchObject({ hosts: ['login.test'], checks: ['authority.tls'] })
  })

  test('a cause goes before its consequence', () => {
    const found = rootCauseOf(fail('token.lifetime', 'TOKEN_EXPIRED'), fail('authority.clock', 'CLOCK_SKEW'))
    expect(found).toMatchObject({ code: 'CLOCK_SKEW', checks: ['token.lifetime', 'authority.clock'] })
  })

  test('evidence of another system is on one line, with nothing hidden in it', () => {
    const found = rootCauseOf(fail('authority.tls', 'AUTHORITY_UNTRUSTED', { issuer: 'a\n\u202eb' }))
    expect(found?.evidence).toEqual({ issuer: 'a\\n\\u202eb' })
    expect(found?.fix).not.toContain('u202e')
  })
})
