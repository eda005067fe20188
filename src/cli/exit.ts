import { errorCode } from '../lib/base/error-code.ts'
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
  const absent = absentPackage(error)
  if (absent !== undefined) {
    return { code: exitCodes.usage, message: `This needs the package ${absent}, which is not installed: run npm ci` }
  }
  // Such as a file on a full disk.
  if ('syscall' in error) return { code: exitCodes.usage, message: `The system refused: ${error.message}` }
  return isUserError(error)
    ? { code: exitCodes.usage, message: error.message }
    : { code: exitCodes.fault, message: error.stack ?? error.message }
}

/** The package that a checkout lacks where only those were installed that serving needs. A package has all it needs within it. */
function absentPackage(error: Error): string | undefined {
  const isAbsent = errorCode(error) === 'ERR_MODULE_NOT_FOUND'
  return isAbsent ? /^Cannot find package '([^']+)'/.exec(error.message)?.[1] : undefined
}

function isUserError({ name }: Error): boolean {
  return ['UsageError', 'ServiceError', 'HostError'].includes(name)
}
