/** How long a test waits for an event: a limit for what hangs. A busy machine takes many times longer than a quiet one. */
export const longestWait = { timeout: 200_000 } as const
