import { isServiceError, ServiceError } from '../errors.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { resourceManagerUrl } from '../profile/endpoints.ts'
import { isPlaceholder } from '../profile/placeholders.ts'
import { getDocument } from '../transport/get-document.ts'
import { toExplanation } from './explanation.ts'
import type { Check } from './report.ts'

const id = 'resource-manager.accepts-token'

/** A token that is for somebody else is nothing to show to the resource manager. */
export const notShown: Check = {
  id,
  status: 'skip',
  message: 'The token is for another audience, so the resource manager does not get to see it',
  durationMs: 0,
}

export interface AcceptanceOptions {
  readonly profile: CloudProfile
  readonly token: string
  readonly timeoutMs: number
}

/** Shows the token to the resource manager once: the only proof that its audience is right. */
export async function checkAcceptance({ profile, token, timeoutMs }: AcceptanceOptions): Promise<Check> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  const url = new URL(resourceManagerUrl(profile, 'subscriptions?api-version=2022-12-01'))
  if (isPlaceholder(url.href))
    return { id, status: 'skip', message: 'The resource manager endpoint is a placeholder', durationMs: 0 }
  if (url.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
    return { id, status: 'skip', message: 'A token is never sent over plain http', durationMs: 0 }
  }
  try {
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await getDocument(url.href, { role: 'RESOURCE_MANAGER', headers, timeoutMs })
    if (status < 300)
      return { id, status: 'pass', message: 'The resource manager accepts the token', durationMs: durationMs() }
    throw describeRefusal(status, url.host)
  } catch (error) {
    if (!isServiceError(error)) throw error
    const failed = error.code === 'RESOURCE_MANAGER_FORBIDDEN' ? 'warn' : 'fail'
    return { id, status: failed, ...toExplanation(error), durationMs: durationMs() }
  }
}

function describeRefusal(status: number, host: string): ServiceError {
  if (status === 401) return new ServiceError('RESOURCE_MANAGER_REJECTED_TOKEN', `${host} answers 401 to the token`)
  if (status === 403) return new ServiceError('RESOURCE_MANAGER_FORBIDDEN', `${host} accepts the token but answers 403`)
  if (status === 404) return new ServiceError('RESOURCE_MANAGER_NOT_FOUND', `${host} answers 404 for subscriptions`)
  if (status === 429) return new ServiceError('RESOURCE_MANAGER_THROTTLED', `${host} answers 429`)
  return new ServiceError('RESOURCE_MANAGER_HTTP_ERROR', `${host} answers ${status}`)
}
