import { isServiceError, setFix, showInStack } from './errors.ts'
import { fixOf } from './findings/catalog.ts'

/**
 * Runs a public function of the library, and gives its error the fix of the catalog. The service and the command need no such step: their
 * reports take fixes from the catalog themselves. The class doesn't import the catalog, which is too large for a cold start.
 */
export function withFixes<T>(run: () => T): T {
  const refuse = (error: unknown): never => {
    throw publicError(error)
  }
  try {
    const result = run()
    return result instanceof Promise ? (result.catch(refuse) as T) : result
  } catch (error) {
    return refuse(error)
  }
}

/** An error as a caller of the library gets it, with the fix of the catalog unless it has one. */
export function publicError(error: unknown): unknown {
  if (!isServiceError(error)) return error
  if (error.fix === '') setFix(error, fixOf(error))
  showInStack(error)
  return error
}
