import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../../src/lib/errors.ts'
import { useEnclave } from '../../lib/auth/enclave-attempts.ts'

const modes = ['clientSecret', 'clientCertificate', 'workloadIdentity', 'usernamePassword'] as const
const faults = ['reset', 'silent', 'truncated', 'html', 'status-500', 'untrusted-ca', 'refused'] as const

/** Everything that hangs on an error, at any depth, enumerable or not. */
function* partsOf(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    yield String(key)
    yield* partsOf(Reflect.get(value, key), seen)
  }
}

describe('an error that a credential throws', () => {
  const running = useEnclave()
  afterEach(() => running().enclave.setFault(undefined))

  test.each(modes.flatMap((mode) => faults.map((fault) => [mode, fault] as const)))(
    'under %s with %s at the token endpoint holds neither a secret nor a request, however deep one looks',
    async (mode, kind) => {
      const { enclave } = running()
      const target = ['untrusted-ca', 'refused'].includes(kind) ? 'login' : 'login/token'
      await enclave.setFault({ kind }, target)
      const { error } = await running().attempt(mode, { timeoutMs: kind === 'silent' ? 700 : 30_000 })
      expect(error).toBeInstanceOf(ServiceError)
      const text = [...partsOf(error), inspect(error, { depth: 20, showHidden: true })].join('\n')
      expect(text).not.toContain(enclave.clientSecret)
      expect(text).not.toContain(enclave.password)
      expect(text).not.toMatch(/client_assertion|client_secret|PRIVATE KEY|authorization: /i)
      expect([...partsOf(error)]).not.toContain('request')
    },
  )

  test('a foreign cause is reduced to its kind and code, through every cause', () => {
    const request = { body: 'client_secret=hunter2', headers: { authorization: 'Bearer hunter2' } }
    const inner = Object.assign(new Error('said hunter2'), { code: 'ECONNRESET', request, stack: 'hunter2' })
    const outer = Object.assign(new TypeError('quoted hunter2', { cause: inner }), { response: { body: 'hunter2' } })
    const several = new AggregateError([outer], 'hunter2')
    for (const cause of [inner, outer, several, { request }, 'hunter2']) {
      const error = new ServiceError('UNEXPECTED', 'It failed', { cause })
      expect([...partsOf(error)].join('\n')).not.toContain('hunter2')
    }
    const { cause } = new ServiceError('UNEXPECTED', 'It failed', { cause: outer })
    expect(cause).toMatchObject({ name: 'TypeError', cause: { name: 'Error', code: 'ECONNRESET' } })
  })

  test('goes on to our cause unchanged', () => {
    const ours = new ServiceError('EGRESS_BLOCKED', 'refused')
    expect(new ServiceError('UNEXPECTED', 'It failed', { cause: ours }).cause).toBe(ours)
  })
})
