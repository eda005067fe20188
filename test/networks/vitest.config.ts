import { defineConfig } from 'vitest/config'
import { everyRun } from '../support/every-run.ts'

/** `npm run test:networks`: the command line and the enclave in networks that this machine does not have, each in a namespace. */
export default defineConfig({
  test: {
    ...everyRun,
    include: ['test/networks/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
  },
})
