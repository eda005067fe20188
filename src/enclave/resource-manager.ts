import type { Context } from './context.ts'
import { type Answer, type ErrorText, html, json, refusal } from './http/answer.ts'
import type { EnclaveRequest, PathParameters, Route } from './http/route.ts'
import { metadataApiVersions, metadataDocument } from './metadata-document.ts'
import { missingApiVersion, protect, unknownApiVersion } from './protect.ts'

const portalPage = '<!doctype html><html lang="en"><title>Enclave portal</title><h1>Enclave portal</h1></html>'

/** Every address of the resource manager. All but the metadata and the portal require a bearer token. */
export function resourceManagerRoutes(context: Context): readonly Route[] {
  const { subscriptionId, directoryId, domain } = context.directory
  const subscription = {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId: directoryId,
    displayName: 'Enclave subscription',
    state: 'Enabled',
    subscriptionPolicies: {
      locationPlacementId: 'Public_2014-09-01',
      quotaId: 'Internal_2014-09-01',
      spendingLimit: 'Off',
    },
    authorizationSource: 'RoleBased',
    managedByTenants: [],
  }
  const tenant = {
    id: `/tenants/${directoryId}`,
    tenantId: directoryId,
    countryCode: 'XX',
    displayName: 'Enclave',
    domains: [domain],
    tenantCategory: 'Home',
  }
  const location = { id: `${subscription.id}/locations/loopback`, name: 'loopback', displayName: 'Loopback' }
  const resourceGroup = {
    id: `${subscription.id}/resourceGroups/example`,
    name: 'example',
    type: 'Microsoft.Resources/resourceGroups',
    location: 'loopback',
    properties: { provisioningState: 'Succeeded' },
  }
  /** Every name means the only account. */
  const storageAccount = ({ group, name }: PathParameters) => ({
    id: `${subscription.id}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/${name}`,
    name,
    type: 'Microsoft.Storage/storageAccounts',
    kind: 'StorageV2',
    location: 'loopback',
    properties: { provisioningState: 'Succeeded', primaryEndpoints: { blob: context.storageEndpoint } },
  })

  const secured = (path: string, answer: (parameters: PathParameters) => unknown): Route => ({
    method: 'GET',
    path,
    step: 'resource-manager/subscriptions',
    handle: protect('resource-manager', context, (_, { parameters }) => {
      const { id = subscriptionId, group = '' } = parameters
      if (id !== subscriptionId)
        return refuse(404, 'SubscriptionNotFound', `The subscription '${id}' could not be found.`)
      const value = answer(parameters)
      if (value !== undefined) return json(200, value)
      return refuse(404, 'ResourceGroupNotFound', `Resource group '${group}' could not be found.`)
    }),
  })
  const list = (...value: readonly unknown[]) => ({ value })
  const inGroup = '/subscriptions/{id}/resourcegroups/{group}'
  return [
    { method: 'GET', path: '/portal/', handle: () => html(200, portalPage) },
    {
      method: 'GET',
      path: '/metadata/endpoints',
      step: 'resource-manager/metadata',
      handle: (request) => metadata(request, context),
    },
    secured('/subscriptions', () => ({ value: [subscription], count: { type: 'Total', value: 1 } })),
    secured('/tenants', () => list(tenant)),
    secured('/subscriptions/{id}', () => subscription),
    secured('/subscriptions/{id}/locations', () => list(location)),
    secured('/subscriptions/{id}/resourcegroups', () => list(resourceGroup)),
    secured(inGroup, ({ group }) => (group?.toLowerCase() === resourceGroup.name ? resourceGroup : undefined)),
    secured('/subscriptions/{id}/providers', () => list()),
    // Tools that look for resources find none.
    secured('/subscriptions/{id}/providers/{namespace}/{type}', () => list()),
    secured(`${inGroup}/providers/{namespace}/{type}`, () => list()),
    secured(`${inGroup}/providers/microsoft.storage/storageaccounts/{name}`, storageAccount),
  ]
}

function metadata({ query }: EnclaveRequest, context: Context): Answer {
  const version = query.get('api-version')
  if (version === null) return refuse(...missingApiVersion)
  const document = metadataDocument(version, context)
  return document === undefined
    ? refuse(...unknownApiVersion(version, metadataApiVersions.join(',')))
    : json(200, document)
}

const refuse = (...text: ErrorText): Answer => refusal('resource-manager', ...text)
