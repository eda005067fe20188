import { randomUUID } from 'node:crypto'
import type { CloudProfile } from 'cloud-profile-service'
import type { Role } from './http/exchange.ts'

/** The DNS domain under which the loopback enclave names everything that is not on loopback. Reserved: nothing in it resolves. */
export const domain = 'enclave.test'

/** Sets of interface versions: a hyperscale cloud accepts every version, an on-premises stack refuses newer ones. */
export const versionSets = ['current', 'stack'] as const
export type VersionSet = (typeof versionSets)[number]

/** The versions of a cloud. Azure Local with disconnected operations is newer than the stack. */
export function versionsOf(cloud: CloudProfile | undefined): VersionSet {
  return cloud?.environment === 'platformstackcloud' && !isDisconnected(cloud) ? 'stack' : 'current'
}

interface LoopbackOptions {
  /** Gives the audiences, suffixes and kind. */
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

/** A cloud that exists nowhere else. */
function privateCloud(federationService: boolean): CloudProfile {
  // A stack's identifier ends in a GUID. Nothing is served at that address.
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
    // A stack has one identifier, other clouds have two.
    aliases: { resourceManagerAudiences: federationService ? [] : [`https://management.core.${domain}/`] },
    notes: 'A sovereign cloud on loopback, for tests and demonstrations. It exists as long as its process.',
  }
}

/** Whether a cloud is Azure Local with disconnected operations: its resource manager always has this name. */
export function isDisconnected({ resourceManagerEndpoint }: CloudProfile): boolean {
  return new URL(resourceManagerEndpoint).hostname.startsWith('armmanagement.')
}

/** Whether the login authority of a cloud is a federation service (AD FS). */
export function isFederationService({ authorityHost }: Pick<CloudProfile, 'authorityHost'>): boolean {
  return /\/adfs\/?$/i.test(new URL(authorityHost).pathname)
}

/** What the OpenID configuration of a multi-tenant authority says about the cloud of a tenant. */
export function cloudClaims({ authorityHost, services }: CloudProfile): Readonly<Record<string, string>> {
  const graph = URL.parse(services?.['microsoftGraph']?.url ?? '')?.host
  return {
    cloud_instance_name: new URL(authorityHost).host.replace(/^login\./, ''),
    ...(graph !== undefined && { msgraph_host: graph }),
  }
}

/** The services of language models. */
export const aiServices = ['openai', 'cognitiveServices', 'foundry'] as const

/** The role that serves a host name of the cloud. `undefined` for a host of another cloud, or of a service that the enclave doesn't have. */
export function roleOfHost(host: string, cloud: CloudProfile): Role | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  // Several roles of the loopback cloud have this name, each at its port.
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
  const storage = ['blob', 'dfs', 'queue', 'table'].map((kind) => suffixes.storage.replace(/^\.blob\./i, `.${kind}.`))
  if (storage.some(isBelow)) return 'storage'
  if (isBelow(suffixes.containerRegistry)) return 'registry'
  if (isBelow(suffixes.keyVault)) return 'vault'
  const isOf = (service: string) => isBelow(services?.[service]?.dnsSuffix ?? 'none.invalid')
  if (isOf('appConfiguration')) return 'app-configuration'
  return aiServices.some(isOf) ? 'ai' : undefined
}

/** Paths by endpoint. The OpenID configuration names the first. `{tenant}` is the tenant's segment. */
type Paths = Readonly<Partial<Record<keyof typeof tenanted | keyof typeof federation, readonly [string, ...string[]]>>>

/** The usual, tenanted authority. */
const tenanted = {
  configuration: ['/{tenant}/v2.0/.well-known/openid-configuration', '/{tenant}/.well-known/openid-configuration'],
  authorize: ['/{tenant}/oauth2/v2.0/authorize'],
  token: ['/{tenant}/oauth2/v2.0/token', '/{tenant}/oauth2/token'],
  deviceCode: ['/{tenant}/oauth2/v2.0/devicecode'],
  approval: ['/common/oauth2/deviceauth'],
  keys: ['/{tenant}/discovery/v2.0/keys', '/{tenant}/discovery/keys'],
  instance: ['/common/discovery/instance'],
  userRealm: ['/common/userrealm/{username}'],
} as const

/** A federation service (AD FS): one directory, so no tenant in any of them. */
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
  // Some clouds issue access tokens under another name than their authority's.
  const listed = cloud.aliases?.issuers?.[0]
  const paths = isFederation ? federation : tenanted
  return {
    origin,
    paths: paths as Paths,
    /** The `authorityHost` of a profile. Ends with `/`. */
    authorityHost: isFederation ? `${origin}/adfs/` : `${origin}/`,
    // A federation service has an http URL as its identifier. Nothing is served there.
    accessTokenIssuer: isFederation
      ? `${origin.replace('https:', 'http:')}/adfs/services/trust`
      : listed === undefined
        ? `${origin}/${tenantId}/v2.0`
        : `${listed}${tenantId}/`,
    configurationIssuer: (tenant: string) => (isFederation ? `${origin}/adfs` : `${origin}/${tenant}/v2.0`),
    /** The address of an endpoint for one tenant. */
    of: (endpoint: keyof typeof tenanted & keyof typeof federation, tenant: string): string =>
      origin + paths[endpoint][0].replace('{tenant}', tenant),
  }
}
