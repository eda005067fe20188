import type { Directory } from './directory.ts'

export interface MetadataOptions {
  readonly directory: Directory
  /** As in the cloud's older documents: with a final slash, except for a federation service. */
  readonly loginEndpoint: string
  readonly resourceManagerEndpoint: string
  readonly portalEndpoint: string
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
  ['2019-05-01', (options) => [foreignCloud, cloud(options)]],
  ['2020-06-01', (options) => [foreignCloud, cloud(options)]],
  ['2022-09-01', cloud],
])

export const metadataApiVersions: readonly string[] = [...shapes.keys()]

/** The metadata document of one api-version, or undefined for a version that does not exist. */
export function metadataDocument(apiVersion: string, options: MetadataOptions): unknown {
  return shapes.get(apiVersion)?.(options)
}

function first(options: MetadataOptions) {
  const { directory, loginEndpoint, portalEndpoint } = options
  return {
    galleryEndpoint: `https://gallery.${directory.domain}/`,
    graphEndpoint: `https://graph.${directory.domain}/`,
    portalEndpoint,
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

function cloud(options: MetadataOptions) {
  const { directory, loginEndpoint, portalEndpoint, resourceManagerEndpoint } = options
  const { domain } = directory
  return {
    portal: portalEndpoint,
    authentication: {
      // Without its final slash in this shape, as in the real clouds.
      loginEndpoint: loginEndpoint.replace(/\/$/, ''),
      audiences: audiences(options),
      ...identityProvider(options),
    },
    graphAudience: `https://graph.${domain}/`,
    graph: `https://graph.${domain}/`,
    name: 'Enclave',
    suffixes: {
      storage: `core.${domain}`,
      keyVaultDns: `vault.${domain}`,
      sqlServerHostname: `database.${domain}`,
      acrLoginServer: `azurecr.${domain}`,
      azureFrontDoorEndpointSuffix: '',
    },
    resourceManager: resourceManagerEndpoint,
    gallery: `https://gallery.${domain}/`,
    microsoftGraphResourceId: `https://graph.${domain}/`,
  }
}

/** A stack writes its identifier without the final slash. */
function audiences({ directory, federationService }: MetadataOptions): readonly string[] {
  const { resourceManagerAudiences } = directory
  return federationService ? resourceManagerAudiences.map((each) => each.replace(/\/$/, '')) : resourceManagerAudiences
}

function identityProvider({ directory, federationService }: MetadataOptions) {
  return { tenant: directory.tenantId, identityProvider: federationService ? 'ADFS' : 'AAD' }
}
