import type { ServiceError } from '../errors.ts'
import { findings } from '../findings/catalogue.ts'
import type { Finding } from '../findings/finding.ts'
import type { Explanation } from './report.ts'

/** An error with its cause and fix from the catalogue. */
export function toExplanation({ code, message }: ServiceError): Explanation {
  // An error of another copy of this code may carry a code that this one does not know.
  const { cause, fix }: Finding = Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
  return { code, message, cause, fix }
}
