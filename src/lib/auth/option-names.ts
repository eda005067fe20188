import { isServiceError, type ServiceError } from '../errors.ts'
import { publicError } from '../fixes.ts'
import { credentialTable } from '../settings/setting-table.ts'

const variables = Object.entries(credentialTable)
  .map(([key, { name }]) => [name, { authMode: 'mode', tokenTimeoutMs: 'timeoutMs' }[key] ?? key] as const)
  // The name of a file's variable begins with the name of its secret.
  .sort(([one], [other]) => other.length - one.length)

/** Names the options of settings in code in place of variables. */
const rename = (text: string): string =>
  variables.reduce(
    (renamed, [variable, option]) => renamed.replaceAll(variable, option),
    text.replaceAll(/AUTH_MODE[= ](\w+)/g, "mode: '$1'"),
  )

interface Origin {
  /** Whether the settings are options in code. */
  readonly areOptions?: boolean | undefined
}

/** An error in the words of its caller: the catalog names variables, which a caller with settings in code did not use. */
export function inWordsOf({ areOptions }: Origin, error: ServiceError): ServiceError {
  if (areOptions !== true) return error
  publicError(error)
  return error.again({ rename })
}

/** Runs a step of a plan, whose error is in the words of the caller. */
export function withNames<T>(origin: Origin, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isServiceError(error) ? inWordsOf(origin, error) : error
  }
}
