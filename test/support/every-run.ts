import type { ViteUserConfig } from 'vitest/config'
import { SecondTries } from './second-tries.ts'

/** How long a test waits for an event: a limit for what hangs. A busy machine takes many times longer than a quiet one. */
export const longestWait = { timeout: 200_000 } as const

/** What the configurations of all test commands share. */
export const everyRun: NonNullable<ViteUserConfig['test']> = {
  pool: 'forks',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 300_000,
  expect: { poll: longestWait },
  reporters: ['default', new SecondTries()],
}
