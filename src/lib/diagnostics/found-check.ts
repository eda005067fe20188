import type { Evidence } from '../errors.ts'
import type { Check, HostCertificate } from './report.ts'

/** A check with what it saw: the root cause and the matrix are made from that, and it goes no further. */
export interface FoundCheck extends Check {
  readonly evidence?: Evidence
  readonly certificate?: HostCertificate
}

/** The check as the report has it. */
export function withoutEvidence({ evidence: _evidence, certificate: _certificate, ...check }: FoundCheck): Check {
  return check
}
