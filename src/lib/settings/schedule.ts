const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Second, minute, hour, day, month, weekday: least, most, and the names that may stand for numbers. */
const fields: readonly (readonly [least: number, most: number, names?: readonly string[]])[] = [
  [0, 59],
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12, months],
  [0, 6, weekdays],
]

/**
 * Whether a text is a six-field NCRONTAB expression, as timer triggers take it: per field `*`, values, ranges, lists
 * and steps. Only the shape is checked here, so that a typo stops the start with a message that names the variable;
 * the host computes the times.
 */
export function isSchedule(text: string): boolean {
  const parts = text.split(/\s+/)
  return parts.length === fields.length && parts.every((part, index) => isField(part, fields[index]))
}

function isField(part: string, field: (typeof fields)[number] | undefined): boolean {
  if (field === undefined) return false
  const [least, most, names = []] = field
  const isValue = (value: string) =>
    names.includes(value.toLowerCase()) || (/^\d{1,2}$/.test(value) && Number(value) >= least && Number(value) <= most)
  return part.split(',').every((item) => {
    const [range = '', step, ...rest] = item.split('/')
    if (rest.length > 0 || (step !== undefined && !(/^\d{1,2}$/.test(step) && Number(step) > 0))) return false
    return range === '*' || (range.split('-').length <= 2 && range.split('-').every(isValue))
  })
}
