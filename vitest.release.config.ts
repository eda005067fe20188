import { defineConfig } from 'vitest/config'
import { everyRun } from './test/support/every-run.ts'

// `npm run test:release`: what leaves the house, made twice from two clones.
export default defineConfig({
  test: {
    ...everyRun,
    include: ['test/release/**/*.test.ts'],
    globalSetup: ['test/release/make-releases.ts'],
    maxWorkers: 2,
  },
})
