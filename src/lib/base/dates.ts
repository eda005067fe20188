/** From how many seconds on a unit is used, its seconds, and its names for one and for many. */
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

/** A time as ISO 8601; `undefined` for a time that no calendar has. @param timestamp Milliseconds since the epoch. */
export function isoDate(timestamp: number): string | undefined {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
