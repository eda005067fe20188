import { expect, test } from 'vitest'
import { scopeFor } from '../../../src/lib/profile/endpoints.ts'
import { errorOf } from '../../support/error-of.ts'

test.each([
  ['https://management.enclave.example/', 'https://management.enclave.example/.default'],
  ['https://management.enclave.example//', 'https://management.enclave.example//.default'],
  ['api://11111111-2222/', 'api://11111111-2222/.default'],
])('the scope of %s is the audience followed by .default, verbatim', (audience, scope) => {
  expect(scopeFor(audience)).toBe(scope)
})

test.each([
  'https://management.enclave.example',
  'https://management.enclave.example/guid',
  'https://management.enclave.example/.default',
  'https://management.enclave.example/.default/',
  'https://user:hunter2@management.enclave.example',
  '',
  ' ',
])('%j is refused: it would make the scope of another audience', (audience) => {
  const { code, message } = errorOf(() => scopeFor(audience))
  expect(code).toBe('ARGUMENT_INVALID')
  expect(message).toMatch(/^audience must end with "\/", without "\.default", but is "/)
  expect(message).not.toContain('hunter2')
})
