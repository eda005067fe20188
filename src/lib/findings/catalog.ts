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

const failed = ['Token acquisition failed']

/** The finding of each code. A new code is a row, and `npm run generate` adds it to the type of codes. */
export const findings: Readonly<Record<ErrorCode, Finding>> = {
  ...group(startFindings, { isLocal: true }),
  ...guardFindings,
  ...nameFindings,
  ...networkFindings,
  ...group(loginFindings, { subject: subjects.AUTHORITY }, failed),
  ...group(hostFindings, { isLocal: true }, failed),
  ...tokenFindings,
}

/** Adds to each finding what all of a group have in common: properties that it doesn't have itself, and signs after its own. */
function group<K extends string>(
  rows: Readonly<Record<K, Finding>>,
  more: Partial<Finding>,
  common: readonly string[] = [],
): Readonly<Record<K, Finding>> {
  const entries = Object.entries<Finding>(rows).map(([code, { signs = [], ...finding }]) => {
    return [code, { ...more, ...finding, signs: [...signs, ...common] }]
  })
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
