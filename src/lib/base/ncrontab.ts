/** The fields with their smallest and largest number, and the names that they take. */
const fields: readonly (readonly [name: string, min: number, max: number, names?: RegExp])[] = [
  ['second', 0, 59],
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12, /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i],
  ['day of week', 0, 6, /^(sun|mon|tue|wed|thu|fri|sat)$/i],
]

/** An entry of a list: `*`, a value or a range, with an optional step. */
const entry = /^(?:\*|(\w{1,3})(?:-(\w{1,3}))?)(?:\/[1-9]\d?)?$/

/**
 * Why a text is not a six-field NCRONTAB expression; `undefined` if it is one. Like Azure Functions, it refuses five fields and the signs of other
 * crons, such as `L` and `#`. The server parses with croner, which is too large for a cold start.
 */
export function ncrontabProblem(expression: string): string | undefined {
  const texts = expression.trim().split(/\s+/)
  if (texts.length !== fields.length) return 'it needs six fields: {second} {minute} {hour} {day} {month} {day of week}'
  const wrong = fields.find(([, min, max, names], index) => {
    const isValue = (text: string | undefined) =>
      text === undefined || names?.test(text) === true || (/^\d\d?$/.test(text) && +text >= min && +text <= max)
    const isEntry = (text: string) => entry.exec(text)?.slice(1).every(isValue) === true
    return texts[index]?.split(',').every(isEntry) !== true
  })
  return wrong && `its ${wrong[0]} must be ${wrong[1]} to ${wrong[2]}, as *, n, a-b, */n or a list of these`
}
