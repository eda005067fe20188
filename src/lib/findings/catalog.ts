import { chooseFix, type Fix } from './choose-case.ts'
import { type EndpointFacts, type Finding, type RunFacts, changeOfField, nameOfField } from './finding.ts'
import { guardFindings } from './guard-findings.ts'
import { loginFindings } from './login-findings.ts'
import { hostFindings, startFindings } from './local-findings.ts'
import { nameFindings, networkFindings, subjects } from './network-faults.ts'
import { tokenFindings } from './token-findings.ts'
import type { ErrorCode } from './codes.ts'
import type { Evidence } from './evidence.ts'
import type { WarningFinding } from './warning-findings.ts'

// This folder has the cause and the fixes of every error code and warning, as data. It reads nothing and imports no other folder.

const rows: Record<ErrorCode, Finding> = {
  ...startFindings,
  ...guardFindings,
  ...nameFindings,
  ...networkFindings,
  ...loginFindings,
  ...hostFindings,
  ...tokenFindings,
}

// What all findings of a group have in common.
const isLocal = true
for (const [code, finding] of Object.entries<Finding>(startFindings)) rows[code as ErrorCode] = { isLocal, ...finding }
for (const [code, { signs = [], ...finding }] of Object.entries<Finding>({ ...loginFindings, ...hostFindings })) {
  const more = Object.hasOwn(hostFindings, code) ? { isLocal } : { subject: subjects.AUTHORITY }
  rows[code as ErrorCode] = { ...more, ...finding, signs: [...signs, 'Token acquisition failed'] }
}

/** The finding of each code. A new code is a row, and `npm run generate` adds it to the type of codes. */
export const findings: Readonly<Record<ErrorCode, Finding>> = rows

interface Failure {
  readonly code: ErrorCode
  readonly evidence?: Evidence
}

/** The facts for a fix outside of a diagnostics run. */
const noRun: RunFacts = {
  proven: {},
  nameOf: nameOfField,
  changeOf: (field, value) => changeOfField(field, undefined, value),
  ownerOf: () => undefined,
}

/** The finding of a code. An error from another build may have a code that this build doesn't know. */
export function findingOf(code: ErrorCode): Finding {
  return Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
}

/**
 * The fix of a failure.
 *
 * @param run The facts of a diagnostics run, or only the facts of the endpoint.
 */
export function fixOf({ code, evidence = {} }: Failure, run: RunFacts | EndpointFacts = noRun): Fix {
  const facts = 'proven' in run ? run : { ...noRun, endpoint: run }
  return chooseFix(findingOf(code), evidence, facts)
}

/** The cause and the fix of a finding for documents, without facts. */
export function generalFix(finding: Finding | WarningFinding): Fix {
  return chooseFix({ cause: '', ...finding }, {}, noRun)
}
