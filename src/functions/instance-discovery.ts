import { loadOnce } from '../lib/base/waiting.ts'
import type { Service } from '../lib/service/service.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const load = loadOnce(() => import('../lib/profile/discovery-response.ts'))

const openApi: Operation = {
  summary:
    'The response of the public instance discovery, for the login authority of the profile, if PLATFORM_SERVE_METADATA=true',
  parameters: [
    {
      name: 'authorization_endpoint',
      in: 'query',
      required: true,
      description: 'An address of the login authority, with a tenant.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description: 'The address belongs to the login authority of the profile.',
      types: ['application/json'],
      schema: 'InstanceDiscovery',
    },
    400: {
      description:
        'The address belongs to another login authority. The body is empty if the target or host of the request is invalid.',
      types: ['application/json'],
      schema: 'InvalidInstance',
    },
  },
}

/**
 * GET `/common/discovery/instance`: responds like the public instance discovery, for clients that can't disable it. An operator makes the
 * public host name resolve to this service (docs/other-tools.md). Anonymous, because clients call it before they sign in.
 */
export function instanceDiscoveryFunction({ cloud: { profile } }: Service): DescribedFunction {
  return httpFunction({
    name: 'instanceDiscovery',
    path: 'common/discovery/instance',
    authLevel: 'anonymous',
    openApi,
    async handle({ query }) {
      const { respondToDiscovery } = await load()
      const { status, body } = respondToDiscovery(profile, query['authorization_endpoint'] ?? '')
      return json(body, { status })
    },
  })
}
