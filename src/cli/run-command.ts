/** Exit codes of every command. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, fault: 3 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line itself is wrong; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command and turns its end into an exit code: errors a person can act on become one readable message, and
 * only faults of ours show a stack trace.
 */
export async function runCommand(main: () => Promise<ExitCode>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    process.exitCode = isUserError(error) ? exitCodes.usage : exitCodes.fault
    const text =
      error instanceof Error ? (isUserError(error) ? error.message : (error.stack ?? error.message)) : String(error)
    process.stderr.write(`${text}\n`)
  }
}

/** `parseArgs` of node:util marks its own errors by code. */
function isUserError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return ['UsageError', 'ServiceError', 'HostError'].includes(error.name) || code.startsWith('ERR_PARSE_ARGS')
}
