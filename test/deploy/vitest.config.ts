import { defineConfig } from 'vitest/config'
import { everyRun } from '../support/every-run.ts'

/** `npm run test:deploy`: what is in deploy/, each with its real tool. `.ci/deploy-tools` installs them. */
export default defineConfig({
  test: {
    ...everyRun,
    include: ['test/deploy/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/deploy/release.setup.ts'],
    maxWorkers: 2,
  },
})
