import type { Check } from './report.ts'

/** Milliseconds that checks are reused when all is well, and when something is not: who mends it wants to see that. */
const goodReuseMs = 60_000
const troubleReuseMs = 20_000

export const reuseMs = (checks: readonly Check[]): number =>
  checks.some(({ status }) => status === 'fail' || status === 'warn') ? troubleReuseMs : goodReuseMs
