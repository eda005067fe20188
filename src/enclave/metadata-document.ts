import type { Directory } from './directory.ts'
import { domain, type NamedCloud } from './named-cloud.ts'

export interface MetadataOptions {
  readonly directory: Directory
  /** As in the cloud's older documents: with a final slash, except for a federation service. */
  readonly loginEndpoint: string
  readonly cloud: NamedCloud
  readonly federationService: boolean
}

type Shape = (options: MetadataOptions) => unknown

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
  ['2019-05-01', (options) => [foreignCloud, describe(options)]],
  ['2020-06-01', (options) => [foreignCloud, describe(options)]],
  ['2022-09-01', describe],
])

export const metadataApiVersions: readonly string[] = [...shapes.keys()]

/** The metadata document of one api-version, or undefined for a version that does not exist. */
export function metadataDocument(apiVersion: string, options: MetadataOptions): unknown {
  return shapes.get(apiVersion)?.(options)
}

function first(options: MetadataOptions) {
  const { cloud, loginEndpoint } = options
  return {
    galleryEndpoint: galleryOf(cloud),
    graphEndpoint: graphOf(cloud),
    portalEndpoint: cloud.portalUrl,
    authentication: { loginEndpoint, audiences: audiences(options) },
  }
}

function withTenant(options: MetadataOptions) {
  const document = first(options)
  return {
    ...document,
    graphAudience: document.graphEndpoint,
    authentication: { ...document.authentication, ...identityProvider(options) },
    cloudEndpoint: {},
  }
}

function describe(options: MetadataOptions) {
  const { cloud, loginEndpoint } = options
  const { serviceDnsSuffixes: suffixes, toolNames } = cloud
  const bare = (suffix: string) => suffix.replace(/^\./, '')
  const graph = graphOf(cloud)
  return {
    portal: cloud.portalUrl,
    authentication: {
      // Without its final slash in this shape, as in the real clouds.
      loginEndpoint: loginEndpoint.replace(/\/$/, ''),
      audiences: audiences(options),
      ...identityProvider(options),
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
    gallery: galleryOf(cloud),
    microsoftGraphResourceId: graph,
  }
}

function graphOf({ services }: NamedCloud): string {
  return services?.['microsoftGraph']?.url ?? `https://graph.${domain}/`
}

function galleryOf({ services }: NamedCloud): string {
  return services?.['gallery']?.url ?? `https://gallery.${domain}/`
}

/** A stack writes its identifier without the final slash. */
function audiences({ directory, federationService }: MetadataOptions): readonly string[] {
  const listed = [...new Set(directory.resourceManagerAudiences)]
  return federationService ? listed.map((each) => each.replace(/\/$/, '')) : listed
}

function identityProvider({ directory, federationService }: MetadataOptions) {
  return { tenant: directory.tenantId, identityProvider: federationService ? 'ADFS' : 'AAD' }
}
