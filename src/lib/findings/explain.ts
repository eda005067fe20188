import { findings, type FindingCode } from './catalog.ts'
import { chooseFix } from './choose-fix.ts'
import type { Finding } from './finding.ts'
import type { Fix } from './fix.ts'

interface Failure {
  readonly code: FindingCode
  readonly evidence?: Readonly<Record<string, string>>
}

/** The finding of a code. An error of another build may have a code that this build does not know. */
export function findingOf(code: FindingCode): Finding {
  return Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
}

/** The fix of a failure by its own evidence, as far as it is known without a diagnostics run. */
export function fixOf({ code, evidence = {} }: Failure): Fix {
  return { text: chooseFix(findingOf(code), evidence) }
}
