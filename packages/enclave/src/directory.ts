import type { CloudProfile } from 'cloud-profile-service'
import { randomBytes, randomUUID } from 'node:crypto'
import { aiServices, domain, isFederationService, storageSuffixes } from './named-cloud.ts'

interface Application {
  readonly kind: 'application'
  readonly clientId: string
  readonly objectId: string
}

export interface User extends Omit<Application, 'kind'> {
  readonly kind: 'user'
  readonly username: string
  readonly displayName: string
}

/** The subject of a token. For a user, `clientId` is the client of the sign-in. */
export type Principal = Application | User

/** The identities, secrets and resources of the tenant. Secrets are random for each enclave. */
export interface Directory extends Readonly<ReturnType<typeof createDirectory>> {}

interface DirectoryOptions {
  readonly lenient: boolean
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly tenantId?: string | undefined
  readonly adviceOn?: ((resource: string) => string | undefined) | undefined
  readonly cloud: CloudProfile
}

/** The client ids of az and of Az PowerShell. Every tenant of a real cloud has them. */
const commandLineClientIds = ['04b07795-8ddb-461a-bbee-02f9e1bf7b46', '1950a258-227b-4e31-a9cf-717495945fc2']

/** The storage audience of every public cloud. Some clients can't request another one. */
const universalStorageAudience = 'https://storage.azure.com/'

export function createDirectory({ cloud, tenantId: given, lenient, ...own }: DirectoryOptions) {
  const federationService = isFederationService(cloud)
  const directoryId = federationService ? randomUUID() : (given ?? cloud.tenantId ?? randomUUID())
  const tenantId = federationService ? 'adfs' : directoryId
  const clientId = own.clientId ?? randomUUID()
  const clientSecret = randomSecret()
  const operator = { objectId: randomUUID(), username: `operator@${domain}`, displayName: 'Enclave Operator' }
  const { resourceManagerAudience, aliases, services = {} } = cloud
  const { arm, storage, keyVault } = cloud.serviceAudiences
  const audiencesOf = (...names: readonly string[]) =>
    names.flatMap((name) => [services[name]?.audience ?? [], services[name]?.applicationId ?? []].flat())
  const accepted = {
    'resource-manager': [
      resourceManagerAudience,
      arm,
      ...(aliases?.resourceManagerAudiences ?? []),
      ...(lenient ? [cloud.resourceManagerEndpoint] : []),
    ],
    vault: [keyVault],
    storage: [storage, ...(lenient ? [universalStorageAudience] : [])],
    graph: audiencesOf('microsoftGraph'),
    'app-configuration': audiencesOf('appConfiguration'),
    ai: audiencesOf(...aiServices),
  }
  // Other applications may call this one, so it is a resource too.
  const applicationAudiences = [clientId, `api://${clientId}`]
  const cloudAudiences = [...new Set([...Object.values(accepted).flat(), ...audiencesOf(...Object.keys(services))])]
  const knownAudiences = new Set([...cloudAudiences, ...applicationAudiences].map(withoutSlash))
  // The suffixes of services that accept their own addresses as audiences, although the enclave has only the first two.
  const addressed = [
    ...storageSuffixes(cloud),
    ...['appConfiguration', 'cosmos', 'serviceBus', 'kusto'].flatMap((name) => services[name]?.dnsSuffix ?? []),
  ]
  const firstLabel = (audience: string) => URL.parse(audience)?.hostname.split('.')[0]
  return {
    /** `adfs` with a federation service, else a GUID. */
    tenantId,
    /** The GUID that the resource manager reports. */
    directoryId,
    domain,
    clientId,
    clientSecret,
    /** Whether it is a secret of the application: the random one, or the one of the options. */
    isClientSecret: (secret: string) => secret === clientSecret || secret === own.clientSecret,
    username: operator.username,
    password: randomSecret(),
    identityHeader: randomUUID(),
    subscriptionId: randomUUID(),
    /** Each ends with `/`. */
    audiences: { resourceManager: cloud.resourceManagerAudience, storage, keyVault },
    /** The audiences that each service accepts. The first one is in the service's challenge. */
    accepted,
    application: { kind: 'application', clientId, objectId: randomUUID() } satisfies Application,
    managedIdentity: { kind: 'application', clientId: randomUUID(), objectId: randomUUID() } satisfies Application,
    user: (through: string): User => ({ kind: 'user', clientId: through, ...operator }),
    isTenant: (name: string) => [tenantId, domain].includes(name.toLowerCase()),
    isPublicClient: (id: string) => [clientId, ...commandLineClientIds].includes(id),
    /** Whether the tenant has a resource with this identifier, or an account or store at this address. A final slash is ignored. */
    hasAudience: (audience: string) =>
      knownAudiences.has(withoutSlash(audience)) ||
      addressed.some((suffix) => URL.parse(audience)?.hostname.endsWith(suffix.toLowerCase())),
    /** What to request in place of an unknown resource or scope. */
    adviceOn: (resource: string): string => {
      const label = firstLabel(resource)
      const alike = cloudAudiences.find((each) => label !== undefined && firstLabel(each) === label)
      const advice = own.adviceOn?.(resource) ?? (alike && `Request the scope ${alike.replace(/\/*$/, '')}/.default`)
      return advice === undefined ? '' : ` ${advice}.`
    },
  }
}

/** Normalizes an audience for a comparison: lower case, without one final slash. */
export function withoutSlash(audience: string): string {
  return audience.toLowerCase().replace(/\/$/, '')
}

/** Has the alphabet of real client secrets, because some tools refuse other characters. */
function randomSecret(): string {
  return `${randomBytes(24).toString('base64url')}~.`
}
