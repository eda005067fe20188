import { isObject, ownCopy } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import { ServiceError } from '../errors.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'

// The compiler checks TypeScript. JavaScript and values of type `any` reach the library unchecked: a flag "false" would count as true, and
// a misspelled deadline would not apply.

/** What a value must be, or `undefined` if it is that. */
type Rule = (value: unknown) => string | undefined

const rule =
  (must: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `must be ${must}, but is ${typeof value === 'number' ? value : showValue(value)}`

/** Milliseconds. A longer timer would fire at once. */
const maxTimerMs = 2_147_483_647

/** Excludes a Map, an instance of a class and an object with inherited values: a copy of them would be empty. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Each realm has its own Object.prototype.
  const isRoot = isObject(prototype) && Object.getPrototypeOf(prototype) === null
  return prototype === null || (isRoot && Object.hasOwn(prototype, 'hasOwnProperty'))
}

const isVariables = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value === process.env || isPlain(value)

export const rules = {
  text: rule('a string', (value) => typeof value === 'string'),
  flag: rule('true or false', (value) => typeof value === 'boolean'),
  callback: rule('a function', (value) => typeof value === 'function'),
  object: rule('an object', isObject),
  plain: rule('a plain object', isPlain),
  milliseconds: rule(
    `a number of milliseconds from 1 to ${maxTimerMs}`,
    (value) => typeof value === 'number' && value > 0 && value <= maxTimerMs,
  ),
  variables: rule('an object of environment variables', isVariables),
  signal: rule(
    'an AbortSignal',
    (value) =>
      isObject(value) && typeof value['addEventListener'] === 'function' && typeof value['aborted'] === 'boolean',
  ),
  profile: rule('a cloud profile, as resolveCloudProfile and parseCloudProfile return it', isProfile),
  source: rule('a URL or a cloud profile', (value) => typeof value === 'string' || isProfile(value)),
} satisfies Readonly<Record<string, Rule>>

/** The rules of an object of options: one for each key of the type. */
export type OptionRules<T> = { readonly [K in keyof T]-?: Rule }

/** Makes the compiler refuse a key that `Options` does not have, in a variable too: `K` is inferred as the keys that are passed. */
export type OnlyKnown<K extends PropertyKey, Options> = Options & {
  readonly [N in K]?: N extends keyof Options ? unknown : never
}

/**
 * Refuses options that no TypeScript caller could pass, and every unknown key, even if its value is `undefined`: a misspelled option must
 * never select the default cloud.
 *
 * @returns A copy without a prototype, because a value that another package put on `Object.prototype` isn't an option.
 * @throws {ServiceError} `ARGUMENT_INVALID` that names each key.
 */
export function checkOptions<T extends object>(options: T, table: OptionRules<T>): T {
  checkArgument('options', options, rules.plain)
  const known = Object.keys(table)
  const problems = Object.entries(options).flatMap(([key, value]: [string, unknown]) => {
    if (!Object.hasOwn(table, key)) {
      const nearest = nearestName(key, known)
      const hint = nearest === undefined ? ` (known: ${known.join(', ')})` : `; did you mean ${nearest}?`
      // A name with other characters comes from elsewhere, so it is escaped and bounded.
      return `options.${/^\w{1,64}$/.test(key) ? key : showValue(key)} is unknown${hint}`
    }
    const problem = value === undefined ? undefined : table[key as keyof T](value)
    if (problem !== undefined) return `options.${key} ${problem}`
    return key === 'env' ? findNonTexts('options.env', value) : []
  })
  refuse(problems)
  return ownCopy(options)
}

/** A value of `process.env` is always a string, and reading all of them is slow. */
function findNonTexts(name: string, env: unknown): string[] {
  if (!isVariables(env) || env === process.env) return []
  return Object.entries(env)
    .filter(([, value]) => value !== undefined && typeof value !== 'string')
    .map(([variable, value]) => `${name}.${variable} ${rules.text(value) ?? ''}`)
}

/** @throws {ServiceError} `ARGUMENT_INVALID` that names the argument. */
export function checkArgument(name: string, value: unknown, check: Rule): void {
  const problem = check(value)
  refuse(problem === undefined ? [] : [`${name} ${problem}`])
}

/** @throws {ServiceError} `ARGUMENT_INVALID` that names the argument, or each variable that isn't a string. */
export function checkVariables(name: string, env: unknown): void {
  checkArgument(name, env, rules.variables)
  refuse(findNonTexts(name, env))
}

/** Checks only the parts that functions read. `parseCloudProfile` validates. */
function isProfile(value: unknown): value is CloudProfile {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience'].every((key) => {
      const address = value[key]
      return typeof address === 'string' && URL.canParse(address)
    }) &&
    isObject(value['serviceDnsSuffixes']) &&
    isObject(value['serviceAudiences'])
  )
}

/** The rule for an argument that only one function makes. */
export function resultOf(factory: string, isResult: (value: never) => boolean): Rule {
  return (value) => (isResult(value as never) ? undefined : `must be the result of ${factory}`)
}

/** @throws {ServiceError} `ARGUMENT_INVALID` if more than one of the options is set. */
export function checkExclusive<T extends object>(options: T, keys: readonly (keyof T & string)[]): void {
  const set = keys.filter((key) => options[key] !== undefined)
  refuse(set.length > 1 ? [`options.${set.join(' and options.')} contradict each other: pass one of them`] : [])
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ServiceError('ARGUMENT_INVALID', problems.join(', '))
}
