import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They have commands of their own: `npm run test:release` makes whole releases, `npm run test:deploy` needs tools of others.
    exclude: ['test/release/**', 'test/deploy/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Most of a run is waiting for sockets, processes and a browser, so more files at once than cores pays off.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
