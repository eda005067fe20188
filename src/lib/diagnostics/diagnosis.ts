import type { Evidence, ServiceError } from '../errors.ts'
import { findings } from '../findings/catalogue.ts'
import type { Finding } from '../findings/finding.ts'
import { printable } from '../base/printable.ts'
import type { Diagnosis } from './report.ts'

/** An error with its cause and fix from the catalogue. @param known Values that a fix may name, besides the error's own. */
export function toDiagnosis({ code, message, evidence }: ServiceError, known: Evidence = {}): Diagnosis {
  // An error of another copy of this code may carry a code that this one does not know.
  const finding: Finding = Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
  return { code, message, cause: finding.cause, fix: chooseFix(finding, { ...known, ...evidence }) }
}

/** The first fix whose values are all known, with these values; else the general fix. */
export function chooseFix({ fix, fixes = [] }: Finding, known: Evidence): string {
  for (const each of fixes) {
    const names = [...each.fix.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const needed = each.when === undefined ? names : [...names, each.when]
    if (!needed.every((name) => Object.hasOwn(known, name))) continue
    return each.fix.replaceAll(/\{(\w+)\}/g, (_match, name: string) => printable(known[name] ?? ''))
  }
  return fix
}
