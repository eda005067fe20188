import { ownCopy } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { parseFlag, readVariable, type Env } from '../base/env.ts'
import { Secret } from '../base/secret.ts'
import { showValue } from '../base/printable.ts'
import { InvalidSettingsError, refuseReferences } from '../errors.ts'

/** One variable: its texts, its rule and its parser. */
export interface Setting<T> {
  readonly name: string
  /** For people, in Markdown. */
  readonly meaning: string
  /** The value of an unset variable. */
  readonly default?: string
  /** The meaning of an unset variable without a fixed default. */
  readonly unset?: string
  /** The type of the value, for other tools. */
  readonly type: 'text' | 'choice' | 'boolean' | 'integer' | 'list'
  /** The only values of a choice. */
  readonly choices?: readonly string[]
  /** The rule of a value, as the text after `must be`. */
  readonly rule: string
  /** Whether the value is never printed. */
  readonly secret: boolean
  /** Why a text breaks the rule, if the rule doesn't show that. */
  readonly problem?: (text: string) => string | undefined
  /** The value of a text that is not blank, or of an array for a list; `undefined` if it breaks the rule. */
  readonly parse: (given: string | readonly string[]) => T | undefined
}

/** The values of a table: `undefined` for a setting that is unset and has no default. */
export type ValuesOf<Table> = { readonly [K in keyof Table]: Table[K] extends Setting<infer T> ? T : never }

/** The value of a variable, or else its default. @throws {ServiceError} `SETTING_INVALID`, or `REFERENCE_UNRESOLVED`. */
export function readSetting<T>(env: Env, setting: Setting<T>): T | undefined {
  const text = readVariable(env, setting.name)
  if (text !== undefined) return parseSetting(setting, setting.name, text)
  const { default: unset } = ownCopy(setting)
  return unset === undefined ? undefined : setting.parse(unset)
}

/** The value of a setting, wherever it comes from. @param name The variable, or the key of an object. @throws As {@link readSetting}. */
export function parseSetting<T>(setting: Setting<T>, name: string, given: string | readonly string[]): T {
  const { rule, secret, parse, problem } = ownCopy(setting)
  for (const text of [given].flat()) refuseReferences({ [name]: text }, { areSecrets: secret })
  const value = parse(typeof given === 'string' && !secret ? given.trim() : given)
  if (value !== undefined) return value
  const reason = typeof given === 'string' ? problem?.(given) : undefined
  const shown = `${secret ? 'not' : showValue(given)}${reason === undefined ? '' : `: ${reason}`}`
  throw new InvalidSettingsError('SETTING_INVALID', [{ name, message: `${name} must be ${rule}, but is ${shown}` }])
}

type Facts = Pick<Setting<unknown>, 'default' | 'unset'>

/** `T`, or `T | undefined` without a default. */
type Read<F extends Facts, T> = Setting<F extends { readonly default: string } ? T : T | undefined>

type More<T> = Partial<Pick<Setting<T>, 'type' | 'secret' | 'choices' | 'problem'>>

/** A setting with a parser of texts. @param rule The text after `must be`. */
export const parsed = <T, F extends Facts = Facts>(
  name: string,
  meaning: string,
  rule: string,
  parse: (text: string) => T | undefined,
  more?: F & More<T>,
): Read<F, T> => {
  const parseText = (given: string | readonly string[]) => (typeof given === 'string' ? parse(given) : undefined)
  return { name, meaning, type: 'text', rule, secret: false, parse: parseText, ...more }
}

export const text = <F extends Facts>(name: string, meaning: string, facts?: F): Read<F, string> =>
  parsed(name, meaning, 'a text', (value) => value, facts)

export const secret = (name: string, meaning: string): Setting<Secret | undefined> =>
  parsed(name, meaning, 'a text', (value) => new Secret(value), { secret: true })

export const choice = <T extends string, F extends Facts>(
  name: string,
  meaning: string,
  choices: readonly T[],
  facts?: F,
): Read<F, T> =>
  parsed(name, meaning, `one of ${choices.join(', ')}`, (value) => choices.find((known) => known === value), {
    ...(facts as F),
    type: 'choice',
    choices,
    problem(given) {
      const nearest = nearestName(given, choices)
      return nearest && `did you mean ${nearest}?`
    },
  })

export const flag = <F extends Facts>(name: string, meaning: string, facts?: F): Read<F, boolean> =>
  parsed(name, meaning, 'true or false', parseFlag, { ...(facts as F), type: 'boolean' })

/** A text of a certain shape. */
export const shaped = <F extends Facts>(
  name: string,
  meaning: string,
  rule: string,
  holds: (value: string) => boolean,
  facts?: F & Pick<More<string>, 'problem'>,
): Read<F, string> => parsed(name, meaning, rule, (value) => (holds(value) ? value : undefined), facts)

/** Texts of a certain shape, separated by commas. */
export const list = (
  name: string,
  meaning: string,
  rule: string,
  holds: (entry: string) => boolean,
): Setting<readonly string[] | undefined> => ({
  ...text(name, meaning),
  type: 'list',
  rule: `a comma-separated list of ${rule}`,
  parse(given) {
    const entries = typeof given === 'string' ? given.split(',').map((entry) => entry.trim()) : given
    return entries.every(holds) ? entries : undefined
  },
})
