import { expect } from 'vitest'

// Files that share a process share its testers.
const shared = globalThis as { hasPatterns?: true }
if (shared.hasPatterns === undefined)
  expect.addEqualityTesters([
    /** A pattern in an expected value is a text that matches it. Without this, `toMatchObject` accepts anything there: a pattern has no fields. */
    (actual: unknown, expected: unknown) =>
      expected instanceof RegExp && !(actual instanceof RegExp)
        ? typeof actual === 'string' && expected.test(actual)
        : undefined,
  ])
shared.hasPatterns = true
