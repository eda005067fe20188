import { Secret } from '../auth/secret.ts'
import { ServiceError } from '../errors.ts'
import { parseFlag, readVariable, type Env } from '../base/env.ts'
import { showValue } from '../base/show-value.ts'
import { refuseReferences } from '../profile/unresolved-reference.ts'

/** The facts about a variable besides how it is read. */
export interface SettingFacts {
  readonly name: string
  /** For people, in Markdown. */
  readonly meaning: string
  /** The text that an unset variable has. */
  readonly default?: string
  /** The meaning of an unset variable, where it is not a fixed text. */
  readonly unset?: string
}

/** One variable: what it means, what it may be, and how it is read. */
export interface Setting<T> extends SettingFacts {
  /** The type of the value, for other tools. */
  readonly type: 'text' | 'choice' | 'boolean' | 'integer' | 'list'
  /** The only values of a choice. */
  readonly choices?: readonly string[]
  /** The rule of a value, as the text after `must be`. */
  readonly rule: string
  /** Never printed. */
  readonly secret: boolean
  /** Why a text breaks the rule, where the rule does not show it. */
  readonly problem?: (text: string) => string | undefined
  /** The value of a text that is not blank; `undefined` if it breaks the rule. */
  readonly parse: (text: string) => T | undefined
}

/**
 * The value in force: of the variable, else of the default. A blank variable counts as unset.
 *
 * @throws {ServiceError} `SETTING_INVALID` that names the variable, the rule and the value; `REFERENCE_UNRESOLVED` for a value that a
 *   deployment tool should have replaced.
 */
export function readSetting<T>(env: Env, setting: Setting<T>): T | undefined {
  const { name, rule, default: fallback, secret, problem, parse } = setting
  const text = readVariable(env, name) ?? fallback
  if (text === undefined) return undefined
  if (!(secret && isLiteral(env, name))) refuseReferences({ [name]: text })
  const value = parse(secret ? text : text.trim())
  if (value !== undefined) return value
  const reason = problem?.(text)
  const shown = `${secret ? 'not' : showValue(text)}${reason === undefined ? '' : `: ${reason}`}`
  throw new ServiceError('SETTING_INVALID', `${name} must be ${rule}, but is ${shown}`)
}

/** Whether PLATFORM_LITERAL_SECRETS says that a secret may have the form of a reference. */
export function isLiteral(env: Env, name: string): boolean {
  const names = readVariable(env, 'PLATFORM_LITERAL_SECRETS')?.split(',') ?? []
  return names.some((each) => each.trim() === name)
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
  return { ...facts, type, rule, secret: false, parse }
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
    // A deployment sets the variable. The path comes from a platform, and the rule names it.
    'integer',
  )

/** A text of a certain shape. */
export const shaped = <const F extends SettingFacts>(
  facts: F,
  rule: string,
  holds: (value: string) => boolean,
): Read<F, string> => define(facts, rule, (value) => (holds(value) ? value : undefined))

/** A text whose problem only a parser can name. */
export const parsed = <const F extends SettingFacts>(
  facts: F,
  rule: string,
  problem: (value: string) => string | undefined,
): Read<F, string> => ({
  ...define(facts, rule, (value) => (problem(value) === undefined ? value : undefined)),
  problem,
})

/** Texts of a certain shape, separated by commas. */
export const list = (
  facts: SettingFacts,
  rule: string,
  holds: (entry: string) => boolean,
): Setting<readonly string[] | undefined> =>
  define<SettingFacts, readonly string[]>(
    facts,
    `a comma-separated list of ${rule}`,
    (value) => {
      const entries = value.split(',').map((entry) => entry.trim())
      return entries.every(holds) ? entries : undefined
    },
    'list',
  )
