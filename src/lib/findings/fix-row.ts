import type { ChangeableField, Advice, Facts, FixRow, Layer } from './finding.ts'
import type { Evidence, EvidenceName } from './evidence.ts'

/** A value in the text of a fix: evidence by its name, a fact of the run, the name of a field to change, or a text made from facts. */
export type Part =
  | EvidenceName
  | 'authority'
  | { readonly change: (facts: Facts) => ChangeableField | undefined }
  | ((facts: Facts) => string | undefined)

function valueOf(facts: Facts, part: Part): string | undefined {
  if (typeof part === 'function') return part(facts)
  if (typeof part === 'object') {
    const field = part.change(facts)
    return field && facts.run.nameOf(field)
  }
  if (part === 'authority') return facts.run.authority
  const ofRun = part === 'clientId' || part === 'tenantId' || part === 'audience' ? facts.run[part] : undefined
  return facts[part] ?? ofRun
}

type Template = (texts: TemplateStringsArray, ...parts: readonly Part[]) => FixRow

/** A template of a fix. The row applies only if every value of its text is known. */
function template(more: (facts: Facts) => Partial<Advice> = () => ({})): Template {
  return (texts, ...parts) =>
    (facts) => {
      const values = parts.map((part) => valueOf(facts, part))
      if (values.includes(undefined)) return undefined
      const corrects = parts.flatMap((part) => (typeof part === 'object' ? (part.change(facts) ?? []) : []))
      return { text: String.raw({ raw: texts }, ...values), corrects, ...more(facts) }
    }
}

/** A fix without a setting. */
export const say: Template = template()

/** A fix that the operator of the host makes. */
export const ask: Template = template((facts) => ({ by: `operator of ${host(facts)}` }))

/** A fix that sets a variable: by its name, or by the evidence that names it. */
export function sets(variable: string | { readonly in: EvidenceName }, value?: Part): Template {
  return template((facts) => {
    const name = typeof variable === 'string' ? variable : facts[variable.in]
    const set = value === undefined ? undefined : valueOf(facts, value)
    return name === undefined ? {} : { change: { variable: name, ...(set === undefined ? {} : { value: set }) } }
  })
}

/** A fix that sets a field of the profile, as the settings in force allow. */
export function setsField(
  field: ChangeableField | ((facts: Facts) => ChangeableField | undefined),
  value?: Part,
): Template {
  return template((facts) => {
    const path = typeof field === 'string' ? field : field(facts)
    const change = path && facts.run.changeOf(path, value && valueOf(facts, value))
    return change === undefined ? {} : { change }
  })
}

/** The field with the address of the host. */
export const addressField = ({ run, subject }: Facts): ChangeableField | undefined =>
  run.endpoint?.field ?? subject?.field

/** A fix that sets the address of the host. */
export const setsAddress = (value?: Part): Template => setsField(addressField, value)

// Parts of texts.

/** The name of a field as the reader can change it. A row with it applies only where the field is not proven. */
export const named = (field: ChangeableField | ((facts: Facts) => ChangeableField | undefined)): Part => ({
  change: typeof field === 'string' ? () => field : field,
})

/** The field with the audience of the tokens of the host. */
export const audienceField = ({ run }: Facts): ChangeableField =>
  run.endpoint?.audienceField ?? 'resourceManagerAudience'

/** A part of a text that is left out if its evidence is unknown. */
export const given =
  (name: EvidenceName, before: string, after = ''): Part =>
  (facts) =>
    valueOf(facts, name) === undefined ? '' : `${before}${valueOf(facts, name)}${after}`

/** Evidence, or other words where it is unknown. */
export const known =
  (name: EvidenceName, otherwise: string): Part =>
  (facts) =>
    valueOf(facts, name) ?? otherwise

export const kindOfHost = ({ subject }: Facts): string => subject?.name ?? 'the host'

/** The host of the failure, or its kind if the name is unknown. */
export const host = (facts: Facts): string => facts.host ?? kindOfHost(facts)

/** Why a field needs no change, if the live cloud confirms it. */
export const proofOf =
  (field: ChangeableField | undefined | ((facts: Facts) => ChangeableField | undefined)) =>
  (facts: Facts): string | undefined => {
    const path = typeof field === 'function' ? field(facts) : field
    const proof = path && facts.run.proven[path]
    return proof && ` The profile is correct (${proof}).`
  }

/** The end of a fix where the cloud confirms the address of the host; a row with it applies only there. */
export const proof = (facts: Facts): string | undefined => proofOf(addressField(facts))(facts)

/** The name of the setting with the address of the host; a row with it applies only where the cloud does not confirm the address. */
export function address(facts: Facts): string | undefined {
  const { run, subject } = facts
  if (proof(facts) !== undefined) return undefined
  return run.endpoint?.address ?? (subject?.field === undefined ? (subject?.address ?? '') : run.nameOf(subject.field))
}

/** A text with the address to correct, or the proof that it needs no correction. */
export const unlessProven =
  (before: string, after: string): Part =>
  (facts) => {
    const correct = address(facts)
    return correct === undefined ? proof(facts) : `${before}${correct}${after}`
  }

/** The end of a fix outside the profile. */
export const orCorrect: Part = (facts) => {
  const correct = address(facts)
  return correct === undefined ? `.${proof(facts)}` : `, or correct ${correct}.`
}

/** The application and its tenant, as far as they are known. */
export const application: Part = ({ run }) => run.clientId ?? 'of PLATFORM_CLIENT_ID'
export const inTenant: Part = ({ run }) => (run.tenantId === undefined ? '' : ` in tenant ${run.tenantId}`)

/** Says that the local clock is correct, if the hosts of the cloud agree with it. */
export const clockProof = ({ clock, clockOf }: Facts['run']): string | undefined =>
  clock === 'agrees' ? ` The local clock is correct (it agrees with that of ${clockOf}).` : undefined

/** The proof of the audience, where there is one. */
export const audienceProof: Part = ({ run: { proven } }) =>
  proven.resourceManagerAudience === undefined ? '' : ` The audience is correct (${proven.resourceManagerAudience}).`

/** The text for a field that may be changed; nothing where the cloud confirms it. */
export const orChange =
  (field: ChangeableField, before: string, after = ''): Part =>
  ({ run }) =>
    run.proven[field] === undefined ? `${before}${run.nameOf(field)}${after}` : ''

// Conditions.

/** A row with a further condition: known evidence, evidence with a certain value, or a test of the facts. */
export function when(condition: EvidenceName | Evidence | ((facts: Facts) => unknown), row: FixRow): FixRow {
  const holds = (facts: Facts) => {
    if (typeof condition === 'function') return Boolean(condition(facts))
    if (typeof condition === 'string') return facts[condition] !== undefined
    return Object.entries(condition).every(([name, value]) => facts[name as EvidenceName] === value)
  }
  return (facts) => (holds(facts) ? row(facts) : undefined)
}

/** A row that knows the cause better than the general one, in which `{name}` is the kind of host. */
export const because =
  (cause: string, row: FixRow): FixRow =>
  (facts) => {
    const made = row(facts)
    return made && { ...made, cause: cause.replaceAll('{name}', kindOfHost(facts)) }
  }

/** A row that applies only where no layer above this one passed. */
export const blaming =
  (layer: Layer, row: FixRow): FixRow =>
  (facts) => {
    const made = row(facts)
    return made && { ...made, blames: layer }
  }

/** A row for a value of another known cloud. Its fix names that cloud. */
export function ofAnotherCloud(value: EvidenceName, row: (owner: Part) => FixRow): FixRow {
  const owner = (facts: Facts) => {
    const found = facts[value]
    return found === undefined ? undefined : facts.run.ownerOf(found.includes('://') ? found : `https://${found}/`)
  }
  return when(owner, row(owner))
}

const ending =
  (end: (facts: Facts) => string | undefined, fix: FixRow): FixRow =>
  (facts) => {
    const [text, made] = [end(facts), fix(facts)]
    return text === undefined ? undefined : made && { ...made, text: made.text + text }
  }

/** A fix outside the profile, for when the live cloud confirms a field of the profile. */
export const ifProven = (
  field: ChangeableField | ((facts: Facts) => ChangeableField | undefined),
  fix: FixRow,
): FixRow => ending(proofOf(field), fix)

/** A fix outside this machine, for a local clock that agrees with the login authority. */
export const ifClockAgrees = (fix: FixRow): FixRow => ending(({ run }) => clockProof(run), fix)

/** Corrects the address or does something outside; only the second if the cloud confirms the address. */
export const correctOr =
  (outside: FixRow, correct = 'Correct'): FixRow =>
  (facts) => {
    const text = outside(facts)?.text ?? ''
    const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    return setsAddress()`${() => correct} ${address}, or ${() => text}.`(facts) ?? say`${() => capital}.${proof}`(facts)
  }

// Rows of several findings.

/** Sets the login authority or audience that the cloud names, unless another known cloud has it. */
const setTo = (field: ChangeableField, value: (facts: Facts) => string | undefined, current: Part): FixRow =>
  when(
    (facts) => facts.run.proven[field] === undefined && facts.run.ownerOf(value(facts) ?? '') === undefined,
    setsField(field, value)`Set ${named(field)} to ${value}, which the cloud names. The current value is ${current}.`,
  )

const isAboutAuthority = ({ subject }: Facts): boolean => subject === undefined || subject.field === 'authorityHost'

export const setAuthority: FixRow = when(
  isAboutAuthority,
  setTo('authorityHost', ({ run }) => run.authorityToSet, 'authority'),
)

export const setAudience: FixRow = setTo('resourceManagerAudience', ({ run }) => run.audienceToSet, 'audience')

/** A fix outside the profile, for a host that worked before with these settings: it, its DNS record or the network changed. */
export const workedBefore: FixRow = ask`Ask the operator of ${'host'}, or of the network to it, what changed. It worked until ${({ run }) => run.endpoint?.workedUntil} with these settings, so do not change the profile.`

/** The tenant's OpenID configuration names its cloud. */
export const tenantOfAnotherCloud: readonly FixRow[] = [
  when(
    ({ run }) => run.hasFile === true,
    say`Unset CUSTOM_CLOUD_PROFILE_PATH and set PLATFORM_CLOUD=${'platformCloud'} (the tenant belongs to ${'tenantCloud'}${given('graphHost', ', Graph host ')})${orChange('tenantId', ', or correct ')}.`,
  ),
  sets(
    'PLATFORM_CLOUD',
    'platformCloud',
  )`Set PLATFORM_CLOUD=${'platformCloud'} (the tenant belongs to ${'tenantCloud'}${given('graphHost', ', Graph host ')})${orChange('tenantId', ', or correct ')}.`,
  say`Use a profile of ${'tenantCloud'}, which the tenant belongs to${given('graphHost', ' (Graph host ', ')')}${orChange('tenantId', ', or correct ')}.`,
]
