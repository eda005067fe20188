/** Exit codes of every command. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, fault: 3 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line itself is wrong; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How a command that threw ends: errors a person can act on are one message, and only faults of ours show a stack. */
export function judgeEnd(error: unknown): { readonly code: ExitCode; readonly message: string } {
  if (!(error instanceof Error)) return { code: exitCodes.fault, message: String(error) }
  // Such as a file on a full disk.
  if ('syscall' in error) return { code: exitCodes.usage, message: `The system refused: ${error.message}` }
  return isUserError(error)
    ? { code: exitCodes.usage, message: error.message }
    : { code: exitCodes.fault, message: error.stack ?? error.message }
}

function isUserError({ name }: Error): boolean {
  return ['UsageError', 'ServiceError', 'HostError'].includes(name)
}
