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

const failed = { signs: ['Token acquisition failed'] } as const
const isLocal = { isLocal: true } as const

/** The finding of each code. A new code is a row, and `npm run generate` adds it to the type of codes. */
export const findings: Readonly<Record<ErrorCode, Finding>> = {
  ...group(startFindings, isLocal),
  ...guardFindings,
  ...nameFindings,
  ...networkFindings,
  ...group(loginFindings, { ...failed, subject: subjects.AUTHORITY }),
  ...group(hostFindings, { ...failed, ...isLocal }),
  // The other findings of managed identities are faults of this machine. This one is a refusal by the identity endpoint.
  MANAGED_IDENTITY_REJECTED: { ...hostFindings.MANAGED_IDENTITY_REJECTED, ...failed },
  ...tokenFindings,
}

/** Adds the same properties to each finding of a group. */
function group<K extends string>(
  findings: Readonly<Record<K, Finding>>,
  more: Partial<Finding>,
): Readonly<Record<K, Finding>> {
  const entries = Object.entries<Finding>(findings).map(([code, finding]) => [code, { ...more, ...finding }])
  return Object.fromEntries(entries) as Record<K, Finding>
}

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
