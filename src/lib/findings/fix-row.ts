import type { ChangeableField, Advice, Facts, FixRow, Layer } from './finding.ts'
import type { Evidence, EvidenceName } from './evidence.ts'

/** A value in the text of a fix: evidence by its name, a fact of the run, a field to change, or a function of the facts. */
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

/** Makes a tag for template literals that are fixes. The row applies only if every value in the text is known. */
function template(more: (facts: Facts) => Partial<Advice> = () => ({})): Template {
  return (texts, ...parts) =>
    (facts) => {
      const values = parts.map((part) => valueOf(facts, part))
      if (values.includes(undefined)) return undefined
      const corrects = parts.flatMap((part) => (typeof part === 'object' ? (part.change(facts) ?? []) : []))
      return { text: String.raw({ raw: texts }, ...values), corrects, ...more(facts) }
    }
}

/** A fix that sets no single variable or field. */
export const say: Template = template()

/** A fix that only the operator of the host can make. */
export const ask: Template = template((facts) => ({ by: `operator of ${host(facts)}` }))

/** A fix that sets a variable, given by its name or by the evidence that contains its name. */
export function sets(variable: string | { readonly in: EvidenceName }, value?: Part): Template {
  return template((facts) => {
    const name = typeof variable === 'string' ? variable : facts[variable.in]
    const set = value === undefined ? undefined : valueOf(facts, value)
    return name === undefined ? {} : { change: { variable: name, ...(set === undefined ? {} : { value: set }) } }
  })
}

/** A fix that sets a field of the profile, or the variable that overrides it. */
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

/** The field of the host's address. */
export const addressField = ({ run, subject }: Facts): ChangeableField | undefined =>
  run.endpoint?.field ?? subject?.field

export const setsAddress = (value?: Part): Template => setsField(addressField, value)

// Parts of texts. A row applies only if each of its parts has a value.

/** The variable or field to edit. Has no value if the field is proven. */
export const named = (field: ChangeableField | ((facts: Facts) => ChangeableField | undefined)): Part => ({
  change: typeof field === 'string' ? () => field : field,
})

/** The field of the host's token audience. */
export const audienceField = ({ run }: Facts): ChangeableField =>
  run.endpoint?.audienceField ?? 'resourceManagerAudience'

/** Evidence between two texts. Empty if the evidence is unknown. */
export const optional =
  (name: EvidenceName, before: string, after = ''): Part =>
  (facts) =>
    valueOf(facts, name) === undefined ? '' : `${before}${valueOf(facts, name)}${after}`

/** Evidence, or another text if the evidence is unknown. */
export const valueOr =
  (name: EvidenceName, otherwise: string): Part =>
  (facts) =>
    valueOf(facts, name) ?? otherwise

export const kindOfHost = ({ subject }: Facts): string => subject?.name ?? 'the host'

/** The host of the failure, or its kind if its name is unknown. */
export const host = (facts: Facts): string => facts.host ?? kindOfHost(facts)

/** A sentence that says why a field needs no change. Has no value if the live cloud doesn't confirm the field. */
export const proofOf =
  (field: ChangeableField | undefined | ((facts: Facts) => ChangeableField | undefined)) =>
  (facts: Facts): string | undefined => {
    const path = typeof field === 'function' ? field(facts) : field
    const proof = path && facts.run.proven[path]
    return proof && ` The profile is correct (${proof}).`
  }

/** A sentence that says why the host's address needs no change. Has no value if the live cloud doesn't confirm it. */
export const proof = (facts: Facts): string | undefined => proofOf(addressField(facts))(facts)

/** The setting of the host's address. Has no value if the live cloud confirms the address. */
export function address(facts: Facts): string | undefined {
  const { run, subject } = facts
  if (proof(facts) !== undefined) return undefined
  return run.endpoint?.address ?? (subject?.field === undefined ? (subject?.address ?? '') : run.nameOf(subject.field))
}

/** The setting of the host's address between two texts, or the proof that it needs no correction. */
export const unlessProven =
  (before: string, after: string): Part =>
  (facts) => {
    const correct = address(facts)
    return correct === undefined ? proof(facts) : `${before}${correct}${after}`
  }

/** Ends a fix outside of the profile: with the alternative to correct the address, or with the proof that it is correct. */
export const orCorrect: Part = (facts) => {
  const correct = address(facts)
  return correct === undefined ? `.${proof(facts)}` : `, or correct ${correct}.`
}

export const application: Part = ({ run }) => run.clientId ?? 'of PLATFORM_CLIENT_ID'
export const inTenant: Part = ({ run }) => (run.tenantId === undefined ? '' : ` in tenant ${run.tenantId}`)

/** A sentence that the local clock is correct. Has no value unless the hosts of the cloud agree with it. */
export const clockProof = ({ clock, clockOf }: Facts['run']): string | undefined =>
  clock === 'agrees' ? ` The local clock is correct (it agrees with the clock of ${clockOf}).` : undefined

/** The proof of the audience. Empty if there is none. */
export const audienceProof: Part = ({ run: { proven } }) =>
  proven.resourceManagerAudience === undefined ? '' : ` The audience is correct (${proven.resourceManagerAudience}).`

/** A field to change between two texts. Empty if the live cloud confirms the field. */
export const orChange =
  (field: ChangeableField, before: string, after = ''): Part =>
  ({ run }) =>
    run.proven[field] === undefined ? `${before}${run.nameOf(field)}${after}` : ''

// Conditions.

/** Adds a condition to a row: evidence that is known, evidence with a certain value, or a test of the facts. */
export function when(condition: EvidenceName | Evidence | ((facts: Facts) => unknown), row: FixRow): FixRow {
  const isMet = (facts: Facts) => {
    if (typeof condition === 'function') return Boolean(condition(facts))
    if (typeof condition === 'string') return facts[condition] !== undefined
    return Object.entries(condition).every(([name, value]) => facts[name as EvidenceName] === value)
  }
  return (facts) => (isMet(facts) ? row(facts) : undefined)
}

/** Adds a more specific cause to a row. `{name}` is the kind of host. */
export const because =
  (cause: string, row: FixRow): FixRow =>
  (facts) => {
    const made = row(facts)
    return made && { ...made, cause: cause.replaceAll('{name}', kindOfHost(facts)) }
  }

/** Adds the layer with the fault to a row, which is skipped if this layer or a later one passed. */
export const blaming =
  (layer: Layer, row: FixRow): FixRow =>
  (facts) => {
    const made = row(facts)
    return made && { ...made, blames: layer }
  }

/** A row that applies if the value belongs to another known cloud. `owner` is the name of that cloud. */
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

/** A fix outside of the profile. Applies only if the live cloud confirms the field, and ends with the proof. */
export const ifProven = (
  field: ChangeableField | ((facts: Facts) => ChangeableField | undefined),
  fix: FixRow,
): FixRow => ending(proofOf(field), fix)

/** A fix outside of this machine. Applies only if the hosts of the cloud agree with the local clock. */
export const ifClockAgrees = (fix: FixRow): FixRow => ending(({ run }) => clockProof(run), fix)

/** A fix with two alternatives: correct the address, or `outside`. If the cloud confirms the address, only `outside` is left. */
export const correctOr =
  (outside: FixRow, correct = 'Correct'): FixRow =>
  (facts) => {
    const text = outside(facts)?.text ?? ''
    const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    return setsAddress()`${() => correct} ${address}, or ${() => text}.`(facts) ?? say`${() => capital}.${proof}`(facts)
  }

// Rows of several findings.

/** Sets the login authority or audience that the cloud publishes, unless the value belongs to another known cloud. */
const setTo = (field: ChangeableField, value: (facts: Facts) => string | undefined, current: Part): FixRow =>
  when(
    (facts) => facts.run.proven[field] === undefined && facts.run.ownerOf(value(facts) ?? '') === undefined,
    setsField(
      field,
      value,
    )`Set ${named(field)} to ${value}, which the cloud publishes. The current value is ${current}.`,
  )

export const setAuthority: FixRow = when(
  ({ subject }) => subject === undefined || subject.field === 'authorityHost',
  setTo('authorityHost', ({ run }) => run.authorityToSet, 'authority'),
)

export const setAudience: FixRow = setTo('resourceManagerAudience', ({ run }) => run.audienceToSet, 'audience')

/** For a host that worked before with the same settings: the host, its DNS record or the network has changed, and not the profile. */
export const workedBefore: FixRow = ask`Ask the operator of ${'host'}, or of the network to it, what changed. It worked until ${({ run }) => run.endpoint?.workedUntil} with these settings, so do not change the profile.`

/** For a tenant whose OpenID configuration names another cloud. */
export const tenantOfAnotherCloud: readonly FixRow[] = [
  when(
    ({ run }) => run.hasFile === true,
    say`Unset CUSTOM_CLOUD_PROFILE_PATH and set PLATFORM_CLOUD=${'platformCloud'} (the tenant belongs to ${'tenantCloud'}${optional('graphHost', ', Graph host ')})${orChange('tenantId', ', or correct ')}.`,
  ),
  sets(
    'PLATFORM_CLOUD',
    'platformCloud',
  )`Set PLATFORM_CLOUD=${'platformCloud'} (the tenant belongs to ${'tenantCloud'}${optional('graphHost', ', Graph host ')})${orChange('tenantId', ', or correct ')}.`,
  say`Use a profile of ${'tenantCloud'}, which the tenant belongs to${optional('graphHost', ' (Graph host ', ')')}${orChange('tenantId', ', or correct ')}.`,
]
