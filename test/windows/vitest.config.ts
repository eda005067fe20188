import { defineConfig } from 'vitest/config'

/** `npm run test:windows`: one file after the other, because they share what Wine takes for a Windows. */
export default defineConfig({
  test: {
    include: ['test/windows/**/*.test.ts'],
    globalSetup: ['test/windows/windows.setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
