/** Milliseconds for which results are reused after they arrive. The token provider decides the lifetime of a token. */
export const lifetimesMs = {
  /** Checks that found nothing wrong. */
  healthy: 60_000,
  /** Checks with a failure or a warning: shorter, so that the effect of a fix shows soon. */
  troubled: 20_000,
  /** A report with a cached token: many readers then cost as much as one. */
  report: 1000,
} as const
