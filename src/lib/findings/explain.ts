import { findings, type FindingCode } from './catalog.ts'
import { type Evidence, shapedEvidence } from './evidence.ts'
import { type Advice, type EndpointFacts, type Facts, type Finding, layers, type RunFacts } from './finding.ts'
import { changeOfField, nameOfField } from './shared-fixes.ts'

interface Failure {
  readonly code: FindingCode
  readonly evidence?: Evidence
}

/** What is known without a diagnostics run. */
const noRun: RunFacts = {
  proven: {},
  nameOf: nameOfField,
  changeOf: (field, value) => changeOfField(field, undefined, value),
  ownerOf: () => undefined,
}

/** The finding of a code. An error of another build may have a code that this build does not know. */
export function findingOf(code: FindingCode): Finding {
  return Object.hasOwn(findings, code) ? findings[code] : findings.UNEXPECTED
}

/**
 * The fix of a failure: the first row whose condition holds and that the facts allow; else the general one.
 *
 * @param run The facts of a diagnostics run, or those of the endpoint alone.
 */
export function fixOf({ code, evidence = {} }: Failure, run: RunFacts | EndpointFacts = noRun): Advice {
  return 'proven' in run ? fixBy(run, { code, evidence }) : fixBy({ ...noRun, endpoint: run }, { code, evidence })
}

function fixBy(run: RunFacts, { code, evidence = {} }: Failure): Advice {
  const { fix, fixes = [] } = findingOf(code)
  const facts = { ...shapedEvidence(evidence), run }
  for (const row of fixes) {
    const made = row(facts)
    if (!made) continue
    const advice = typeof made === 'string' ? { text: made } : made
    if (isAllowed(advice, facts)) return advice
  }
  return generalAdvice(fix, facts)
}

/** The fix of a code in documents. */
export function generalFix({ fix }: Finding): string {
  return generalAdvice(fix, { run: noRun }).text
}

function generalAdvice(fix: Finding['fix'], facts: Facts): Advice {
  const made = typeof fix === 'string' ? fix : fix(facts)
  return typeof made === 'object' ? made : { text: made || '' }
}

/**
 * The rules of every fix: it changes no proven field, sets no value of another known cloud, and blames no layer below one that passed.
 */
function isAllowed({ change, blames }: Advice, { run }: Facts): boolean {
  const fields = Object.keys(run.proven) as (keyof typeof run.proven)[]
  const same = JSON.stringify(change && { ...change, value: undefined })
  if (change !== undefined && fields.some((field) => JSON.stringify(run.changeOf(field)) === same)) return false
  if (change?.value !== undefined && run.ownerOf(change.value) !== undefined) return false
  const { passed } = run.endpoint ?? {}
  return blames === undefined || passed === undefined || layers.indexOf(blames) > layers.indexOf(passed)
}
