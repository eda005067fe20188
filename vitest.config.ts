import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** Rooms of functions from values to values: what is tested there leaves nothing behind, so that its files can share a process. */
const pure = ['profile', 'findings', 'metadata', 'settings']
  .map((room) => `test/lib/${room}/**/*.test.ts`)
  .concat('test/page/**/*.test.ts')

export default defineConfig({
  test: {
    // They have commands of their own: `npm run test:release` makes whole releases, `npm run test:deploy` needs tools of others.
    exclude: ['test/release/**', 'test/deploy/**'],
    pool: 'forks',
    // Most of a run is waiting for sockets, processes and a browser, so more files at once than cores pays off.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: pure,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
})
