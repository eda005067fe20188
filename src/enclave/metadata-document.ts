import type { Context } from './context.ts'
import { domain } from './named-cloud.ts'

type Shape = (context: Context) => unknown

/** A neighboring cloud, the first entry of the list shapes. */
const foreignCloud = {
  portal: 'https://portal.neighbor.test/',
  authentication: {
    loginEndpoint: 'https://login.neighbor.test',
    audiences: ['https://management.core.neighbor.test', 'https://management.neighbor.test'],
    tenant: 'common',
    identityProvider: 'AAD',
  },
  graphAudience: 'https://graph.neighbor.test',
  graph: 'https://graph.neighbor.test',
  name: 'NeighborCloud',
  suffixes: {
    storage: 'core.neighbor.test',
    keyVaultDns: 'vault.neighbor.test',
    sqlServerHostname: 'database.neighbor.test',
    acrLoginServer: 'azurecr.neighbor.test',
    azureFrontDoorEndpointSuffix: '',
  },
  resourceManager: 'https://management.neighbor.test',
}

/** The api-versions from the oldest to the newest. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['1.0', first],
  ['2015-01-01', first],
  ['2018-01-01', withTenant],
  ['2019-05-01', (context) => [foreignCloud, describe(context)]],
  ['2020-06-01', (context) => [foreignCloud, describe(context)]],
  ['2022-09-01', describe],
])

export const metadataApiVersions: readonly string[] = [...shapes.keys()]

/** The metadata document of one api-version, or undefined for a version that does not exist. */
export function metadataDocument(apiVersion: string, context: Context): unknown {
  return shapes.get(apiVersion)?.(context)
}

function first(context: Context) {
  const { cloud, loginEndpoint } = context
  return {
    galleryEndpoint: serviceUrl(context, 'gallery'),
    graphEndpoint: serviceUrl(context, 'microsoftGraph'),
    portalEndpoint: cloud.portalUrl,
    authentication: { loginEndpoint, audiences: audiences(context) },
  }
}

function withTenant(context: Context) {
  const document = first(context)
  return {
    ...document,
    graphAudience: document.graphEndpoint,
    authentication: { ...document.authentication, ...identityProvider(context) },
    cloudEndpoint: {},
  }
}

function describe(context: Context) {
  const { cloud, loginEndpoint } = context
  const { serviceDnsSuffixes: suffixes, toolNames } = cloud
  const bare = (suffix: string) => suffix.replace(/^\./, '')
  const graph = serviceUrl(context, 'microsoftGraph')
  return {
    portal: cloud.portalUrl,
    authentication: {
      // Without its final slash in this shape, as in the real clouds.
      loginEndpoint: loginEndpoint.replace(/\/$/, ''),
      audiences: audiences(context),
      ...identityProvider(context),
    },
    graphAudience: graph,
    graph,
    name: toolNames?.['az'] ?? (cloud.name === 'enclave' ? 'Enclave' : cloud.name),
    suffixes: {
      storage: bare(suffixes.storage).replace(/^blob\./i, ''),
      keyVaultDns: bare(suffixes.keyVault),
      sqlServerHostname: bare(suffixes.sqlServer),
      acrLoginServer: bare(suffixes.containerRegistry),
      azureFrontDoorEndpointSuffix: '',
    },
    resourceManager: cloud.resourceManagerEndpoint,
    gallery: serviceUrl(context, 'gallery'),
    microsoftGraphResourceId: graph,
  }
}

function serviceUrl({ cloud }: Context, name: 'gallery' | 'microsoftGraph'): string {
  return cloud.services?.[name]?.url ?? `https://${name === 'gallery' ? name : 'graph'}.${domain}/`
}

/** A stack writes its identifier without the final slash. */
function audiences({ directory, federationService }: Context): readonly string[] {
  const listed = [...new Set(directory.accepted['resource-manager'])]
  return federationService ? listed.map((each) => each.replace(/\/$/, '')) : listed
}

function identityProvider({ directory, federationService }: Context) {
  return { tenant: directory.tenantId, identityProvider: federationService ? 'ADFS' : 'AAD' }
}
