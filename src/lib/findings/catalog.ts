import type { Finding } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { hostFindings } from './host-findings.ts'
import { loginFindings } from './login-findings.ts'
import { networkFindings } from './network-findings.ts'
import { startFindings } from './start-findings.ts'
import { tokenFindings } from './token-findings.ts'

const rows = {
  ...startFindings,
  ...guardFindings,
  ...networkFindings,
  ...loginFindings,
  ...hostFindings,
  ...tokenFindings,
}

/** A code in the catalog. */
export type FindingCode = keyof typeof rows

/** The finding of each code. A new code needs only its row: the type of codes derives from the rows. */
export const findings: Readonly<Record<FindingCode, Finding>> = rows
