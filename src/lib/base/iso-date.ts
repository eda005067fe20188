/** A time as ISO 8601; `undefined` for a time that no calendar has. @param timestamp Milliseconds since the epoch. */
export function isoDate(timestamp: number): string | undefined {
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
