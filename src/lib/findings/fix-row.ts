import type { EvidenceName } from './evidence.ts'
import type { Advice, Facts, FixRow } from './finding.ts'
import type { ChangeableField } from './fix.ts'

/** A value in the text of a fix: evidence by its name, a fact of the run, or a text made from facts. */
type Part = EvidenceName | 'authority' | ((facts: Facts) => string | undefined)

const valueOf = (facts: Facts, part: Part): string | undefined => {
  if (typeof part === 'function') return part(facts)
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
      return { text: String.raw({ raw: texts }, ...values), ...more(facts) }
    }
}

/** A fix without a setting. */
export const say: Template = template()

/** A fix that the operator of the host makes. */
export const ask: Template = template(({ host }) => ({ by: `operator of ${host}` }))

/** A fix that sets a variable: by its name, or the one that evidence names. */
export function sets(variable: string | { readonly in: EvidenceName }, value?: Part): Template {
  return template((facts) => {
    const name = typeof variable === 'string' ? variable : facts[variable.in]
    const set = value === undefined ? undefined : valueOf(facts, value)
    return name === undefined ? {} : { change: { variable: name, ...(set === undefined ? {} : { value: set }) } }
  })
}

/** A fix that sets a field of the profile, as the settings in force allow. */
export function setsField(field: ChangeableField, value?: Part): Template {
  return template((facts) => {
    const change = facts.run.changeOf(field, value && valueOf(facts, value))
    return change === undefined ? {} : { change }
  })
}

/** The name of a field as the reader can change it. */
export const named =
  (field: ChangeableField): Part =>
  ({ run }) =>
    run.nameOf(field)

/** A row with a further condition: evidence that must be known, or a question to the facts. */
export function when(condition: EvidenceName | ((facts: Facts) => unknown), row: FixRow): FixRow {
  const holds = typeof condition === 'function' ? condition : (facts: Facts) => facts[condition] !== undefined
  return (facts) => Boolean(holds(facts)) && row(facts)
}

/** A row that knows the cause better than the general one. */
export function because(cause: string, row: FixRow): FixRow {
  return (facts) => {
    const made = row(facts)
    return made && { ...(typeof made === 'string' ? { text: made } : made), cause }
  }
}

/** A row for values of another known cloud: the fix names whose they are. */
export function ofAnotherCloud(value: EvidenceName, row: (owner: Part) => FixRow): FixRow {
  const owner = (facts: Facts) => {
    const found = facts[value]
    return found === undefined ? undefined : facts.run.ownerOf(found.includes('://') ? found : `https://${found}/`)
  }
  return when(owner, row(owner))
}

/** A part of a text that stands only where its evidence is known. */
export const given =
  (name: EvidenceName, before: string, after = ''): Part =>
  (facts) =>
    facts[name] === undefined ? '' : `${before}${facts[name]}${after}`

/** The application and its tenant, as far as they are known. */
export const application: Part = ({ run }) => run.clientId ?? 'of PLATFORM_CLIENT_ID'
export const inTenant: Part = ({ run }) => (run.tenantId === undefined ? '' : ` in tenant ${run.tenantId}`)
