import { singleFlightCache } from '../lib/base/single-flight-cache.ts'
import { metadataPath } from '../lib/profile/endpoints.ts'
import type { Service } from '../lib/service/service.ts'
import { guardRoute } from './guard-route.ts'
import type { Route } from './route.ts'

const chunk = singleFlightCache<typeof import('./answer-metadata.ts')>()

/**
 * GET `/metadata/endpoints`: the profile as the metadata document of a resource manager, for tools that learn about a cloud in no other
 * way. Anonymous, because they ask before the sign-in. It contains nothing that a caller of the login authority would not learn.
 */
export function metadataRoute({ cloud }: Service): Route {
  return guardRoute({
    name: 'metadata',
    path: metadataPath,
    authLevel: 'anonymous',
    async handle(request) {
      const { answerMetadata } = await chunk.get(() => import('./answer-metadata.ts'))
      return answerMetadata(request, cloud.profile)
    },
  })
}
