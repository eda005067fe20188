import { defineConfig } from 'vitest/config'

/** `npm run test:deploy`: what is in deploy/, each with its real tool. `.ci/deploy-tools` installs them. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/deploy/release.setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
