import type { ServiceError } from '../errors.ts'
import { findingOf, fixOf } from '../findings/explain.ts'
import type { Diagnosis } from './report.ts'

/** An error with its cause and fix from the catalog. */
export function toDiagnosis(error: ServiceError): Diagnosis {
  const { code, message } = error
  return { code, message, cause: findingOf(code).cause, fix: fixOf(error).text }
}
