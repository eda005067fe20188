import { defineConfig } from 'vitest/config'
import { everyRun } from '../support/every-run.ts'

/** `npm run test:fips`: the release in the same run, because its setup makes releases that nothing else needs. */
export default defineConfig({
  test: {
    ...everyRun,
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/release/**', 'test/deploy/**', 'test/windows/**'],
          globalSetup: ['test/support/global-setup.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          globalSetup: ['test/release/make-releases.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
