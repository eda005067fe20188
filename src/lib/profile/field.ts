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
  readonly description: string
  readonly examples?: readonly (string | number)[]
  /** Of two, the first one set wins. */
  readonly overrides?: readonly string[]
}

/** The facts about a field beside its type: its text and, for a text, the rules of its value, the most specific first. */
export interface FieldFacts extends FieldText {
  readonly rules?: readonly Rule[]
  /** The largest number. */
  readonly most?: number
}

const factsByField = new Map<z.$ZodType, FieldFacts>()

/** The facts of a field or group. An optional field has those of the field. */
export function factsOf(field: z.$ZodType): FieldFacts | undefined {
  return factsByField.get(field instanceof z.$ZodOptional ? field._zod.def.innerType : field)
}

function described<T extends z.$ZodType>(schema: T, facts: FieldFacts): T {
  factsByField.set(schema, facts)
  return schema
}

/** A check whose problem is a message. */
function check<T>(problemOf: (value: T) => string | undefined): z.$ZodCheck<T> {
  const made = new z.$ZodCheck({ check: 'custom' }) as z.$ZodCheck<T>
  made._zod.check = ({ value, issues }) => {
    const message = problemOf(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message })
  }
  return made
}

/** A field of text. The first rule that a value breaks is its problem. */
export function textField(rules: readonly Rule[], facts: FieldText): z.$ZodString {
  return described(plainText(rules), { ...facts, rules })
}

function plainText(rules: readonly Rule[]): z.$ZodString {
  const checks = [check<string>((value) => rules.find((rule) => !holds(rule, value))?.message)]
  return new z.$ZodString({ type: 'string', checks })
}

/** A list of texts with the same rules. */
export function listField(rules: readonly Rule[], facts: FieldText): z.$ZodArray<z.$ZodString> {
  const element: z.$ZodString = textField(rules, facts)
  return described(new z.$ZodArray({ type: 'array', element }) as z.$ZodArray<z.$ZodString>, facts)
}

/** A whole number from 1 to `most`. */
export function numberField(most: number, facts: FieldText): z.$ZodNumber {
  const isInRange = (value: number) => Number.isInteger(value) && value >= 1 && value <= most
  const checks = [check<number>((value) => (isInRange(value) ? undefined : `must be a whole number from 1 to ${most}`))]
  return described(new z.$ZodNumber({ type: 'number', checks }), { ...facts, most })
}

export function flagField(facts: FieldText): z.$ZodBoolean {
  return described(new z.$ZodBoolean({ type: 'boolean' }), facts)
}

/** A field whose value is one of the given words. */
export function choiceField<T extends string>(
  words: readonly T[],
  facts: FieldText,
): z.$ZodEnum<{ readonly [K in T]: K }> {
  const entries = Object.fromEntries(words.map((word) => [word, word])) as { readonly [K in T]: K }
  // The class itself has no type parameter.
  return described(new z.$ZodEnum({ type: 'enum', entries }), facts) as unknown as z.$ZodEnum<{ readonly [K in T]: K }>
}

/** Fields under a common name; the profile as a whole, and each value of a record, has no name. */
export function groupField<S extends z.$ZodShape>(shape: S, facts?: FieldText): z.$ZodObject<S, z.$strip> {
  const field = new z.$ZodObject({ type: 'object', shape }) as z.$ZodObject<S, z.$strip>
  return facts === undefined ? field : described(field, facts)
}

/** Values of one kind under names that an author chooses. */
export function recordField<T extends z.$ZodType>(
  valueType: T,
  names: readonly Rule[],
  facts: FieldText,
): z.$ZodRecord<z.$ZodString, T> {
  return described(
    new z.$ZodRecord({ type: 'record', keyType: plainText(names), valueType }) as z.$ZodRecord<z.$ZodString, T>,
    {
      ...facts,
      rules: names,
    },
  )
}

/** A field that may be absent. */
export function optionalField<T extends z.$ZodType>(innerType: T): z.$ZodOptional<T> {
  return new z.$ZodOptional({ type: 'optional', innerType }) as z.$ZodOptional<T>
}

/** Whether a value meets a rule. Lengths count characters, as a JSON schema does. */
export function holds(rule: Rule, value: string): boolean {
  if ('has' in rule) return rule.has.test(value)
  if ('hasNot' in rule) return !rule.hasNot.test(value)
  if ('test' in rule) return rule.test(value)
  return value.length <= rule.atMost || (value.length <= 2 * rule.atMost && Array.from(value).length <= rule.atMost)
}
