import {
  type Finding,
  type Advice,
  type EndpointFacts,
  type Facts,
  layers,
  type RunFacts,
  changeOfField,
  nameOfField,
} from './finding.ts'
import { guardFindings, loginFindings } from './login-findings.ts'
import { hostFindings, startFindings } from './local-findings.ts'
import { nameFindings, networkFindings, subjects } from './network-faults.ts'
import { tokenFindings } from './token-findings.ts'
import type { ErrorCode } from './codes.ts'
import { type Evidence, shapedEvidence } from './evidence.ts'
import { addressField, ask, audienceField, host, kindOfHost, proofOf } from './fix-row.ts'

// This folder has the cause and the fixes of every error code and warning, as rows with conditions on facts. It reads nothing and imports no
// other folder.

const failed = { signs: ['Token acquisition failed'] } as const
const isLocal = { isLocal: true } as const

const rows = {
  ...group(startFindings, isLocal),
  ...guardFindings,
  ...nameFindings,
  ...networkFindings,
  ...group(loginFindings, { ...failed, subject: subjects.AUTHORITY }),
  ...group(hostFindings, { ...failed, ...isLocal }),
  // The other findings of managed identities are faults of this machine. This one is a refusal by the identity endpoint.
  MANAGED_IDENTITY_REJECTED: { ...hostFindings.MANAGED_IDENTITY_REJECTED, ...failed } as Finding,
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
export function fixOf({ code, evidence = {} }: Failure, run: RunFacts | EndpointFacts = noRun): Advice {
  const facts = 'proven' in run ? run : { ...noRun, endpoint: run }
  return adviceOf(findingOf(code), { ...shapedEvidence(evidence), run: facts })
}

/** The fix of a finding for documents, without facts. */
export function generalFix(finding: Finding): string {
  return adviceOf(finding, { run: noRun }).text
}

/** Makes the fix from the first row that applies and doesn't contradict the facts. Its cause never doubts a proven field. */
function adviceOf({ fix, subject, causeIfProven }: Finding, given: Facts): Advice {
  const facts = { ...given, subject }
  const rows = typeof fix === 'string' ? [fix] : fix
  const made = rows.flatMap((row): Advice[] => {
    const advice = typeof row === 'string' ? { text: row } : row(facts)
    return advice !== undefined && isAllowed(advice, facts) ? [advice] : []
  })
  const { field, cause } = causeIfProven ?? {}
  const doubted = field === 'address' ? addressField(facts) : field === 'audience' ? audienceField(facts) : field
  const isProven = doubted !== undefined && facts.run.proven[doubted] !== undefined
  const [advice = ask`Ask the operator of ${host} for the reason.${(each) => proofOf(doubted)(each) ?? ''}`(facts)] =
    made
  return {
    ...(cause !== undefined && isProven ? { cause: cause.replaceAll('{name}', kindOfHost(facts)) } : {}),
    text: '',
    ...advice,
  }
}

/** Every fix obeys these rules: it changes no proven field, sets no value of another known cloud, and blames only layers that did not pass. */
function isAllowed({ change, blames, corrects = [] }: Advice, { run }: Facts): boolean {
  if (corrects.some((field) => run.proven[field] !== undefined)) return false
  const fields = Object.keys(run.proven) as (keyof typeof run.proven)[]
  const same = JSON.stringify(change && { ...change, value: undefined })
  if (change !== undefined && fields.some((field) => JSON.stringify(run.changeOf(field)) === same)) return false
  if (change?.value !== undefined && run.ownerOf(change.value) !== undefined) return false
  const { passed } = run.endpoint ?? {}
  return blames === undefined || passed === undefined || layers.indexOf(blames) > layers.indexOf(passed)
}
