import { ServiceError } from '../../errors.ts'
import type { CloudProfile } from '../../profile/cloud-profile.ts'
import { resourceManagerUrl } from '../../profile/endpoints.ts'
import { retryAfterSeconds } from '../../transport/retry-after.ts'
import type { AcceptanceTarget } from './acceptance.ts'

/** The resource manager, asked for the subscriptions that the identity may see. */
export function resourceManagerTarget(profile: CloudProfile, audience: string): AcceptanceTarget {
  return {
    group: 'resource-manager',
    role: 'RESOURCE_MANAGER',
    url: new URL(resourceManagerUrl(profile, 'subscriptions?api-version=2022-12-01')),
    audience,
    refusal({ status, headers }, host) {
      const evidence = { host, status: String(status), retryAfterSeconds: retryAfterSeconds(headers['retry-after']) }
      if (status === 401) {
        return new ServiceError('RESOURCE_MANAGER_REJECTED_TOKEN', `${host} answers 401 to the token`, { evidence })
      }
      if (status === 403) {
        return new ServiceError('RESOURCE_MANAGER_FORBIDDEN', `${host} accepts the token but answers 403`, { evidence })
      }
      if (status === 404) {
        return new ServiceError('RESOURCE_MANAGER_NOT_FOUND', `${host} answers 404 for subscriptions`, { evidence })
      }
      if (status === 429) return new ServiceError('RESOURCE_MANAGER_THROTTLED', `${host} answers 429`, { evidence })
      return new ServiceError('RESOURCE_MANAGER_HTTP_ERROR', `${host} answers ${status}`, { evidence })
    },
  }
}
