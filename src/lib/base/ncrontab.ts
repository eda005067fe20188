import { showValue } from './printable.ts'

interface FieldRule {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october']
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const rules: readonly FieldRule[] = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: [...months, 'november', 'december'] },
  { name: 'day of week', min: 0, max: 6, names: days },
]

/**
 * Checks a six-field NCRONTAB expression and rewrites it for other crons. Only NCRONTAB has `a/n` for "from a on", reversed ranges, long
 * names, and steps longer than their range. Like Azure Functions, it refuses five fields (without seconds).
 * https://learn.microsoft.com/azure/azure-functions/functions-bindings-timer#ncrontab-expressions
 *
 * @returns Six fields of `*`, numbers, ranges and lists.
 * @throws {RangeError} that names the field and its rule, or a day that none of the months has.
 */
export function parseNcrontab(expression: string): string {
  const values = readFields(expression)
  return rules.map((rule, index) => formatValues(values[index] ?? new Set(), rule)).join(' ')
}

/** Whether every month of the expression has a run. The day of the month and the day of the week must both match. */
export function occursInEachMonth(expression: string): boolean {
  const [, , , days = new Set(), , weekdays] = readFields(expression)
  if (weekdays?.size === 7) return true
  // Any weekday can be the first day of a month, and every month has 28 days.
  return [0, 1, 2, 3, 4, 5, 6].every((first) =>
    [...days].some((day) => day <= 28 && weekdays?.has((first + day) % 7) === true),
  )
}

function readFields(expression: string): readonly ReadonlySet<number>[] {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== rules.length) {
    throw new RangeError('it needs six fields: {second} {minute} {hour} {day} {month} {day of week}')
  }
  const values = rules.map((rule, index) => readField(fields[index] ?? '', rule))
  // Any date falls on any weekday in some year, so only the day and the month can exclude each other.
  const [, , , days = [], months = []] = values
  const firstDay = Math.min(...days)
  const lastDay = Math.max(...[...months].map((month) => daysOfMonth[month - 1] ?? 0))
  if (firstDay > lastDay) throw new RangeError(`it never occurs, because its months have no day ${firstDay}`)
  return values
}

/** The error of {@link parseNcrontab} as text. `undefined` if the expression is valid. */
export function ncrontabProblem(text: string): string | undefined {
  try {
    parseNcrontab(text)
    return undefined
  } catch (error) {
    return (error as RangeError).message
  }
}

/** In a leap year. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function readField(field: string, rule: FieldRule): Set<number> {
  const values = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1', ...rest] = item.split('/')
    if (rest.length > 0 || !/^\d{1,4}$/.test(step) || Number(step) < 1) throw problem(field, rule)
    const [first, last] = readRange(range, rule, item.includes('/'))
    if (first === undefined || last === undefined) throw problem(field, rule)
    for (let value = Math.min(first, last); value <= Math.max(first, last); value += Number(step)) values.add(value)
  }
  return values
}

function readRange(range: string, rule: FieldRule, hasStep: boolean): readonly (number | undefined)[] {
  if (range === '*') return [rule.min, rule.max]
  const ends = range.split('-')
  if (ends.length > 2) return []
  const [first, last] = ends.map((end) => readValue(end, rule))
  return ends.length === 2 ? [first, last] : [first, hasStep ? rule.max : first]
}

/** Reads a number or an abbreviated name. */
function readValue(text: string, { min, max, names }: FieldRule): number | undefined {
  if (/^[a-z]+$/i.test(text) && names !== undefined) {
    const index = names.findIndex((name) => name.startsWith(text.toLowerCase()))
    return index === -1 ? undefined : index + min
  }
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function formatValues(values: ReadonlySet<number>, { min, max }: FieldRule): string {
  if (values.size === max - min + 1) return '*'
  const parts: string[] = []
  for (let value = min; value <= max; value += 1) {
    if (!values.has(value)) continue
    const first = value
    while (values.has(value + 1)) value += 1
    parts.push(first === value ? String(first) : `${first}-${value}`)
  }
  return parts.join(',')
}

function problem(field: string, { name, min, max }: FieldRule): RangeError {
  return new RangeError(
    `${showValue(field)} is not ${name === 'hour' ? 'an' : 'a'} ${name}: values are ${min} to ${max}, as *, n, a-b, */n or a list of these`,
  )
}
