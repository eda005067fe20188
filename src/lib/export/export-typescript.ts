import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteTypeScript as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/** A module for `@azure/identity`, with the two settings a private cloud needs. Credentials come from the environment. */
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
  resourceManagerEndpoint: ${quote(values.resourceManagerEndpoint)},
  resourceManagerScope: ${quote(values.resourceManagerScope)},
  storageScope: ${quote(values.storageScope)},
  keyVaultScope: ${quote(values.keyVaultScope)},
  storageSuffix: ${quote(values.storageSuffix)},
  keyVaultSuffix: ${quote(values.keyVaultSuffix)},
  sqlServerSuffix: ${quote(values.sqlServerSuffix)},
  containerRegistrySuffix: ${quote(values.containerRegistrySuffix)},
} as const

/** Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. */
export function createCredential(env: Record<string, string | undefined> = process.env): ClientSecretCredential {
  const required = (name: string, fallback = ''): string => {
    const value = env[name] || fallback
    if (value === '') throw new Error(\`\${name} is not set\`)
    return value
  }
  return new ClientSecretCredential(
    required('PLATFORM_TENANT_ID', ${quote(values.tenantId)}),
    required('PLATFORM_CLIENT_ID'),
    required('PLATFORM_CLIENT_SECRET'),
    { authorityHost: cloud.authorityHost, disableInstanceDiscovery: cloud.disableInstanceDiscovery },
  )
}
`
  return { body }
}
