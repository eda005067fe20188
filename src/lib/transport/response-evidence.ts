import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { retryAfterSeconds } from './retry-after.ts'

/** What the headers of an answer prove: where a redirect leads, without query, and how long to wait, in whole seconds. */
export function responseEvidence(response: PipelineResponse, url: URL): Readonly<Record<string, string | undefined>> {
  const waits = response.status === 429 || response.status === 503
  return {
    host: url.host,
    location: redirectTarget(response, url),
    retryAfterSeconds: waits ? retryAfterSeconds(response.headers.get('retry-after')) : undefined,
  }
}

/** The address a redirect leads to; a query or fragment may hold what we sent. */
function redirectTarget({ status, headers }: PipelineResponse, url: URL): string | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url.href)) return undefined
  const { origin, pathname, protocol } = new URL(location, url)
  return /^https?:$/.test(protocol) ? `${origin}${pathname}`.slice(0, 200) : undefined
}
