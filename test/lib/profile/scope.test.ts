import { expect, test } from 'vitest'
import { scopeFor } from '../../../src/lib/profile/scope.ts'

test.each([
  ['https://management.enclave.example/', 'https://management.enclave.example/.default'],
  ['https://management.enclave.example', 'https://management.enclave.example.default'],
  ['https://management.enclave.example//', 'https://management.enclave.example//.default'],
  ['api://11111111-2222/', 'api://11111111-2222/.default'],
])('the scope of %s is the audience followed by .default, verbatim', (audience, scope) => {
  expect(scopeFor(audience)).toBe(scope)
})
