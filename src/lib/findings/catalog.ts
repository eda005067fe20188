import type { Finding } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { hostFindings } from './host-findings.ts'
import { loginFindings } from './login-findings.ts'
import { networkFindings } from './network-findings.ts'
import { startFindings } from './start-findings.ts'
import { tokenFindings } from './token-findings.ts'

const rows = {
  ...ofThisMachine(startFindings),
  ...guardFindings,
  ...networkFindings,
  ...loginFindings,
  ...ofThisMachine(hostFindings),
  ...tokenFindings,
}

/** Marks findings that blame this machine or its settings. Of the identity endpoint only its own refusal blames it. */
function ofThisMachine<K extends string>(group: Readonly<Record<K, Finding>>): Readonly<Record<K, Finding>> {
  const entries = Object.entries<Finding>(group).map(([code, finding]) => [
    code,
    code === 'MANAGED_IDENTITY_REJECTED' ? finding : { ...finding, isLocal: true },
  ])
  return Object.fromEntries(entries) as Record<K, Finding>
}

/** A code in the catalog. */
export type FindingCode = keyof typeof rows

/** The finding of each code. A new code needs only its row: the type of codes derives from the rows. */
export const findings: Readonly<Record<FindingCode, Finding>> = rows
