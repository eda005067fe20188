import { defineConfig } from 'vitest/config'
import { everyRun } from './test/support/every-run.ts'
import { exhaustiveTests } from './test/support/exhaustive-tests.ts'

/** `npm run test:exhaustive`: every combination. */
export default defineConfig({
  test: {
    ...everyRun,
    include: exhaustiveTests,
    maxWorkers: 5,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
