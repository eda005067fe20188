/** Milliseconds a Retry-After header asks for, given in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(value: string | undefined, now: number = Date.now()): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** The same in whole seconds, as evidence. */
export function retryAfterSeconds(value: string | undefined): string | undefined {
  const wait = retryAfterOf(value)
  return wait === undefined ? undefined : String(Math.ceil(wait / 1000))
}
