/** Milliseconds between two looks at whether npm is still there. */
const lookEvery = 200
const startedBy = process.ppid

/**
 * Calls `stop` once when this process is asked to end, by SIGTERM or SIGINT, and then ends it. A signal to `npm start`
 * reaches npm's shell only, which ends without passing it on: so under npm, the end of that shell counts as well.
 */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    void stop().finally(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  if (process.env['npm_lifecycle_event'] === undefined) return
  setInterval(() => {
    if (process.ppid !== startedBy) end()
  }, lookEvery).unref()
}
