import { defineConfig } from 'vitest/config'
import { everyRun } from './test/support/every-run.ts'

/** `npm run fuzz`: every property test, those of `npm run test:exhaustive` too. */
export default defineConfig({
  test: {
    ...everyRun,
    include: ['test/**/*.property.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
  },
})
