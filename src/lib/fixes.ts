import { isServiceError } from './errors.ts'
import { fixOf } from './findings/catalog.ts'

/**
 * Runs a public function of the library, and gives its error the fix of the catalog. The service and the command need no such step: their
 * reports take fixes from the catalog themselves.
 */
export function withFixes<T>(run: () => T): T {
  try {
    const result = run()
    return result instanceof Promise ? (result.catch(rethrow) as T) : result
  } catch (error) {
    return rethrow(error)
  }
}

/** Throws an error, with the fix of the catalog. */
export function rethrow(error: unknown): never {
  if (isServiceError(error)) error.explainBy(fixOf)
  throw error
}
