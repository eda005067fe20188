import { isServiceError, setFix, showInStack } from './errors.ts'
import { fixOf } from './findings/catalog.ts'
import { credentialTable } from './settings/setting-table.ts'

/** Whether the settings of a caller are options in code. */
type Origin = { readonly areOptions?: boolean | undefined }

/**
 * Runs a public function of the library, and gives its error the fix of the catalog. The service and the command need no such step: their
 * reports take fixes from the catalog themselves. The class doesn't import the catalog, which is too large for a cold start.
 */
export function withFixes<T>(run: () => T, origin?: Origin): T {
  const refuse = (error: unknown): never => {
    throw publicError(error, origin)
  }
  try {
    const result = run()
    return result instanceof Promise ? (result.catch(refuse) as T) : result
  } catch (error) {
    return refuse(error)
  }
}

/** An error as a caller of the library gets it: with the fix of the catalog unless it has one, and with options for settings in code. */
export function publicError(error: unknown, { areOptions }: Origin = {}): unknown {
  if (!isServiceError(error)) return error
  if (error.fix === '') setFix(error, fixOf(error))
  const shown = areOptions === true ? error.again({ rename: withOptionNames }) : error
  showInStack(shown)
  return shown
}

/** The variable and the option of each setting. The name of a file's variable begins with the name of its secret, so long names come first. */
const settingNames = Object.entries(credentialTable)
  .map(([key, { name }]) => [name, { authMode: 'mode', tokenTimeoutMs: 'timeoutMs' }[key] ?? key] as const)
  .sort(([one], [other]) => other.length - one.length)

/** Names the options of settings in code, because the catalog names variables, which their caller did not use. */
const withOptionNames = (text: string): string =>
  settingNames.reduce(
    (renamed, [variable, option]) => renamed.replaceAll(variable, option),
    text.replaceAll(/AUTH_MODE[= ](\w+)/g, "mode: '$1'"),
  )
