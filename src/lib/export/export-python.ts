import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/** A module for `azure-identity`, with the two settings a private cloud needs. Credentials come from the environment. */
export const pythonExport = defineExport({
  name: 'python',
  what: 'module for azure-identity',
  group: 'sdk',
  comment: '#',
  addByHand: 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; REQUESTS_CA_BUNDLE',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const fallback = values.tenantId === '' ? '' : ` or ${quote(values.tenantId)}`
  const tenant =
    fallback === '' ? 'os.environ["PLATFORM_TENANT_ID"]' : `os.environ.get("PLATFORM_TENANT_ID")${fallback}`
  const body = `import os

from azure.identity import ClientSecretCredential

AUTHORITY = ${quote(values.authority)}
DISABLE_INSTANCE_DISCOVERY = ${values.disableInstanceDiscovery ? 'True' : 'False'}
RESOURCE_MANAGER_ENDPOINT = ${quote(values.resourceManagerEndpoint)}
RESOURCE_MANAGER_SCOPE = ${quote(values.resourceManagerScope)}
STORAGE_SCOPE = ${quote(values.storageScope)}
KEY_VAULT_SCOPE = ${quote(values.keyVaultScope)}
STORAGE_SUFFIX = ${quote(values.storageSuffix)}
KEY_VAULT_SUFFIX = ${quote(values.keyVaultSuffix)}
SQL_SERVER_SUFFIX = ${quote(values.sqlServerSuffix)}
CONTAINER_REGISTRY_SUFFIX = ${quote(values.containerRegistrySuffix)}


def create_credential() -> ClientSecretCredential:
    """Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET."""
    return ClientSecretCredential(
        tenant_id=${tenant},
        client_id=os.environ["PLATFORM_CLIENT_ID"],
        client_secret=os.environ["PLATFORM_CLIENT_SECRET"],
        authority=AUTHORITY,
        disable_instance_discovery=DISABLE_INSTANCE_DISCOVERY,
    )
`
  return { body }
}
