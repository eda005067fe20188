import type { ErrorCode } from '../../errors.ts'
import type { Finding } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { hostFindings } from './host-findings.ts'
import { loginFindings } from './login-findings.ts'
import { networkFindings } from './network-findings.ts'
import { startFindings } from './start-findings.ts'
import { tokenFindings } from './token-findings.ts'

/** What every code means and what to change. The compiler holds it complete. */
export const findings: Readonly<Record<ErrorCode, Finding>> = {
  ...startFindings,
  ...guardFindings,
  ...networkFindings,
  ...loginFindings,
  ...hostFindings,
  ...tokenFindings,
}
