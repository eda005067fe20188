import type { Evidence } from '../errors.ts'
import type { Check, HostCertificate } from './report.ts'

/** A check with its evidence. The root cause and the matrix use the evidence; the report omits it. */
export interface FoundCheck extends Check {
  readonly evidence?: Evidence
  readonly certificate?: HostCertificate
}

/** The check as the report has it. */
export function withoutEvidence({ evidence: _evidence, certificate: _certificate, ...check }: FoundCheck): Check {
  return check
}
