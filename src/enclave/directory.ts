import { randomBytes, randomUUID } from 'node:crypto'

/** Who a token speaks for. */
export type Principal =
  | { readonly kind: 'application'; readonly clientId: string; readonly objectId: string }
  | {
      readonly kind: 'user'
      /** The client through which the user signed in. */
      readonly clientId: string
      readonly objectId: string
      readonly username: string
      readonly displayName: string
    }

/** Everything that one tenant knows. Secrets are random for each enclave. */
export type Directory = Readonly<ReturnType<typeof createDirectory>>

export interface DirectoryOptions {
  readonly tenantId?: string | undefined
  readonly federationService: boolean
  /** Further identifiers of the resource manager. */
  readonly resourceManagerAudiences: readonly string[]
}

/** The client ids of az and of Az PowerShell, which every tenant of a real cloud knows. */
const commandLineClientIds = ['04b07795-8ddb-461a-bbee-02f9e1bf7b46', '1950a258-227b-4e31-a9cf-717495945fc2']

/** An audience that storage accounts of every real cloud accept besides the cloud's own. Some clients ask for no other. */
export const universalStorageAudience = 'https://storage.azure.com/'

/** The DNS domain under which the enclave names everything that is not on loopback. Reserved: nothing in it resolves. */
export const domain = 'enclave.test'

export function createDirectory(options: DirectoryOptions) {
  const { federationService } = options
  const directoryId = federationService ? randomUUID() : (options.tenantId ?? randomUUID())
  const tenantId = federationService ? 'adfs' : directoryId
  const clientId = randomUUID()
  const managedIdentityClientId = randomUUID()
  const userObjectId = randomUUID()
  const username = `operator@${domain}`
  /** The identifiers of the tenant's resources. Each ends with `/`. */
  const audiences = {
    // A stack's identifier ends in a GUID. Nothing is served at that address.
    resourceManager: federationService
      ? `https://management.${domain}/${randomUUID()}/`
      : `https://management.${domain}/`,
    storage: `https://storage.${domain}/`,
    keyVault: `https://vault.${domain}/`,
  }
  // Tools ask for a token of the directory's graph to learn who they are.
  /** All identifiers of the resource manager. A stack has one, other clouds have two. */
  const resourceManagerAudiences = [
    audiences.resourceManager,
    ...(federationService ? [] : [`https://management.core.${domain}/`]),
    ...options.resourceManagerAudiences,
  ]
  const known = new Set(
    [
      ...Object.values(audiences),
      ...resourceManagerAudiences,
      universalStorageAudience,
      `https://graph.${domain}/`,
    ].map(withoutSlash),
  )
  return {
    /** `adfs` with a federation service, else a GUID. */
    tenantId,
    /** The GUID that resource manager reports. */
    directoryId,
    domain,
    clientId,
    clientSecret: randomSecret(),
    username,
    password: randomSecret(),
    managedIdentityClientId,
    identityHeader: randomUUID(),
    subscriptionId: randomUUID(),
    audiences,
    resourceManagerAudiences,
    application: { kind: 'application', clientId, objectId: randomUUID() } satisfies Principal,
    managedIdentity: {
      kind: 'application',
      clientId: managedIdentityClientId,
      objectId: randomUUID(),
    } satisfies Principal,
    user: (through: string): Principal => ({
      kind: 'user',
      clientId: through,
      objectId: userObjectId,
      username,
      displayName: 'Enclave Operator',
    }),
    isTenant: (name: string) => [tenantId, domain].includes(name.toLowerCase()),
    isPublicClient: (id: string) => [clientId, ...commandLineClientIds].includes(id),
    /** Whether the tenant has a resource with this identifier, with or without its final slash. */
    hasAudience: (audience: string) => known.has(withoutSlash(audience)),
  }
}

/** The identifier without one final slash, lower case: how audiences are compared. */
export function withoutSlash(audience: string): string {
  return audience.toLowerCase().replace(/\/$/, '')
}

/** In the alphabet of real client secrets, with characters that a shell and a form treat specially. */
function randomSecret(): string {
  return `${randomBytes(24).toString('base64url')}~'&+%`
}

/** A cloud profile as a plain object, ready to be saved as a custom profile file. */
export type EnclaveProfile = ReturnType<typeof enclaveProfile>

export interface ProfileOptions {
  readonly directory: Directory
  readonly authorityHost: string
  readonly resourceManagerEndpoint: string
  readonly federationService: boolean
}

export function enclaveProfile(options: ProfileOptions) {
  const { directory, authorityHost, resourceManagerEndpoint, federationService } = options
  const { audiences, domain } = directory
  return {
    name: 'enclave',
    displayName: 'Loopback enclave',
    environment: federationService ? ('platformstackcloud' as const) : ('custom' as const),
    authorityHost,
    resourceManagerEndpoint,
    resourceManagerAudience: audiences.resourceManager,
    tenantId: directory.tenantId,
    portalUrl: `${resourceManagerEndpoint}portal/`,
    metadataEndpoint: `${resourceManagerEndpoint}metadata/endpoints`,
    serviceDnsSuffixes: {
      storage: `.blob.core.${domain}`,
      keyVault: `.vault.${domain}`,
      sqlServer: `.database.${domain}`,
      containerRegistry: `.azurecr.${domain}`,
    },
    serviceAudiences: {
      arm: audiences.resourceManager,
      storage: audiences.storage,
      keyVault: audiences.keyVault,
    },
    notes: 'A sovereign cloud on loopback, for tests and demonstrations. It exists as long as its process.',
  }
}
