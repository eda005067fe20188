import { errorCode } from '../lib/base/files.ts'
/** Exit codes of every command. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, fault: 3 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An error of the command line. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Exit code and message of an error. Only internal errors show a stack. */
export function judgeEnd(error: unknown): { readonly code: ExitCode; readonly message: string } {
  if (!(error instanceof Error)) return { code: exitCodes.fault, message: String(error) }
  const absent = absentPackage(error)
  if (absent !== undefined) {
    return { code: exitCodes.usage, message: `The package ${absent} is not installed. Run npm ci` }
  }
  // For example, the disk is full.
  if ('syscall' in error) return { code: exitCodes.usage, message: `The operating system reports: ${error.message}` }
  return isUserError(error)
    ? { code: exitCodes.usage, message: error.message }
    : { code: exitCodes.fault, message: error.stack ?? error.message }
}

/** A package that is missing after `npm ci --omit=dev`. The packaged command needs none. */
function absentPackage(error: Error): string | undefined {
  const isAbsent = errorCode(error) === 'ERR_MODULE_NOT_FOUND'
  return isAbsent ? /^Cannot find package '([^']+)'/.exec(error.message)?.[1] : undefined
}

function isUserError({ name }: Error): boolean {
  return ['UsageError', 'ServiceError', 'StartError', 'EnclaveFilesError', 'WriteError'].includes(name)
}
