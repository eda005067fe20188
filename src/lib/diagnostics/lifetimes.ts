/** Milliseconds that results are reused, from when they arrive. The token provider knows itself how long a token is good. */
export const lifetimesMs = {
  /** Checks that found nothing wrong. */
  healthy: 60_000,
  /** Checks with a failure or a warning: who fixes the cause wants to see the effect. */
  troubled: 20_000,
  /** A report whose token was there already: many readers then cost as much as one. */
  report: 1000,
} as const
