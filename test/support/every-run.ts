import type { ViteUserConfig } from 'vitest/config'
import { SecondTries } from './second-tries.ts'

/** What the configurations of all test commands share. */
export const everyRun: NonNullable<ViteUserConfig['test']> = {
  pool: 'forks',
  // Limits for what hangs. A busy machine takes many times longer than a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 200_000 } },
  reporters: ['default', new SecondTries()],
}
