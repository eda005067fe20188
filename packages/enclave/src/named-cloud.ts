import { randomUUID } from 'node:crypto'
import type { CloudProfile } from 'cloud-profile-service'
import type { Role } from './http/exchange.ts'

/** The DNS domain of names that aren't on loopback. It is reserved, so none of them resolves. */
export const domain = 'enclave.test'

/** `current` accepts every API version, and `stack` refuses versions that an on-premises stack doesn't have. */
export const versionSets = ['current', 'stack'] as const
export type VersionSet = (typeof versionSets)[number]

/** The API versions of a cloud. Azure Local with disconnected operations has newer ones than the stack. */
export function versionsOf(cloud: CloudProfile | undefined): VersionSet {
  return cloud?.environment === 'platformstackcloud' && !isDisconnected(cloud) ? 'stack' : 'current'
}

interface LoopbackOptions {
  /** Sets audiences, suffixes and the kind of identity provider. */
  readonly cloud?: CloudProfile | undefined
  readonly federationService: boolean
  readonly localServices: boolean
}

/** A cloud with loopback addresses. The address of each role ends with `/`. */
export function loopbackCloud(at: (role: Role) => string, options: LoopbackOptions): CloudProfile {
  const { localServices, cloud = privateCloud(options.federationService) } = options
  const resourceManagerEndpoint = at('resource-manager')
  const { microsoftGraph = { audience: at('graph') } } = cloud.services ?? {}
  return {
    ...cloud,
    authorityHost: `${at('login')}${isFederationService(cloud) ? 'adfs/' : ''}`,
    resourceManagerEndpoint,
    portalUrl: `${resourceManagerEndpoint}portal/`,
    metadataEndpoint: `${resourceManagerEndpoint}metadata/endpoints`,
    services: {
      ...cloud.services,
      ...(localServices && {
        blob: { url: at('storage') },
        dfs: { url: at('storage') },
        keyVault: { url: at('vault') },
        containerRegistry: { ...cloud.services?.['containerRegistry'], url: at('registry') },
        appConfiguration: { ...cloud.services?.['appConfiguration'], url: at('app-configuration') },
        openai: { ...cloud.services?.['openai'], url: at('ai') },
      }),
      microsoftGraph: { ...microsoftGraph, url: at('graph') },
    },
    aliases: { ...cloud.aliases, authorityHosts: [], issuers: [at('login')] },
  }
}

/** The cloud of an enclave without the option `cloud`. */
function privateCloud(federationService: boolean): CloudProfile {
  // The identifier of a stack ends with a GUID. No server has this address.
  const resourceManager = `https://management.${domain}/${federationService ? `${randomUUID()}/` : ''}`
  return {
    name: 'enclave',
    displayName: 'Loopback enclave',
    environment: federationService ? 'platformstackcloud' : 'custom',
    authorityHost: `https://login.${domain}/${federationService ? 'adfs/' : ''}`,
    resourceManagerEndpoint: `https://management.${domain}/`,
    resourceManagerAudience: resourceManager,
    serviceDnsSuffixes: {
      storage: `.blob.core.${domain}`,
      keyVault: `.vault.${domain}`,
      sqlServer: `.database.${domain}`,
      containerRegistry: `.azurecr.${domain}`,
    },
    serviceAudiences: {
      arm: resourceManager,
      storage: `https://storage.${domain}/`,
      keyVault: `https://vault.${domain}/`,
    },
    services: {
      sqlServer: { audience: `https://database.${domain}/`, port: 1433 },
      serviceBus: { dnsSuffix: `.servicebus.${domain}`, audience: `https://servicebus.${domain}/`, port: 5671 },
      appConfiguration: { dnsSuffix: `.azconfig.${domain}`, audience: `https://azconfig.${domain}` },
      openai: { dnsSuffix: `.openai.${domain}`, audience: `https://cognitiveservices.${domain}` },
    },
    // The resource manager of a stack has one identifier, of other clouds two.
    aliases: { resourceManagerAudiences: federationService ? [] : [`https://management.core.${domain}/`] },
    notes: 'A simulated sovereign cloud on loopback, for tests and demonstrations. It ends with its process.',
  }
}

/** Whether a cloud is Azure Local with disconnected operations. Its resource manager always has this host name. */
export function isDisconnected({ resourceManagerEndpoint }: CloudProfile): boolean {
  return new URL(resourceManagerEndpoint).hostname.startsWith('armmanagement.')
}

/** Whether the login authority of a cloud is a federation service (AD FS). */
export function isFederationService({ authorityHost }: Pick<CloudProfile, 'authorityHost'>): boolean {
  return /\/adfs\/?$/i.test(new URL(authorityHost).pathname)
}

/** The fields of a multi-tenant authority's OpenID configuration that name the cloud. */
export function cloudClaims({ authorityHost, services }: CloudProfile): Readonly<Record<string, string>> {
  const graph = URL.parse(services?.['microsoftGraph']?.url ?? '')?.host
  return {
    cloud_instance_name: new URL(authorityHost).host.replace(/^login\./, ''),
    ...(graph !== undefined && { msgraph_host: graph }),
  }
}

export const aiServices = ['openai', 'cognitiveServices', 'foundry'] as const

/** The AI services whose audiences a request may have. The projects of Foundry accept only its own, its models also the older one. */
export function aiServicesOf(host: string, path: string, { services }: CloudProfile): readonly string[] {
  const hostname = host.replace(/:\d+$/, '').toLowerCase()
  const own = aiServices.find((each) => hostname.endsWith(services?.[each]?.dnsSuffix ?? 'none.invalid')) ?? 'openai'
  const isProject = /^\/api\/projects(?:\/|$)/i.test(path) && services?.['foundry']?.audience !== undefined
  if (isProject && own !== 'cognitiveServices') return ['foundry']
  return own === 'foundry' ? ['foundry', 'cognitiveServices'] : [own]
}

/** The suffixes of a storage account: of its blobs, file system, queues and tables. */
export function storageSuffixes({ serviceDnsSuffixes: { storage } }: CloudProfile): readonly string[] {
  return ['blob', 'dfs', 'queue', 'table'].map((kind) => storage.replace(/^\.blob\./i, `.${kind}.`))
}

/** The role with a host name of the cloud. `undefined` for a host of another cloud, or of a service that the enclave doesn't have. */
export function roleOfHost(host: string, cloud: CloudProfile): Role | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  // Several roles of a loopback cloud have this name, on different ports.
  if (name === 'localhost') return undefined
  const { services, serviceDnsSuffixes: suffixes, aliases } = cloud
  const isHostOf = (...urls: readonly (string | undefined)[]) =>
    urls.some((url) => URL.parse(url ?? '')?.hostname === name)
  const { resourceManagerEndpoint, metadataEndpoint, portalUrl } = cloud
  if (isHostOf(cloud.authorityHost, ...(aliases?.authorityHosts ?? []))) return 'login'
  const audiences = aliases?.resourceManagerAudiences ?? []
  if (isHostOf(resourceManagerEndpoint, metadataEndpoint, portalUrl, ...audiences)) return 'resource-manager'
  if (isHostOf(services?.['microsoftGraph']?.url)) return 'graph'
  const isBelow = (suffix: string) => name.endsWith(suffix.toLowerCase())
  if (storageSuffixes(cloud).some(isBelow)) return 'storage'
  if (isBelow(suffixes.containerRegistry)) return 'registry'
  if (isBelow(suffixes.keyVault)) return 'vault'
  const isOf = (service: string) => isBelow(services?.[service]?.dnsSuffix ?? 'none.invalid')
  if (isOf('appConfiguration')) return 'app-configuration'
  return aiServices.some(isOf) ? 'ai' : undefined
}

/** Paths by endpoint: of version 2, then of version 1, which has a separate configuration. `{tenant}` is the segment of the tenant. */
type Paths = Readonly<Partial<Record<keyof typeof tenanted | keyof typeof federation, readonly [string, ...string[]]>>>

/** A multi-tenant identity provider. */
const tenanted = {
  configuration: ['/{tenant}/v2.0/.well-known/openid-configuration', '/{tenant}/.well-known/openid-configuration'],
  authorize: ['/{tenant}/oauth2/v2.0/authorize', '/{tenant}/oauth2/authorize'],
  token: ['/{tenant}/oauth2/v2.0/token', '/{tenant}/oauth2/token'],
  deviceCode: ['/{tenant}/oauth2/v2.0/devicecode', '/{tenant}/oauth2/devicecode'],
  approval: ['/common/oauth2/deviceauth'],
  keys: ['/{tenant}/discovery/v2.0/keys', '/{tenant}/discovery/keys'],
  instance: ['/common/discovery/instance'],
  userRealm: ['/common/userrealm/{username}'],
} as const

/** A federation service (AD FS). It has one directory, so no path contains a tenant. */
const federation = {
  configuration: ['/adfs/.well-known/openid-configuration'],
  authorize: ['/adfs/oauth2/authorize'],
  token: ['/adfs/oauth2/token'],
  deviceCode: ['/adfs/oauth2/devicecode'],
  approval: ['/adfs/oauth2/deviceauth'],
  keys: ['/adfs/discovery/keys'],
  webfinger: ['/.well-known/webfinger'],
} as const

export type LoginAddresses = ReturnType<typeof loginAddresses>

export function loginAddresses(cloud: CloudProfile, tenantId: string) {
  const { origin } = new URL(cloud.authorityHost)
  const isFederation = isFederationService(cloud)
  // Some clouds issue access tokens with another host name than their authority's.
  const listed = cloud.aliases?.issuers?.[0]
  const paths = isFederation ? federation : tenanted
  // Without a listed issuer, access tokens have the issuer of version 2.
  const versionOneIssuer = (tenant: string) =>
    listed === undefined ? `${origin}/${tenant}/v2.0` : `${listed}${tenant}/`
  return {
    origin,
    paths: paths as Paths,
    /** The `authorityHost` of a profile. Ends with `/`. */
    authorityHost: isFederation ? `${origin}/adfs/` : `${origin}/`,
    // The identifier of a federation service is an http URL, which no server has.
    accessTokenIssuer: isFederation
      ? `${origin.replace('https:', 'http:')}/adfs/services/trust`
      : versionOneIssuer(tenantId),
    configurationIssuer: (tenant: string, version: 1 | 2 = 2) =>
      isFederation ? `${origin}/adfs` : version === 1 ? versionOneIssuer(tenant) : `${origin}/${tenant}/v2.0`,
    of: (endpoint: keyof typeof tenanted & keyof typeof federation, tenant: string, version: 1 | 2 = 2): string =>
      origin + ((paths as Paths)[endpoint]?.[2 - version] ?? paths[endpoint][0]).replace('{tenant}', tenant),
  }
}
