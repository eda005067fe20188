import type { FaultBoard } from './faults/fault-board.ts'
import { type Answer, type EnclaveRequest, type PathParameters, type Route, html, json } from './http/route.ts'
import { type BearerRefusal, type TokenIssuer, checkBearer } from './login/token-issuer.ts'
import { refuseVersion, type VersionSet } from './versions.ts'
import { type MetadataOptions, metadataApiVersions, metadataDocument } from './metadata-document.ts'

export interface ResourceManagerOptions extends MetadataOptions {
  readonly issuer: TokenIssuer
  readonly faults: FaultBoard
  /** The authority in the challenge: the login endpoint with the tenant. */
  readonly authorizationUri: string
  readonly foreignOrigin: string
  readonly versions: VersionSet
  /** The blob endpoint of the one storage account. */
  readonly storageEndpoint: string
}

const refusals: Readonly<Record<BearerRefusal, { readonly code: string; readonly message: string }>> = {
  missing: { code: 'AuthenticationFailed', message: "The 'Authorization' header is missing." },
  expired: { code: 'ExpiredAuthenticationToken', message: 'The access token has expired.' },
  'wrong-audience': {
    code: 'InvalidAuthenticationTokenAudience',
    message: 'The access token is for another audience than this resource manager.',
  },
  invalid: { code: 'InvalidAuthenticationToken', message: 'The access token is invalid.' },
}

const portalPage = '<!doctype html><html lang="en"><title>Enclave portal</title><h1>Enclave portal</h1></html>'

/** Every address of the resource manager. All but the metadata and the portal require a bearer token. */
export function resourceManagerRoutes(options: ResourceManagerOptions): readonly Route[] {
  const { directory } = options
  const subscription = {
    id: `/subscriptions/${directory.subscriptionId}`,
    subscriptionId: directory.subscriptionId,
    tenantId: directory.directoryId,
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
    id: `/tenants/${directory.directoryId}`,
    tenantId: directory.directoryId,
    countryCode: 'XX',
    displayName: 'Enclave',
    domains: [directory.domain],
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

  const secured = (path: string, answer: (parameters: PathParameters) => Answer): Route => ({
    method: 'GET',
    path,
    step: 'resource-manager/subscriptions',
    handle: async (request, parameters) =>
      (await refusal(request, options)) ??
      missingApiVersion(request) ??
      refuseVersion.resourceManager(request, options.versions) ??
      answer(parameters),
  })
  const ofSubscription = (answer: Answer) => (parameters: PathParameters) =>
    parameters['id'] === directory.subscriptionId
      ? answer
      : error(404, 'SubscriptionNotFound', `The subscription '${parameters['id']}' could not be found.`)
  const list = (items: readonly unknown[]): Answer => json(200, { value: items })

  return [
    { method: 'GET', path: '/portal/', handle: () => html(200, portalPage) },
    {
      method: 'GET',
      path: '/metadata/endpoints',
      step: 'resource-manager/metadata',
      handle: (request) => metadata(request, options),
    },
    secured('/subscriptions', () => json(200, { value: [subscription], count: { type: 'Total', value: 1 } })),
    secured('/subscriptions/{id}', ofSubscription(json(200, subscription))),
    secured('/subscriptions/{id}/locations', ofSubscription(list([location]))),
    secured('/subscriptions/{id}/resourcegroups', ofSubscription(list([resourceGroup]))),
    secured('/subscriptions/{id}/resourcegroups/{group}', (parameters) =>
      ofSubscription(
        parameters['group']?.toLowerCase() === resourceGroup.name
          ? json(200, resourceGroup)
          : error(404, 'ResourceGroupNotFound', `Resource group '${parameters['group']}' could not be found.`),
      )(parameters),
    ),
    secured('/subscriptions/{id}/providers', ofSubscription(list([]))),
    // Tools that look for resources find none.
    secured('/subscriptions/{id}/providers/{namespace}/{type}', ofSubscription(list([]))),
    secured('/subscriptions/{id}/resourcegroups/{group}/providers/{namespace}/{type}', ofSubscription(list([]))),
    secured('/tenants', () => list([tenant])),
    secured(
      '/subscriptions/{id}/resourcegroups/{group}/providers/microsoft.storage/storageaccounts/{name}',
      (parameters) => ofSubscription(json(200, storageAccount(parameters, options)))(parameters),
    ),
  ]
}

/** Every name means the only account. */
function storageAccount({ id, group, name }: PathParameters, { storageEndpoint }: ResourceManagerOptions) {
  return {
    id: `/subscriptions/${id}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/${name}`,
    name,
    type: 'Microsoft.Storage/storageAccounts',
    kind: 'StorageV2',
    location: 'loopback',
    properties: { provisioningState: 'Succeeded', primaryEndpoints: { blob: storageEndpoint } },
  }
}

function metadata(request: EnclaveRequest, options: MetadataOptions): Answer {
  const asked = request.query.get('api-version')
  const document = asked === null ? undefined : metadataDocument(asked, options)
  if (document !== undefined) return json(200, document)
  return (
    missingApiVersion(request) ??
    error(
      400,
      'InvalidApiVersionParameter',
      `The api-version '${asked}' is invalid. The supported versions are '${metadataApiVersions.join(',')}'.`,
    )
  )
}

async function refusal(request: EnclaveRequest, options: ResourceManagerOptions): Promise<Answer | undefined> {
  const { issuer, faults, directory } = options
  const verdict = await checkBearer(request, issuer, directory.resourceManagerAudiences)
  if (!verdict.accepted) return unauthorized(verdict.reason, options)
  if (faults.find('rejects-token', 'resource-manager')) return unauthorized('invalid', options)
  if (!faults.find('forbidden', 'resource-manager')) return undefined
  return error(403, 'AuthorizationFailed', 'The client does not have authorization to perform this action.')
}

function unauthorized(reason: BearerRefusal, options: ResourceManagerOptions): Answer {
  const { faults, authorizationUri, foreignOrigin } = options
  const { code, message } = refusals[reason]
  const answer = error(401, code, message)
  if (faults.find('missing-challenge', 'resource-manager')) return answer
  const authority = faults.find('foreign-challenge', 'resource-manager') ? `${foreignOrigin}/common` : authorizationUri
  const challenge = `Bearer authorization_uri="${authority}", error="invalid_token", error_description="${message}"`
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } }
}

function missingApiVersion(request: EnclaveRequest): Answer | undefined {
  if (request.query.has('api-version')) return undefined
  return error(400, 'MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required.')
}

function error(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } })
}
