import type { ErrorCode, ServiceError } from '../errors.ts'
import { findings } from '../findings/catalog.ts'
import type { Finding } from '../findings/finding.ts'
import { chooseFix } from './choose-fix.ts'
import type { Diagnosis } from './report.ts'

/** The finding of a code. An error of another build may have a code that this build does not know. */
export function findingOf(code: ErrorCode): Finding {
  return Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
}

/** An error with its cause and fix from the catalog. */
export function toDiagnosis({ code, message, evidence = {} }: ServiceError): Diagnosis {
  const finding = findingOf(code)
  return { code, message, cause: finding.cause, fix: chooseFix(finding, evidence) }
}
