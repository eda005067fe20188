import { showValue } from './printable.ts'

/** Values that one field of a schedule allows. */
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
 * Checks a six-field NCRONTAB expression and rewrites it without the syntax that only NCRONTAB has: `a/n` for "from a on", reversed ranges,
 * long names, and steps longer than their range. Five fields (without seconds) are refused, as Azure Functions does.
 * https://learn.microsoft.com/azure/azure-functions/functions-bindings-timer#ncrontab-expressions
 *
 * @returns Six fields of `*`, numbers, ranges and lists, as other crons read them.
 * @throws {RangeError} Naming the field and the rule, or the day that no month of the expression has.
 */
export function parseNcrontab(expression: string): string {
  const values = readFields(expression)
  return rules.map((rule, index) => formatValues(values[index] ?? new Set(), rule)).join(' ')
}

/** Whether the days of the month and the days of the week, which must both match, do so in each month of the expression, whatever day it begins with. */
export function occursInEachMonth(expression: string): boolean {
  const [, , , days = new Set(), , weekdays] = readFields(expression)
  if (weekdays?.size === 7) return true
  const isInEachMonth = (day: number) => day <= 28
  const matches = (firstDay: number) =>
    [...days].some((day) => isInEachMonth(day) && weekdays?.has((firstDay + day) % 7) === true)
  return [0, 1, 2, 3, 4, 5, 6].every(matches)
}

function readFields(expression: string): readonly ReadonlySet<number>[] {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== rules.length) {
    throw new RangeError('it needs six fields: {second} {minute} {hour} {day} {month} {day of week}')
  }
  const values = rules.map((rule, index) => readField(fields[index] ?? '', rule))
  const [, , , dayValues, monthValues] = values
  refuseMissingDay(dayValues, monthValues)
  return values
}

/** Why a text is not a six-field NCRONTAB expression that occurs, or `undefined`. */
export function ncrontabProblem(text: string): string | undefined {
  try {
    parseNcrontab(text)
    return undefined
  } catch (error) {
    return (error as RangeError).message
  }
}

/** In a leap year. Each day of the year is every day of the week in some year, so that only day and month can exclude each other. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function refuseMissingDay(dayValues: Iterable<number> = [], monthValues: Iterable<number> = []): void {
  const firstDay = Math.min(...dayValues)
  const lastDay = Math.max(...[...monthValues].map((month) => daysOfMonth[month - 1] ?? 0))
  if (firstDay > lastDay) throw new RangeError(`it never occurs, because its months have no day ${firstDay}`)
}

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

/** A number, or the beginning of a name. */
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
