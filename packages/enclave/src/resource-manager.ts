import type { Context } from './context.ts'
import type { EnclaveResponse, ErrorText, PathParameters, Route } from './http/exchange.ts'
import { html, json, refusal } from './http/exchange.ts'
import { missingApiVersion, protect, unknownApiVersion } from './protect.ts'
import { domain, isDisconnected, storageSuffixes } from './named-cloud.ts'

const portalPage = '<!doctype html><html lang="en"><title>Enclave portal</title><h1>Enclave portal</h1></html>'

/** The routes of the resource manager. All except the metadata and the portal require a token. */
export function resourceManagerRoutes(context: Context): readonly Route[] {
  const { subscriptionId, directoryId, domain } = context.directory
  const subscription = {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    tenantId: directoryId,
    displayName: 'Enclave subscription',
    state: 'Enabled',
    subscriptionPolicies: { locationPlacementId: 'Public_2014-09-01', quotaId: 'Internal_2014-09-01' },
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
  const hostOf = (label: string, suffix: string) => `https://${label}${suffix}/`
  /** Any name gives the enclave's only storage account and vault, in any group. */
  const resource = (type: string, kind: object, propertiesOf: (name: string) => object) => ({
    type,
    describe: (name: string, group = resourceGroup.name) => ({
      id: `${subscription.id}/resourceGroups/${group}/providers/${type}/${name}`,
      name,
      type,
      ...kind,
      location: 'loopback',
      tags: {},
      properties: { provisioningState: 'Succeeded', ...propertiesOf(name) },
    }),
  })
  const { usesHostNames, cloud, storageEndpoint, vaultEndpoint } = context
  const sku = { name: 'Standard_LRS', tier: 'Standard' }
  const accounts = resource('Microsoft.Storage/storageAccounts', { kind: 'StorageV2', sku }, (name) => {
    const endpoints = storageSuffixes(cloud).map((suffix) => [
      suffix.split('.')[1],
      usesHostNames ? hostOf(name, suffix) : storageEndpoint,
    ])
    return { primaryEndpoints: Object.fromEntries(endpoints) as object, isHnsEnabled: false }
  })
  const vaults = resource('Microsoft.KeyVault/vaults', {}, (name) => ({
    tenantId: directoryId,
    vaultUri: usesHostNames ? hostOf(name, cloud.serviceDnsSuffixes.keyVault) : vaultEndpoint,
    sku: { family: 'A', name: 'standard' },
    enableRbacAuthorization: true,
    accessPolicies: [],
  }))
  /** What the options name. A list contains nothing else. */
  const { storage, vault } = context.resources ?? {}
  const named = [storage && accounts.describe(storage), vault && vaults.describe(vault)].filter(
    (each) => typeof each === 'object',
  )
  const listOf = ({ group, namespace, type }: PathParameters, filter = '') => {
    const [, only] = /resourceType eq '([^']+)'/i.exec(filter) ?? []
    const wanted = (type === undefined ? only : `${namespace}/${type}`)?.toLowerCase()
    if (group !== undefined && group.toLowerCase() !== resourceGroup.name) return undefined
    return { value: named.filter((each) => wanted === undefined || each.type.toLowerCase() === wanted) }
  }

  const secured = (
    path: string,
    contentOf: (parameters: PathParameters, filter?: string) => unknown,
    method: Route['method'] = 'GET',
  ): Route => ({
    method,
    path,
    step: 'resource-manager/subscriptions',
    handle: protect('resource-manager', context, ({ query, parameters }) => {
      const { id = subscriptionId, group = '' } = parameters
      if (id !== subscriptionId)
        return refuse(404, 'SubscriptionNotFound', `The subscription '${id}' could not be found.`)
      const value = contentOf(parameters, query.get('$filter') ?? undefined)
      if (value !== undefined) return json(200, value)
      return refuse(404, 'ResourceGroupNotFound', `Resource group '${group}' could not be found.`)
    }),
  })
  const metadata = metadataByVersion(context)
  const inGroup = '/subscriptions/{id}/resourcegroups/{group}'
  return [
    { method: 'GET', path: '/portal', handle: () => html(200, portalPage) },
    {
      method: 'GET',
      path: '/metadata/endpoints',
      step: 'resource-manager/metadata',
      handle: ({ query }) => {
        const version = query.get('api-version')
        if (version === null) return refuse(...missingApiVersion)
        const document = metadata.get(version)
        const supported = [...metadata.keys()].join(',')
        return document === undefined ? refuse(...unknownApiVersion(version, supported)) : json(200, document)
      },
    },
    secured('/subscriptions', () => ({ value: [subscription], count: { type: 'Total', value: 1 } })),
    secured('/tenants', () => ({ value: [tenant] })),
    secured('/subscriptions/{id}', () => subscription),
    secured('/subscriptions/{id}/locations', () => ({ value: [location] })),
    secured('/subscriptions/{id}/resourcegroups', () => ({ value: [resourceGroup] })),
    secured(inGroup, ({ group }) => (group?.toLowerCase() === resourceGroup.name ? resourceGroup : undefined)),
    secured('/subscriptions/{id}/providers', () => ({ value: [] })),
    secured('/subscriptions/{id}/providers/{namespace}', ({ namespace }) => ({
      id: `${subscription.id}/providers/${namespace}`,
      namespace,
      registrationState: 'Registered',
      resourceTypes: [],
    })),
    secured('/subscriptions/{id}/resources', listOf),
    secured(`${inGroup}/resources`, listOf),
    secured('/providers/microsoft.resourcegraph/resources', () => emptyQueryResult, 'POST'),
    secured('/subscriptions/{id}/providers/{namespace}/{type}', listOf),
    secured(`${inGroup}/providers/{namespace}/{type}`, listOf),
    ...[accounts, vaults].map(({ type, describe }) =>
      secured(`${inGroup}/providers/${type}/{name}`, ({ group, name = '' }) => describe(name, group)),
    ),
  ]
}

const emptyQueryResult = { totalRecords: 0, count: 0, resultTruncated: 'false', data: [], facets: [] }

const refuse = (...text: ErrorText): EnclaveResponse => refusal('resource-manager', ...text)

/** The metadata of the cloud by api-version, oldest first. */
function metadataByVersion({ addresses, cloud, directory, federationService, loginEndpoint }: Context) {
  const { serviceDnsSuffixes: suffixes, services, toolNames } = cloud
  // Metadata omits a service that the cloud doesn't have.
  const bare = (suffix: string) => (suffix.endsWith('.invalid') ? undefined : suffix.replace(/^\./, ''))
  const withoutFinalSlash = (url: string) => url.replace(/\/$/, '')
  const graph = services?.['microsoftGraph']?.url ?? `https://graph.${domain}/`
  const gallery = services?.['gallery']?.url ?? `https://gallery.${domain}/`
  const accepted = [...new Set(directory.accepted['resource-manager'])]
  // In the metadata of a stack, the identifier has no final slash.
  const audiences = federationService ? accepted.map(withoutFinalSlash) : accepted
  const identityProvider = federationService ? 'ADFS' : 'AAD'
  const provider = { audiences, tenant: directory.tenantId, identityProvider }
  const first = {
    galleryEndpoint: gallery,
    graphEndpoint: graph,
    portalEndpoint: cloud.portalUrl,
    authentication: { loginEndpoint, audiences },
  }
  const withTenant = {
    ...first,
    graphAudience: graph,
    authentication: { loginEndpoint, ...provider },
    cloudEndpoint: {},
  }
  const current = {
    portal: cloud.portalUrl,
    // As in real clouds, this version has no final slash, and Azure Local names the federation service only in the provider.
    authentication: {
      loginEndpoint: isDisconnected(cloud) ? addresses.origin : withoutFinalSlash(loginEndpoint),
      ...provider,
    },
    graphAudience: graph,
    graph,
    name: toolNames?.['az'] ?? (cloud.name === 'enclave' ? 'Enclave' : cloud.name),
    suffixes: {
      storage: bare(suffixes.storage)?.replace(/^blob\./i, ''),
      keyVaultDns: bare(suffixes.keyVault),
      sqlServerHostname: bare(suffixes.sqlServer),
      acrLoginServer: bare(suffixes.containerRegistry),
      azureFrontDoorEndpointSuffix: '',
    },
    resourceManager: cloud.resourceManagerEndpoint,
    gallery,
    microsoftGraphResourceId: graph,
  }
  return new Map<string, unknown>([
    ['1.0', first],
    ['2015-01-01', first],
    ['2018-01-01', withTenant],
    ['2019-05-01', [current]],
    ['2020-06-01', [current]],
    ['2022-09-01', current],
  ])
}
