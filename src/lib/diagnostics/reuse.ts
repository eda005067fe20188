import type { Check } from './report.ts'

/** Milliseconds that checks are reused when all is well, and when something failed. */
const goodReuseMs = 60_000
const failureReuseMs = 20_000

export const reuseMs = (checks: readonly Check[]): number =>
  checks.some(({ status }) => status === 'fail') ? failureReuseMs : goodReuseMs
