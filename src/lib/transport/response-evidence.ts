import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { retryAfterSeconds } from './retry-after.ts'

/** Evidence from the headers of a response: the target of a redirect, without query, and the seconds to wait. */
export function responseEvidence(response: PipelineResponse, url: URL): Readonly<Record<string, string | undefined>> {
  const waits = response.status === 429 || response.status === 503
  return {
    host: url.host,
    location: redirectTarget(response, url),
    retryAfterSeconds: waits ? retryAfterSeconds(response.headers.get('retry-after')) : undefined,
  }
}

/** Without query and fragment, which may echo what was sent. */
function redirectTarget({ status, headers }: PipelineResponse, url: URL): string | undefined {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url.href)) return undefined
  const { origin, pathname, protocol } = new URL(location, url)
  return /^https?:$/.test(protocol) ? `${origin}${pathname}`.slice(0, 200) : undefined
}
