import { tenantPattern } from '../base/names.ts'

/** A rule of a text: a pattern that it must or must not match, a length, or a test in code. */
export type Rule = { readonly message: string } & (
  | { readonly has: RegExp }
  | { readonly hasNot: RegExp }
  | { readonly atMost: number }
  | { readonly test: (value: string) => boolean }
)

interface FieldText {
  readonly description: string
  readonly examples?: readonly (string | number)[]
  /** The variables that override its value. Of two, the first one set wins. */
  readonly overrides?: readonly string[]
  readonly isOptional?: true
}

/** A text. The first rule that it breaks is its problem, so the most specific rule stands first. */
interface TextField extends FieldText {
  readonly kind: 'text'
  readonly rules: readonly Rule[]
}

/** One of the given words. */
interface ChoiceField extends FieldText {
  readonly kind: 'choice'
  readonly words: readonly string[]
}

/** A whole number from 1 to `most`. */
interface NumberField extends FieldText {
  readonly kind: 'number'
  readonly most: number
}

interface FlagField extends FieldText {
  readonly kind: 'flag'
}

/** Texts with the same rules. */
interface ListField extends FieldText {
  readonly kind: 'list'
  readonly rules: readonly Rule[]
}

/** Fields under a common name. Each value of a record is one without a description. */
export interface GroupField extends Partial<FieldText> {
  readonly kind: 'group'
  readonly fields: Readonly<Record<string, Field>>
}

/** Values of one kind under names that an author chooses. */
interface RecordField<V = Field> extends FieldText {
  readonly kind: 'record'
  readonly names: readonly Rule[]
  readonly values: V
}

/** A field of the table of a profile, as data: what validates, explains and documents it derives from this. */
export type Field = TextField | ChoiceField | NumberField | FlagField | ListField | GroupField | RecordField

/** A row of a text that must be there. */
export const text = <const F extends FieldText>(rules: readonly Rule[], facts: F) =>
  ({ kind: 'text', rules, ...facts }) as const

/** A row of a text that may be absent. */
export const optionalText = <const F extends FieldText>(rules: readonly Rule[], facts: F) =>
  ({ kind: 'text', rules, isOptional: true, ...facts }) as const

/** A row of texts that may be absent. */
export const list = <const F extends FieldText>(rules: readonly Rule[], facts: F) =>
  ({ kind: 'list', rules, isOptional: true, ...facts }) as const

/** The fields that a type of documents must have: the compiler holds the table to the type. */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: FieldFor<Exclude<T[K], undefined>> &
    (object extends Pick<T, K> ? { readonly isOptional: true } : { readonly isOptional?: never })
}

type FieldFor<T> = [T] extends [boolean]
  ? FlagField
  : [T] extends [number]
    ? NumberField
    : [T] extends [string]
      ? string extends T
        ? TextField
        : ChoiceField & { readonly words: readonly T[] }
      : T extends readonly string[]
        ? ListField
        : string extends keyof T
          ? RecordField<Omit<FieldFor<T[keyof T]>, 'isOptional'>>
          : GroupField & { readonly fields: FieldsOf<T> }

/** Whether a value meets a rule. Lengths count characters, as a JSON schema does. */
function holds(rule: Rule, value: string): boolean {
  if ('has' in rule) return rule.has.test(value)
  if ('hasNot' in rule) return !rule.hasNot.test(value)
  if ('test' in rule) return rule.test(value)
  return value.length <= rule.atMost || (value.length <= 2 * rule.atMost && Array.from(value).length <= rule.atMost)
}

/** The first of the rules that a text breaks. */
export const brokenRule = (rules: readonly Rule[], value: string): Rule | undefined =>
  rules.find((rule) => !holds(rule, value))

// The first rule limits the length, so that no later rule tests a huge text. schema.json contains the patterns unchanged, so they use only
// the syntax that all languages share, without flags or lookaround.

const atMost = (characters: number): Rule => ({
  atMost: characters,
  message: `must be at most ${characters} characters long`,
})

/* oxlint-disable no-control-regex -- The patterns match control characters on purpose. */

/** Escape sequences would move the cursor of a terminal. */
const noControls: Rule = { hasNot: /[\u0000-\u001F\u007F-\u009F]/, message: 'must not hold control characters' }

const urlCharacters: readonly Rule[] = [
  atMost(2048),
  { has: /^[^\s\\]*$/, message: 'must be an absolute URL without spaces or backslashes' },
  {
    // Also joiners, marks, bidirectional controls, line separators and noncharacters, which nobody sees.
    hasNot:
      /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]/,
    message: 'must be an absolute URL without control characters',
  },
]

/** The URL parser repairs missing and surplus slashes, so the rule checks the text for the two after its scheme. */
const absolute = (starts: string): readonly Rule[] => [
  { has: /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/, message: `must be an absolute URL${starts}` },
]

/** The rules with a `test`, which no pattern can express, so that schema.json lacks them. */
export const checkedByCodeOnly =
  'ports up to 65535, percent escapes of a host name (https://%zz/), and suffixes that end like an IPv4 address (.10.0.0.1)'

/** Ports, escapes and letters of a host name. */
const parses = (starts: string): Rule => ({
  test: (value) => URL.canParse(value),
  message: `must be an absolute URL${starts}`,
})

const noUser: Rule = { hasNot: /^[^/?#]*\/\/[^/?#]*@/, message: 'must not carry user information' }

const noQuery: Rule = { has: /^[^?#]*$/, message: 'must not carry a query or a fragment' }

const endsWithSlash: Rule = { has: /\/$/, message: 'must end with "/"' }

const tenantMessage = 'must not hold a tenant, which is appended to it: set tenantId'

/** A path segment that is a GUID, one of the words that stand for any tenant, a domain name, or a template such as `{tenant}`. */
const noTenant: readonly Rule[] = [
  /[^/]\/[0-9A-Fa-f]{8}-?([0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}(\/|$)/,
  /[^/]\/([Cc][Oo][Mm][Mm][Oo][Nn]|[Oo][Rr][Gg][Aa][Nn][Ii][Zz][Aa][Tt][Ii][Oo][Nn][Ss]|[Cc][Oo][Nn][Ss][Uu][Mm][Ee][Rr][Ss])(\/|$)/,
  /[^/]\/[^/]*\.[A-Za-z]{2,63}(\/|$)/,
  /[^/]\/\{/,
].map((hasNot) => ({ hasNot, message: tenantMessage }))

const noScope: Rule = {
  hasNot: /\/(\.|%2[Ee])[Dd][Ee][Ff][Aa][Uu][Ll][Tt]\/*$/,
  message: 'must be the audience alone: ".default" is appended to it',
}

const url = (scheme: Rule | undefined, ...last: readonly Rule[]): readonly Rule[] => {
  const starts = scheme === undefined ? '' : ` that ${scheme.message.replace('must start', 'starts')}`
  const schemes = scheme === undefined ? [] : [scheme]
  return [...urlCharacters, ...absolute(starts), ...schemes, noUser, ...last, parses(starts)]
}

const https: Rule = { has: /^[Hh][Tt][Tt][Pp][Ss]:\/\//, message: 'must start with https://' }

const http: Rule = { has: /^[Hh][Tt][Tt][Pp][Ss]?:\/\//, message: 'must start with https:// or http://' }

/** A name for people, on one line. */
export const label: readonly Rule[] = [atMost(256), { has: /\S/, message: 'must not be empty' }, noControls]

/** A text of several lines. */
export const prose: readonly Rule[] = [
  atMost(16_384),
  {
    hasNot: /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/,
    message: 'must not hold control characters other than tabs and line breaks',
  },
]

/** A login authority must be https, because the credential library refuses anything else. */
export const authorityUrl = url(https, noQuery, ...noTenant, endsWithSlash)

export const baseUrl = url(http, noQuery, endsWithSlash)

/** An address for people or for one request. */
export const address = url(http)

/** An address or an identifier in the spelling that other tools expect. */
export const toolUrl = url(undefined, noQuery)

/** An identifier in the form of a URL: it need not resolve, and may have any scheme. */
export const audience = url(undefined, noQuery, noScope, endsWithSlash)

export const tenant: readonly Rule[] = [
  atMost(256),
  {
    has: tenantPattern,
    message: 'must be a tenant: a GUID, a domain name or "adfs" (remove the field when there is none)',
  },
]

export const dnsSuffix: readonly Rule[] = [
  atMost(253),
  { has: /^\./, message: 'must start with "."' },
  {
    has: /^(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
    message: 'must be a DNS suffix: labels of letters, digits and hyphens, each after a "."',
  },
  {
    // The URL parser treats a host whose last label is a number as an IPv4 address.
    test: (value) => URL.canParse(`https://name${value}`),
    message: 'must be a DNS suffix that makes a host name',
  },
]

/** A host name, without a port. */
export const hostName: readonly Rule[] = [
  atMost(253),
  {
    has: /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
    message: 'must be a host name: labels of letters, digits and hyphens with a "." between them',
  },
]

/** A key that a program can write as a name. */
export const serviceName: readonly Rule[] = [
  atMost(64),
  { has: /^[a-z][A-Za-z0-9]*$/, message: 'must be a name of letters and digits that starts with a small letter' },
]

/** An identifier that resolves nowhere, such as `api://AzureADTokenExchange`. */
export const identifier: readonly Rule[] = [...urlCharacters, ...absolute('')]
