import { defineConfig } from 'vitest/config'
import { exhaustiveTests } from './test/support/exhaustive-tests.ts'

/** `npm run test:exhaustive`: every combination, with the limits of `npm test`. */
export default defineConfig({
  test: {
    include: exhaustiveTests,
    pool: 'forks',
    maxWorkers: 5,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
    globalSetup: ['test/support/global-setup.ts'],
  },
})
