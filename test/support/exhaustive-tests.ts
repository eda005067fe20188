/**
 * Tests that try every combination of fault and credential, ask the server with generated requests, or prove every regular expression. They take
 * minutes, so `npm run test:exhaustive` runs them apart from `npm test`. CI runs both.
 */
export const exhaustiveTests = [
  'test/integration/contract.test.ts',
  'test/integration/fix-loop.test.ts',
  'test/lib/auth/fault-matrix.test.ts',
  'test/security/expressions.test.ts',
  'test/security/leak/leak-matrix.test.ts',
]
