import { type Evidence, shapedEvidence } from './evidence.ts'
import { type Change, type ChangeableField, type FactName, type Finding, layers } from './finding.ts'
import type { Layer, RunFacts, Subject, Target } from './finding.ts'

/** The action that corrects a failure. */
export interface Fix {
  /** Begins with a verb, and names the variable, field, file or command. */
  readonly text: string
  readonly change?: Change
  /** Empty for a warning whose message says enough. */
  readonly cause: string
}

/** The facts about one failure. */
interface Situation {
  readonly known: { readonly [K in FactName]?: string | undefined }
  readonly run: RunFacts
  readonly subject: Subject | undefined
}

/** Makes the fix of a failure from the case of its finding that applies. */
export function chooseFix(finding: Finding, evidence: Evidence, run: RunFacts): Fix {
  const { subject, cause } = finding
  const situation = { known: knownFacts(evidence, run, subject), run, subject }
  const chosen = chooseCase(finding, situation)
  const [, doubted = ''] = /\{(\w+)\.open\}/.exec(cause) ?? []
  const fix = chosen ?? `Ask the operator of {at} for the reason.[{${doubted}.proof}]`
  return { cause: textOf(cause, situation), text: textOf(fix, situation), ...changeOf(fix, situation) }
}

/**
 * The first case that applies, else the general fix of the finding. Every fix obeys these rules, and without one that does, the result is
 * `undefined`: it changes no proven field, sets no value of another known cloud, and blames no layer that passed or that a later one needs.
 */
export const chooseCase = ({ cases = [], fix }: Finding, situation: Situation): string | undefined =>
  [...cases, fix].find((each) => applies(each, situation))

/** The evidence, and the facts that are derived from it and from the run. */
function knownFacts(evidence: Evidence, run: RunFacts, subject: Subject | undefined): Situation['known'] {
  const shaped = shapedEvidence(evidence)
  const { file, mode, tenantId, clientId, audience, authority, clock, clockOf, endpoint, proven } = run
  const name = subject?.name ?? 'the host'
  const differing = (shaped.differingFields ?? '').split(', ') as ChangeableField[]
  const keep = differing.filter((field) => proven[field] !== undefined)
  const isAuthority = subject === undefined || subject.field === 'authorityHost'
  const ofManager = [undefined, 'resourceManagerAudience'].includes(endpoint?.audienceField)
  const { scope, scopeToUse, receivedBytes, otherPath } = shaped
  const isOfManager = scope === undefined || resourceOf(scope) === resourceOf(audience ?? '')
  return {
    file,
    mode,
    tenantId,
    clientId,
    audience,
    authority,
    authorityToSet: isAuthority ? run.authorityToSet : undefined,
    audienceToSet: ofManager && isOfManager ? run.audienceToSet : undefined,
    // A response that begins, or one to another path, shows that the connection works.
    passed: (receivedBytes ?? otherPath) === undefined ? endpoint?.passed : 'response',
    page: pageOf(shaped),
    audienceField: endpoint?.audienceField,
    scopeOf: scope && (isOfManager ? 'resource manager' : 'service'),
    audienceToUse: scopeToUse?.replace(/\.default$/, ''),
    fieldsToKeep: keep[0] && `${keep.join(', ')}: the profile is correct (${proven[keep[0]]})`,
    ...shaped,
    name,
    at: shaped.host ?? name,
    application: shaped.clientId ?? clientId ?? 'of PLATFORM_CLIENT_ID',
    clockProof:
      clock === 'agrees' ? ` The local clock is correct (it agrees with the clock of ${clockOf}).` : undefined,
  }
}

/** What the text of a case says: the conditions that must hold, what changes, and the fact with the new value. */
export const claimsOf = (fix: string) => ({
  conditions: namesIn(fix.replaceAll(optional, '')),
  changes: /\{(\w+)\.change\}/.exec(fix)?.[1],
  value: /\{(\w+)\.value\}/.exec(fix)?.[1] as FactName | undefined,
})

/** The phrases of other programs that select a case. */
export const signsIn = (fix: string): readonly string[] =>
  namesIn(fix).flatMap((name) => (name.startsWith('sign=') ? name.slice(5).split('|') : []))

/** Whether all conditions of a case hold, and the rules of fixes allow it. */
function applies(fix: string, situation: Situation): boolean {
  const { run } = situation
  const { conditions, value } = claimsOf(fix)
  if (conditions.some((name) => valueOf(name, situation) === undefined)) return false
  const { change } = changeOf(fix, situation)
  const same = JSON.stringify(change && { ...change, value: undefined })
  const proven = Object.keys(run.proven) as ChangeableField[]
  if (change !== undefined && proven.some((field) => JSON.stringify(run.changeOf(field)) === same)) return false
  return value === undefined || valueOf(`${value}.cloud`, situation) === undefined
}

/** The setting that a case changes. */
function changeOf(fix: string, situation: Situation): { readonly change?: Change } {
  const { known, run } = situation
  const { changes, value } = claimsOf(fix)
  const found = value && known[value]
  if (changes === undefined) return {}
  if (isVariable(changes)) {
    const variable = valueOf(`${changes}.change`, situation)
    return variable === undefined ? {} : { change: { variable, ...(found !== undefined && { value: found }) } }
  }
  const field = fieldOf(changes as Target, situation)
  const change = field && run.changeOf(field, found)
  return change === undefined ? {} : { change }
}

/** Whether a case changes a variable, or the one that a fact names, and not a field. */
const isVariable = (changes: string): boolean => /^(?:[A-Z]|variable$|noProxy$)/.test(changes)

/** Optional texts, of which the first one with known facts appears. A condition in them has one value, because `|` ends a text. */
const optional = /\[([^[\]]*)\]/g
const placeholder = /\{([^{}]*)\}/g

const namesIn = (text: string): readonly string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name)

/** A text with the values of its facts. */
function textOf(text: string, situation: Situation): string {
  const isKnown = (name: string) => valueOf(name, situation) !== undefined
  return text
    .replaceAll(optional, (_, texts: string) => texts.split('|').find((each) => namesIn(each).every(isKnown)) ?? '')
    .replaceAll(placeholder, (_, name: string) => valueOf(name, situation) ?? '')
    .trimStart()
}

/** The value of a fact, or of a part of it such as `location.host`. `undefined` if it is unknown. */
function valueOf(name: string, situation: Situation): string | undefined {
  const { known, run, subject } = situation
  const [fact = '', values] = name.split('=')
  if (values !== undefined) return values.split('|').includes(known[fact as FactName] ?? '') ? '' : undefined
  const [of = '', part] = name.split('.')
  const value = known[of as FactName]
  const field = fieldOf(of as Target, situation)
  const proof = field && run.proven[field]
  switch (part) {
    case 'proof':
      return proof && ` The profile is correct (${proof}).`
    case 'change':
      if (/^[A-Z]/.test(of)) return of
      return isVariable(of) ? value : valueOf(`${of}.setting`, situation)
    case 'setting':
      if (proof !== undefined) return undefined
      if (of !== 'address') return field && run.nameOf(field)
      return run.endpoint?.address ?? (subject?.field === undefined ? subject?.address : run.nameOf(subject.field))
    case 'open': {
      const isPassed = layers.indexOf(of as Layer) <= layers.indexOf(known.passed as Layer)
      return (layers.includes(of as Layer) ? isPassed : proof !== undefined) ? undefined : ''
    }
    case 'known':
      return value && ''
    case 'cloud':
      return value && run.ownerOf(value.includes('://') ? value : `https://${value}/`)
    case 'host':
      return value && URL.parse(value)?.host
    case 'start':
      return value && `${value.slice(0, 23)}…`
    default:
      return value
  }
}

function fieldOf(target: Target, { run, subject }: Situation): ChangeableField | undefined {
  if (target === 'address') return run.endpoint?.field ?? subject?.field
  return target === 'audience' ? (run.endpoint?.audienceField ?? 'resourceManagerAudience') : target
}

function pageOf({ title, words, server, supportId }: Evidence): string | undefined {
  const said = [title, words].flatMap((text) => (text === undefined ? [] : `"${text}"`)).join(': ')
  const all = [said, supportId && `support id ${supportId}`, server && `server ${server}`].filter(Boolean)
  return (title ?? words ?? supportId) === undefined ? undefined : all.join(', ')
}

/** A scope or an audience without its end, `.default` or slashes. */
const resourceOf = (text: string): string => text.replace(/\.default$/, '').replace(/\/{1,3}$/, '')
