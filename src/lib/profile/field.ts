import * as z from 'zod/v4/core'

// The core classes of zod: `zod/mini` wraps each in another class, at the cost of every cold start.

/** A rule of a text: a pattern that it must or must not match, a length, or a test in code. */
export type Rule = { readonly message: string } & (
  | { readonly has: RegExp }
  | { readonly hasNot: RegExp }
  | { readonly atMost: number }
  | { readonly test: (value: string) => boolean }
)

/** The description of a field, and the variables that override its value. */
export interface FieldText {
  readonly title: string
  readonly description: string
  readonly examples?: readonly string[]
  /** Of two, the first one set wins. */
  readonly overrides?: readonly string[]
}

/** The facts about a field beside its type: its text and, for a leaf, the rules of its value, the most specific first. */
export interface FieldFacts extends FieldText {
  readonly rules?: readonly Rule[]
}

/** The facts of every field and group of the profile. */
const fieldFacts = new WeakMap<z.$ZodType, FieldFacts>()

export function factsOf(field: z.$ZodType): FieldFacts | undefined {
  return fieldFacts.get(field)
}

/** The schemas of one list of rules. */
interface Schemas {
  readonly text: z.$ZodString
  optional?: z.$ZodOptional
}

/** One schema for each list of rules: a schema costs much more to make than all else of a field, at every cold start. */
const schemas = new Map<readonly Rule[], Schemas>()

function schemasOf(rules: readonly Rule[]): Schemas {
  const known = schemas.get(rules)
  if (known !== undefined) return known
  const keepsRules = new z.$ZodCheck({ check: 'custom' })
  keepsRules._zod.check = ({ value, issues }) => {
    const broken = rules.find((rule) => !holds(rule, value))
    if (broken !== undefined) issues.push({ code: 'custom', input: value, message: broken.message })
  }
  const made = { text: new z.$ZodString({ type: 'string', checks: [keepsRules] }) }
  schemas.set(rules, made)
  return made
}

/** A field with separate facts and a shared schema. A separate object, because facts are stored by identity. */
function share<T extends z.$ZodType>(schema: T, facts: FieldFacts): T {
  const field = Object.create(schema) as T
  fieldFacts.set(field, facts)
  return field
}

/** A field of text. The first rule that a value breaks is its problem. */
export function text(rules: readonly Rule[], facts: FieldText): z.$ZodString {
  return share(schemasOf(rules).text, { ...facts, rules })
}

/** A field whose value is one of the given words. */
export function choice<T extends string>(words: readonly T[], facts: FieldText): z.$ZodEnum<{ readonly [K in T]: K }> {
  const field = new z.$ZodEnum({ type: 'enum', entries: Object.fromEntries(words.map((word) => [word, word])) })
  fieldFacts.set(field, facts)
  // The class itself has no type parameter.
  return field as unknown as z.$ZodEnum<{ readonly [K in T]: K }>
}

/** Fields under a common name; the profile as a whole has no name. */
export function group<S extends z.$ZodShape>(shape: S, facts?: FieldText): z.$ZodObject<S, z.$strip> {
  const field = new z.$ZodObject({ type: 'object', shape }) as z.$ZodObject<S, z.$strip>
  if (facts !== undefined) fieldFacts.set(field, facts)
  return field
}

/** A field that may be absent. It has the facts of the field. */
export function optional<T extends z.$ZodType>(field: T): z.$ZodOptional<T> {
  const facts = factsOf(field)
  const shared = facts?.rules && schemasOf(facts.rules)
  const optionalOf = (innerType: z.$ZodType) => new z.$ZodOptional({ type: 'optional', innerType })
  const schema = shared === undefined ? optionalOf(field) : (shared.optional ??= optionalOf(shared.text))
  return (facts === undefined ? schema : share(schema, facts)) as z.$ZodOptional<T>
}

/** Whether a value meets a rule. Lengths count characters, as a JSON schema does. */
export function holds(rule: Rule, value: string): boolean {
  if ('has' in rule) return rule.has.test(value)
  if ('hasNot' in rule) return !rule.hasNot.test(value)
  if ('test' in rule) return rule.test(value)
  return value.length <= rule.atMost || (value.length <= 2 * rule.atMost && Array.from(value).length <= rule.atMost)
}
