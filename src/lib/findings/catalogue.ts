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

/** A code of the catalogue. */
export type FindingCode = keyof typeof rows

/** What every code means and what to change. A row is all that a new code needs: the type of codes is read off the rows. */
export const findings: Readonly<Record<FindingCode, Finding>> = rows
