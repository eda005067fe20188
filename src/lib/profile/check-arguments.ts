import { isObject, ownCopy, textAt } from '../base/json.ts'
import { nearestName } from '../base/names.ts'
import { showValue } from '../base/printable.ts'
import type { CloudProfile } from '../clouds/cloud-profile.ts'
import { argumentError, type ArgumentProblem, mustBe } from '../errors.ts'

// Checks the arguments of the library's functions. The compiler checks TypeScript only. In JavaScript, a flag "false" would count as true,
// and a misspelled deadline would not apply.

/** The problems of an argument. Each message begins with the name. */
type Rule = (value: unknown, name: string) => readonly ArgumentProblem[]

export const rule =
  (must: string, isValid: (value: unknown) => boolean): Rule =>
  (value, name) =>
    isValid(value) ? [] : [mustBe(name, must, typeof value === 'number' ? String(value) : showValue(value))]

/** Excludes a Map, an instance of a class and an object with inherited values: a copy of them would be empty. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Each realm has its own Object.prototype.
  const isRoot = isObject(prototype) && Object.getPrototypeOf(prototype) === null
  return prototype === null || (isRoot && Object.hasOwn(prototype, 'hasOwnProperty'))
}

/** A plain object. Of an instance of a class, a copy of its values would do. */
const plainObject =
  (must: string): Rule =>
  (value, name) => {
    if (isPlain(value)) return []
    if (!isObject(value) || Object.keys(value).length === 0) return [mustBe(name, must, showValue(value))]
    const message = `${name} must be ${must}, but is an instance of a class: pass { ...${name.split('.').at(-1)} }`
    return [{ message, fix: `Pass a copy of its values: { ...${name.split('.').at(-1)} }.` }]
  }

/** Checks only the parts that functions read. `parseCloudProfile` validates. */
function isProfile(value: unknown): value is CloudProfile {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  const isAddress = (key: string) => URL.canParse(textAt(value, key) ?? '')
  const hasAddresses = ['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience'].every(isAddress)
  return hasAddresses && isObject(value['serviceDnsSuffixes']) && isObject(value['serviceAudiences'])
}

/** Milliseconds. A longer timer would fire at once. */
const maxTimerMs = 2_147_483_647
const isTimerMs = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= maxTimerMs

const text = rule('a string', (value) => typeof value === 'string')
const environment = plainObject('an object of environment variables')

const variables: Rule = (value, name) => {
  // `process.env` contains only strings, and reading all of them is slow.
  if (value === process.env) return []
  const problems = environment(value, name)
  if (problems.length > 0) return problems
  const set = Object.entries(value as object).filter(([, each]) => each !== undefined)
  return set.flatMap(([variable, each]) => text(each, `${name}.${variable}`))
}

export const rules = {
  text,
  flag: rule('true or false', (value) => typeof value === 'boolean'),
  callback: rule('a function', (value) => typeof value === 'function'),
  object: rule('an object', isObject),
  plain: plainObject('a plain object'),
  milliseconds: rule(`a number of milliseconds from 1 to ${maxTimerMs}`, isTimerMs),
  variables,
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

/** @throws {ServiceError} `ARGUMENT_INVALID` with every problem of the argument. */
export function checkArgument(name: string, value: unknown, check: Rule): void {
  const problems = check(value, name)
  if (problems.length > 0) throw argumentError(...problems)
}

/**
 * Refuses options of a wrong type, and every unknown key, even if its value is `undefined`: a misspelled option must never select the default
 * cloud. Returns a copy without a prototype.
 *
 * @throws {ServiceError} `ARGUMENT_INVALID` that names each key.
 */
export function checkOptions<T extends object>(options: T, table: OptionRules<T>): T {
  checkArgument('options', options, rules.plain)
  const known = Object.keys(table)
  const checkKey = ([key, value]: [string, unknown]): readonly ArgumentProblem[] => {
    if (Object.hasOwn(table, key)) return value === undefined ? [] : table[key as keyof T](value, `options.${key}`)
    const nearest = nearestName(key, known)
    const hint = nearest === undefined ? ` (known: ${known.join(', ')})` : `; did you mean ${nearest}?`
    // Any other name may be text of another system, so it is escaped and shortened.
    const shown = `options.${/^\w{1,64}$/.test(key) ? key : showValue(key)}`
    const fix = nearest === undefined ? `Remove ${shown}.` : `Write ${nearest} in place of ${shown}.`
    return [{ message: `${shown} is unknown${hint}`, fix }]
  }
  checkArgument('options', options, () => Object.entries(options).flatMap(checkKey))
  return ownCopy(options)
}
