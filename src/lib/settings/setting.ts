import { nearestName } from '../base/names.ts'
import { parseFlag, readVariable, type Env } from '../base/env.ts'
import { Secret } from '../base/secret.ts'
import { showValue } from '../base/printable.ts'
import { InvalidSettingsError, refuseReferences } from '../errors.ts'

/** The texts about a variable. */
export interface SettingFacts {
  readonly name: string
  /** For people, in Markdown. */
  readonly meaning: string
  /** The value of an unset variable. */
  readonly default?: string
  /** The meaning of an unset variable without a fixed default. */
  readonly unset?: string
}

/** One variable: its meaning, its rule and its parser. */
export interface Setting<T> extends SettingFacts {
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

/**
 * The value of a variable, or else its default. A blank variable counts as unset.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names the variable, the rule and the value; `REFERENCE_UNRESOLVED` for a value that a
 *   deployment tool should have replaced.
 */
export function readSetting<T>(env: Env, setting: Setting<T>): T | undefined {
  const text = readVariable(env, setting.name) ?? (Object.hasOwn(setting, 'default') ? setting.default : undefined)
  return text === undefined ? undefined : parseSetting(setting, setting.name, text)
}

/**
 * The value of a setting, wherever it comes from.
 *
 * @param name The variable, or the key of an object, for messages.
 * @throws {ServiceError} as {@link readSetting}.
 */
export function parseSetting<T>(setting: Setting<T>, name: string, given: string | readonly string[]): T {
  const { rule, secret, parse } = setting
  for (const text of [given].flat()) refuseReferences({ [name]: text }, { areSecrets: secret })
  const value = parse(typeof given === 'string' && !secret ? given.trim() : given)
  if (value !== undefined) return value
  const reason = typeof given === 'string' && Object.hasOwn(setting, 'problem') ? setting.problem?.(given) : undefined
  const shown = `${secret ? 'not' : showValue(given)}${reason === undefined ? '' : `: ${reason}`}`
  throw new InvalidSettingsError('SETTING_INVALID', [{ name, message: `${name} must be ${rule}, but is ${shown}` }])
}

/** A setting that always has a value. */
type Defaulted = SettingFacts & { readonly default: string }

/** `T`, or `T | undefined` without a default. */
type Read<F extends SettingFacts, T> = Setting<F extends Defaulted ? T : T | undefined>

function define<F extends SettingFacts, T>(
  facts: F,
  rule: string,
  parse: (text: string) => T | undefined,
  type: Setting<T>['type'] = 'text',
): Read<F, T> {
  const parseText = (given: string | readonly string[]) => (typeof given === 'string' ? parse(given) : undefined)
  return { ...facts, type, rule, secret: false, parse: parseText }
}

export const text = <const F extends SettingFacts>(facts: F): Read<F, string> =>
  define(facts, 'a text', (value) => value)

export const secret = <const F extends SettingFacts>(facts: F): Read<F, Secret> => ({
  ...define(facts, 'a text', (value) => new Secret(value)),
  secret: true,
})

export const choice = <const F extends SettingFacts, T extends string>(
  facts: F,
  choices: readonly T[],
): Read<F, T> => ({
  ...define(facts, `one of ${choices.join(', ')}`, (value) => choices.find((known) => known === value), 'choice'),
  choices,
  problem(given: string) {
    const nearest = nearestName(given, choices)
    return nearest === undefined ? undefined : `did you mean ${nearest}?`
  },
})

export const flag = <const F extends SettingFacts>(facts: F): Read<F, boolean> =>
  define(facts, 'true or false', parseFlag, 'boolean')

export const integer = <const F extends SettingFacts>(facts: F, least: number, most: number): Read<F, number> =>
  define(
    facts,
    `a whole number from ${least} to ${most}`,
    (value) => {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
    'integer',
  )

/** A TCP port, or the path of a Unix socket or named pipe, as some hosting platforms give it. */
export const port = (facts: Defaulted): Setting<number | string> =>
  define<Defaulted, number | string>(
    facts,
    'a whole number from 0 to 65535, or the absolute path of a socket or pipe',
    (value) => {
      if (/^\d{1,5}$/.test(value)) return Number(value) <= 65_535 ? Number(value) : undefined
      return /^(\/|\\\\[.?]\\pipe\\)[^\0]{1,255}$/.test(value) ? value : undefined
    },
    // A deployment tool sets a number. Only a platform sets a path.
    'integer',
  )

/** A text of a certain shape. @param problem For a text whose problem only a parser can name. */
export const shaped = <const F extends SettingFacts>(
  facts: F,
  rule: string,
  holds: (value: string) => boolean,
  problem?: (value: string) => string | undefined,
): Read<F, string> => ({
  ...define(facts, rule, (value) => (holds(value) ? value : undefined)),
  ...(problem && { problem }),
})

/** Texts of a certain shape, separated by commas. */
export const list = (
  facts: SettingFacts,
  rule: string,
  holds: (entry: string) => boolean,
): Setting<readonly string[] | undefined> => ({
  ...facts,
  type: 'list',
  rule: `a comma-separated list of ${rule}`,
  secret: false,
  parse(given) {
    const entries = typeof given === 'string' ? given.split(',').map((entry) => entry.trim()) : given
    return entries.every(holds) ? entries : undefined
  },
})
