import { expect, test } from 'vitest'
import { ServiceError } from '../../../src/lib/errors.ts'
import { partsOf } from './observe.ts'

// leak-matrix.test.ts looks as deep into the errors of every mode under every fault.

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

test('our cause stays as it is', () => {
  const ours = new ServiceError('EGRESS_BLOCKED', 'refused')
  expect(new ServiceError('UNEXPECTED', 'It failed', { cause: ours }).cause).toBe(ours)
})
