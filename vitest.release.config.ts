import { defineConfig } from 'vitest/config'

// `npm run test:release`: what leaves the house, made twice from two clones.
export default defineConfig({
  test: {
    include: ['test/release/**/*.test.ts'],
    globalSetup: ['test/release/make-releases.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
