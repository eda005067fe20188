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

/** Audiences the tenant has resources for. Each ends with `/`. */
export interface Audiences {
  readonly resourceManager: string
  readonly storage: string
  readonly keyVault: string
}

/** Everything one tenant knows. Secrets are random for each enclave. */
export interface Directory {
  /** `adfs` with a federation service, else a GUID. */
  readonly tenantId: string
  /** The GUID that resource manager reports. */
  readonly directoryId: string
  readonly domain: string
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  readonly password: string
  readonly managedIdentityClientId: string
  readonly identityHeader: string
  readonly subscriptionId: string
  readonly audiences: Audiences
  readonly application: Principal
  readonly managedIdentity: Principal
  user(clientId: string): Principal
  isTenant(name: string): boolean
  isPublicClient(clientId: string): boolean
  /** Whether the tenant has a resource with this identifier, with or without its final slash. */
  hasAudience(audience: string): boolean
}

export interface DirectoryOptions {
  readonly tenantId?: string | undefined
  readonly federationService: boolean
  /** Accepted as an audience beside the resource manager's own identifier. */
  readonly resourceManagerEndpoint: string
}

/** The command-line tool's own client, which every tenant of a real cloud knows. */
const commandLineClientId = '04b07795-8ddb-461a-bbee-02f9e1bf7b46'

/** What storage accounts of every real cloud answer to, beside the cloud's own identifier; some clients ask for no other. */
export const universalStorageAudience = 'https://storage.azure.com/'

/** The DNS domain under which the enclave names everything that is not on loopback. Reserved: nothing in it resolves. */
export const domain = 'enclave.test'

export function createDirectory(options: DirectoryOptions): Directory {
  const { federationService, resourceManagerEndpoint } = options
  const directoryId = federationService ? randomUUID() : (options.tenantId ?? randomUUID())
  const tenantId = federationService ? 'adfs' : directoryId
  const clientId = randomUUID()
  const managedIdentityClientId = randomUUID()
  const userObjectId = randomUUID()
  const username = `operator@${domain}`
  const audiences: Audiences = {
    // A stack's identifier ends in a GUID and is no address of anything.
    resourceManager: federationService
      ? `https://management.${domain}/${randomUUID()}/`
      : `https://management.${domain}/`,
    storage: `https://storage.${domain}/`,
    keyVault: `https://vault.${domain}/`,
  }
  // The directory's own graph: tools ask for a token of it to learn who they are.
  const known = new Set(
    [...Object.values(audiences), universalStorageAudience, resourceManagerEndpoint, `https://graph.${domain}/`].map(
      withoutSlash,
    ),
  )
  return {
    tenantId,
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
    application: { kind: 'application', clientId, objectId: randomUUID() },
    managedIdentity: { kind: 'application', clientId: managedIdentityClientId, objectId: randomUUID() },
    user: (through) => ({
      kind: 'user',
      clientId: through,
      objectId: userObjectId,
      username,
      displayName: 'Enclave Operator',
    }),
    isTenant: (name) => [tenantId, domain].includes(name.toLowerCase()),
    isPublicClient: (id) => [clientId, commandLineClientId].includes(id),
    hasAudience: (audience) => known.has(withoutSlash(audience)),
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
