import { defineConfig } from 'vitest/config'

/** `npm run test:networks`: the command line and the enclave in networks that this machine does not have, each in a namespace. */
export default defineConfig({
  test: {
    include: ['test/networks/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
