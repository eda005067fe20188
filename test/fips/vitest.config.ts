import { defineConfig } from 'vitest/config'

/** `npm run test:fips`: the release in the same run, because its setup makes releases that nothing else needs. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
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
