import type { PipelineResponse } from '@azure/core-rest-pipeline'

/** Milliseconds a Retry-After header asks for, given in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(
  { headers }: Pick<PipelineResponse, 'headers'>,
  now: number = Date.now(),
): number | undefined {
  const value = headers.get('retry-after')
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}
