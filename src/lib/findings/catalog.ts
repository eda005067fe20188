import type { Finding } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { hostFindings } from './host-findings.ts'
import { loginFindings } from './login-findings.ts'
import { networkFindings, subjects } from './network-faults.ts'
import { startFindings } from './start-findings.ts'
import { tokenFindings } from './token-findings.ts'

const failed = { symptoms: ['Token acquisition failed'] } as const
const isLocal = { isLocal: true } as const

const rows = {
  ...group(startFindings, isLocal),
  ...guardFindings,
  ...networkFindings,
  ...group(loginFindings, { ...failed, subject: subjects.AUTHORITY }),
  ...group(hostFindings, { ...failed, ...isLocal }),
  // Of the identity endpoint only its own refusal blames it.
  MANAGED_IDENTITY_REJECTED: { ...hostFindings.MANAGED_IDENTITY_REJECTED, ...failed } as Finding,
  ...tokenFindings,
}

/** Findings with what is true of the whole group. */
function group<K extends string>(
  findings: Readonly<Record<K, Finding>>,
  more: Partial<Finding>,
): Readonly<Record<K, Finding>> {
  const entries = Object.entries<Finding>(findings).map(([code, finding]) => [code, { ...more, ...finding }])
  return Object.fromEntries(entries) as Record<K, Finding>
}

/** A code in the catalog. */
export type FindingCode = keyof typeof rows

/** The finding of each code. A new code needs only its row: the type of codes derives from the rows. */
export const findings: Readonly<Record<FindingCode, Finding>> = rows
