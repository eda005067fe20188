import { type Evidence, shapedEvidence } from './evidence.ts'
import {
  type Case,
  type Change,
  type ChangeableField,
  type FactName,
  type Finding,
  type KnownFacts,
  layers,
  type RunFacts,
  type Subject,
  type Target,
  type Words,
} from './finding.ts'

/** The action that corrects a failure. */
export interface Fix {
  /** Begins with a verb, and names the variable, field, file or command. */
  readonly text: string
  readonly change?: Change
  /** A more specific cause than the finding's. */
  readonly cause?: string
}

/** The facts about one failure. */
interface Situation {
  readonly known: KnownFacts
  readonly run: RunFacts
  readonly subject: Subject | undefined
}

/** Makes the fix of a failure from the case of its finding that applies. */
export function chooseFix(finding: Finding, evidence: Evidence, run: RunFacts): Fix {
  const { subject, cause, causeIfProven } = finding
  const situation = { known: knownFacts(evidence, run, subject), run, subject }
  const proof = proofOf(causeIfProven?.field, situation)
  const chosen = chooseCase(finding, situation)
  const { name, at } = wordsOf(chosen ?? finding, situation)
  const found = (chosen === finding ? undefined : chosen?.cause) ?? (proof === '' ? cause : causeIfProven?.cause)
  return {
    ...(found !== undefined && found !== cause && { cause: found.replaceAll('{name}', name) }),
    text: chosen ? textOf(chosen, situation) : `Ask the operator of ${at} for the reason.${proof}`,
    ...(chosen && changeOf(chosen, situation)),
  }
}

/**
 * The first case that applies, else the general fix of the finding. Every fix obeys these rules, and without one that does, the result is
 * `undefined`: it changes no proven field, sets no value of another known cloud, and blames no layer that passed or that a later one needs.
 */
export function chooseCase(finding: Finding, situation: Situation): Case | undefined {
  return [...(finding.cases ?? []), finding].find((each) => applies(each, situation))
}

/** The evidence, and the facts of the run that a case may need. */
function knownFacts(evidence: Evidence, run: RunFacts, subject: Subject | undefined): KnownFacts {
  const shaped = shapedEvidence(evidence)
  const { mode, tenantId, clientId, audience, authority, clock, clockOf, endpoint, file, proven } = run
  const situation = { known: shaped, run, subject }
  const isOpen = (field: ChangeableField) => proven[field] === undefined
  const differing = (shaped.differingFields ?? '').split(', ').filter((field) => field !== '') as ChangeableField[]
  const keep = differing.filter((field) => !isOpen(field))
  const isAuthority = subject === undefined || subject.field === 'authorityHost'
  const ofManager = fieldOf('audience', situation) === 'resourceManagerAudience'
  const { scope, scopeToUse } = shaped
  const isOfManager = scope === undefined || resourceOf(scope) === resourceOf(audience ?? '')
  return {
    mode,
    tenantId,
    clientId,
    audience,
    authority,
    clock,
    clockOf,
    authorityToSet: isAuthority ? run.authorityToSet : undefined,
    audienceToSet: ofManager && isOfManager ? run.audienceToSet : undefined,
    passed: endpoint?.passed,
    page: pageOf(shaped),
    addressSetting: addressSetting(situation),
    audienceSetting:
      endpoint?.audienceField && isOpen(endpoint.audienceField) ? run.nameOf(endpoint.audienceField) : undefined,
    provenSuffix: endpoint?.hasProvenSuffix === true ? 'yes' : undefined,
    profileFile: file,
    onlyLookup: endpoint === undefined && run.isPublic === true ? 'public' : undefined,
    audienceProblem: audienceProblem(shaped),
    scopeOf: scope && (isOfManager ? 'resource manager' : 'service'),
    audienceToUse: scopeToUse?.replace(/\.default$/, ''),
    fieldsToKeep: keep[0] && `${keep.join(', ')}: the profile is correct (${proven[keep[0]]})`,
    fieldsToCopy: differing.filter(isOpen).join(', ') || undefined,
    ...shaped,
  }
}

/** Whether every fact that a case needs is known and has the required value, and the rules of fixes allow it. */
function applies(each: Case, situation: Situation): boolean {
  const { needs = [], is = {}, foreign, ifProven } = each
  const { known } = situation
  const hasValue = ([name, values]: [string, string | readonly string[]]) =>
    [values].flat().includes(known[name as FactName] ?? '')
  return (
    needs.every((name) => known[name] !== undefined) &&
    Object.entries(is).every(hasValue) &&
    (foreign === undefined || otherCloudOf(known[foreign], situation) !== '') &&
    (ifProven === undefined || proofOf(ifProven, situation) !== '') &&
    isAllowed(each, situation)
  )
}

function isAllowed(each: Case, situation: Situation): boolean {
  const { run, known } = situation
  const { corrects = [], sets, value, blames } = each
  const fields = typeof sets === 'object' && 'field' in sets ? [...corrects, sets.field] : corrects
  if (fields.some((field) => proofOf(field, situation) !== '')) return false
  const { change } = changeOf(each, situation)
  const same = JSON.stringify(change && { ...change, value: undefined })
  const proven = Object.keys(run.proven) as ChangeableField[]
  if (change !== undefined && proven.some((field) => JSON.stringify(run.changeOf(field)) === same)) return false
  if (value !== undefined && otherCloudOf(known[value], situation) !== '') return false
  const { passed } = run.endpoint ?? {}
  return blames === undefined || passed === undefined || layers.indexOf(blames) > layers.indexOf(passed)
}

/** The setting that a case changes. */
function changeOf({ sets, value }: Partial<Case>, situation: Situation): { readonly change?: Change } {
  const { run, known } = situation
  const found = value && known[value]
  if (sets === undefined) return {}
  if (typeof sets === 'object' && 'field' in sets) {
    const field = fieldOf(sets.field, situation)
    const change = field && run.changeOf(field, found)
    return change === undefined ? {} : { change }
  }
  const variable = typeof sets === 'string' ? sets : known[sets.in]
  return variable === undefined ? {} : { change: { variable, ...(found === undefined ? {} : { value: found }) } }
}

function textOf(each: Case, situation: Situation): string {
  const { fix, ifProven } = each
  const text = typeof fix === 'string' ? fix : fix({ ...situation.known, ...wordsOf(each, situation) })
  return text + proofOf(ifProven, situation)
}

function wordsOf({ sets, corrects = [], foreign }: Partial<Case>, situation: Situation): Words {
  const { known, subject } = situation
  const name = subject?.name ?? 'the host'
  const [target] = typeof sets === 'object' && 'field' in sets ? [sets.field] : corrects
  const maybe: Words['maybe'] = (fact, before, after = '') =>
    known[fact] === undefined ? '' : `${before}${known[fact]}${after}`
  const proof = proofOf('address', situation)
  return {
    name,
    at: known.host ?? name,
    application: known.clientId ?? 'of PLATFORM_CLIENT_ID',
    inTenant: maybe('tenantId', ' in tenant '),
    setting: nameOf(target, situation),
    otherCloud: otherCloudOf(foreign && known[foreign], situation),
    proof,
    orCorrect: maybe('addressSetting', ', or correct ', '.') || `.${proof}`,
    clockProof:
      known.clock === 'agrees' ? ` The local clock is correct (it agrees with the clock of ${known.clockOf}).` : '',
    maybe,
    or: (fact, otherwise) => known[fact] ?? otherwise,
    unlessProven: (field, before, after = '') =>
      proofOf(field, situation) === '' ? `${before}${nameOf(field, situation)}${after}` : '',
  }
}

function fieldOf(target: Target, { run, subject }: Situation): ChangeableField | undefined {
  if (target === 'address') return run.endpoint?.field ?? subject?.field
  return target === 'audience' ? (run.endpoint?.audienceField ?? 'resourceManagerAudience') : target
}

function nameOf(target: Target | undefined, situation: Situation): string {
  if (target === 'address') return situation.known.addressSetting ?? 'its address'
  const field = target && fieldOf(target, situation)
  return field === undefined ? '' : situation.run.nameOf(field)
}

/** A sentence that says why a field needs no change. Empty if the live cloud doesn't confirm the field. */
function proofOf(target: Target | undefined, situation: Situation): string {
  const field = target && fieldOf(target, situation)
  const proof = field && situation.run.proven[field]
  return proof === undefined ? '' : ` The profile is correct (${proof}).`
}

function addressSetting(situation: Situation): string | undefined {
  const { run, subject } = situation
  if (proofOf('address', situation) !== '') return undefined
  return run.endpoint?.address ?? (subject?.field === undefined ? subject?.address : run.nameOf(subject.field))
}

function pageOf({ title, words, server, supportId }: Evidence): string | undefined {
  const said = [title, words].flatMap((text) => (text === undefined ? [] : `"${text}"`)).join(': ')
  const all = [said, supportId && `support id ${supportId}`, server && `server ${server}`].filter(Boolean)
  return (title ?? words ?? supportId) === undefined ? undefined : all.join(', ')
}

function audienceProblem({ tokenAudience, assertionAudience, federatedAudience }: Evidence): string | undefined {
  if (federatedAudience === undefined) return undefined
  if (tokenAudience === JSON.stringify(federatedAudience)) return 'federated token'
  return assertionAudience === undefined || assertionAudience === federatedAudience ? undefined : 'other audience'
}

/** The name of the other known cloud that a host or an address belongs to. Empty if there is none. */
function otherCloudOf(value: string | undefined, { run }: Situation): string {
  if (value === undefined) return ''
  return run.ownerOf(value.includes('://') ? value : `https://${value}/`) ?? ''
}

/** A scope or an audience without its end, `.default` or slashes. */
const resourceOf = (text: string): string => text.replace(/\.default$/, '').replace(/\/{1,3}$/, '')
