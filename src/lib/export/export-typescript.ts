import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteTypeScript as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/** A module for `@azure/identity`. Credentials come from the environment. */
export const typescriptExport = defineExport({
  name: 'typescript',
  what: 'module for @azure/identity',
  group: 'sdk',
  comment: '//',
  addByHand: 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; NODE_EXTRA_CA_CERTS',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const body = `import { ClientSecretCredential } from '@azure/identity'

export const cloud = {
  authorityHost: ${quote(values.authority)},
  disableInstanceDiscovery: ${values.disableInstanceDiscovery},
  tenantId: ${quote(values.tenantId)},
  resourceManagerEndpoint: ${quote(values.resourceManagerEndpoint)},
  resourceManagerAudience: ${quote(values.resourceManagerAudience)},
  storageAudience: ${quote(values.storageAudience)},
  keyVaultAudience: ${quote(values.keyVaultAudience)},
  resourceManagerScope: ${quote(values.resourceManagerScope)},
  storageScope: ${quote(values.storageScope)},
  keyVaultScope: ${quote(values.keyVaultScope)},
  storageSuffix: ${quote(values.storageSuffix)},
  keyVaultSuffix: ${quote(values.keyVaultSuffix)},
  sqlServerSuffix: ${quote(values.sqlServerSuffix)},
  containerRegistrySuffix: ${quote(values.containerRegistrySuffix)},
} as const

/** The options of every credential of @azure/identity for this cloud. */
export const credentialOptions = {
  authorityHost: cloud.authorityHost,
  disableInstanceDiscovery: cloud.disableInstanceDiscovery,
}

/** The options of a management client. Newer clients read \`credentials\`, older ones \`credentialScopes\`. */
export const managementClientOptions = {
  endpoint: cloud.resourceManagerEndpoint,
  credentials: { scopes: [cloud.resourceManagerScope] },
  credentialScopes: [cloud.resourceManagerScope],
}

/** Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. */
export function createCredential(env: Record<string, string | undefined> = process.env): ClientSecretCredential {
  const required = (name: string, fallback = ''): string => {
    const value = env[name] || fallback
    if (value === '') throw new Error(\`\${name} is not set\`)
    return value
  }
  return new ClientSecretCredential(
    required('PLATFORM_TENANT_ID', cloud.tenantId),
    required('PLATFORM_CLIENT_ID'),
    required('PLATFORM_CLIENT_SECRET'),
    credentialOptions,
  )
}

export const storageUrl = (account: string): string => \`https://\${host(account, cloud.storageSuffix)}/\`
export const keyVaultUrl = (vault: string): string => \`https://\${host(vault, cloud.keyVaultSuffix)}/\`
export const sqlServerHost = (server: string): string => host(server, cloud.sqlServerSuffix)
export const containerRegistryHost = (registry: string): string => host(registry, cloud.containerRegistrySuffix)

function host(name: string, suffix: string): string {
  if (!/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name)) throw new Error(\`\${JSON.stringify(name)} is not the name of a resource\`)
  return name + suffix
}
`
  return { body }
}
