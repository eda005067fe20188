import { defineConfig } from 'vitest/config'
import { everyRun } from '../support/every-run.ts'

/** `npm run test:windows`: one file after the other, because they share what Wine takes for a Windows. */
export default defineConfig({
  test: {
    ...everyRun,
    include: ['test/windows/**/*.test.ts'],
    globalSetup: ['test/windows/windows.setup.ts'],
    maxWorkers: 1,
  },
})
