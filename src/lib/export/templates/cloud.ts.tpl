import { ClientSecretCredential } from '@azure/identity'

export const cloud = {
  authorityHost: '{{authority}}',
  disableInstanceDiscovery: '{{disableInstanceDiscovery}}',
  tenantId: '{{tenantId}}',
  resourceManagerEndpoint: '{{resourceManagerEndpoint}}',
  resourceManagerAudience: '{{resourceManagerAudience}}',
  storageAudience: '{{storageAudience}}',
  keyVaultAudience: '{{keyVaultAudience}}',
  resourceManagerScope: '{{resourceManagerScope}}',
  storageScope: '{{storageScope}}',
  keyVaultScope: '{{keyVaultScope}}',
  // The option of a vault client: true for a vault outside the domain of its audience.
  disableChallengeResourceVerification: '{{disableVaultCheck}}',
  storageSuffix: '{{storageSuffix}}',
  keyVaultSuffix: '{{keyVaultSuffix}}',
  sqlServerSuffix: '{{sqlServerSuffix}}',
  containerRegistrySuffix: '{{containerRegistrySuffix}}',
  services: {
    // {{#each services}}
    '{{name}}': { dnsSuffix: '{{dnsSuffix}}', url: '{{url}}', audience: '{{audience}}' },
    // {{/each}}
  },
} as const

/** The options of every credential of @azure/identity for this cloud. */
export const credentialOptions = {
  authorityHost: cloud.authorityHost,
  disableInstanceDiscovery: cloud.disableInstanceDiscovery,
}

/** The options of a management client. Newer clients read `credentials`, older ones `credentialScopes`. */
export const managementClientOptions = {
  endpoint: cloud.resourceManagerEndpoint,
  credentials: { scopes: [cloud.resourceManagerScope] },
  credentialScopes: [cloud.resourceManagerScope],
}

/** Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. */
export function createCredential(env: Record<string, string | undefined> = process.env): ClientSecretCredential {
  const required = (name: string, fallback = ''): string => {
    const value = env[name] || fallback
    if (value === '') throw new Error(`${name} is not set`)
    return value
  }
  return new ClientSecretCredential(
    required('PLATFORM_TENANT_ID', cloud.tenantId),
    required('PLATFORM_CLIENT_ID'),
    required('PLATFORM_CLIENT_SECRET'),
    credentialOptions,
  )
}

export const storageUrl = (account: string): string => `https://${host(account, cloud.storageSuffix)}/`
export const keyVaultUrl = (vault: string): string => `https://${host(vault, cloud.keyVaultSuffix)}/`
export const sqlServerHost = (server: string): string => host(server, cloud.sqlServerSuffix)
export const containerRegistryHost = (registry: string): string => host(registry, cloud.containerRegistrySuffix)

function host(name: string, suffix: string): string {
  if (!/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a resource`)
  return name + suffix
}
