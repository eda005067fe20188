/** For each unit: the shortest duration in seconds that uses it, its length in seconds, its singular and its plural. */
const units = [
  [86_356_800, 31_557_600, 'year', 'years'],
  [172_800, 86_400, 'day', 'days'],
  [7200, 3600, 'h', 'h'],
  [600, 60, 'min', 'min'],
] as const

/** Seconds as people say them: `140 s`, `20 min`, `2 h`, `3 days`, `10 years`. */
export function durationText(seconds: number): string {
  const [, size, one, many] = units.find(([from]) => seconds >= from) ?? [0, 1, 's', 's']
  const count = Math.round(seconds / size)
  return `${count} ${count === 1 ? one : many}`
}

/** Formats a time as ISO 8601. `undefined` if it isn't a valid date. @param timestamp Milliseconds since the epoch. */
export function isoDate(timestamp: number): string | undefined {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
