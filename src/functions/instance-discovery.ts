import { loadOnce } from '../lib/base/waiting.ts'
import type { Service } from '../lib/service/service.ts'
import { httpFunction, json, type DescribedFunction, type Operation } from './http-function.ts'

const load = loadOnce(() => import('../lib/profile/discovery-response.ts'))

const openApi: Operation = {
  summary:
    'What the public instance discovery would say about the login authority; only with PLATFORM_SERVE_METADATA=true',
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
      description: 'The login authority is that of the profile.',
      types: ['application/json'],
      schema: 'InstanceDiscovery',
    },
    400: {
      description: 'The address is another one. The body is empty if the target or host of the request is invalid.',
      types: ['application/json'],
      schema: 'InvalidInstance',
    },
  },
}

/**
 * GET `/common/discovery/instance`: the response of the public instance discovery, but for the login authority of the profile, for clients
 * that cannot skip it. Anonymous, because clients call it before they sign in. An operator lets the public name resolve to this service:
 * docs/other-tools.md.
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
