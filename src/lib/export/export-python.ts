import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { needsSwitch, snippetValues } from './snippet-values.ts'

/** A module for `azure-identity`. Credentials come from the environment. */
export const pythonExport = defineExport({
  name: 'python',
  what: 'module for azure-identity',
  group: 'sdk',
  comment: '#',
  addByHand:
    'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; REQUESTS_CA_BUNDLE; azure-identity 1.13.0 or later in a cloud with tenants',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const body = `import os
import re

import azure.identity
from azure.identity import ClientSecretCredential

AUTHORITY = ${quote(values.authority)}
DISABLE_INSTANCE_DISCOVERY = ${values.disableInstanceDiscovery ? 'True' : 'False'}
TENANT_ID = ${quote(values.tenantId)}
RESOURCE_MANAGER_ENDPOINT = ${quote(values.resourceManagerEndpoint)}
RESOURCE_MANAGER_AUDIENCE = ${quote(values.resourceManagerAudience)}
STORAGE_AUDIENCE = ${quote(values.storageAudience)}
KEY_VAULT_AUDIENCE = ${quote(values.keyVaultAudience)}
RESOURCE_MANAGER_SCOPE = ${quote(values.resourceManagerScope)}
STORAGE_SCOPE = ${quote(values.storageScope)}
KEY_VAULT_SCOPE = ${quote(values.keyVaultScope)}
STORAGE_SUFFIX = ${quote(values.storageSuffix)}
KEY_VAULT_SUFFIX = ${quote(values.keyVaultSuffix)}
SQL_SERVER_SUFFIX = ${quote(values.sqlServerSuffix)}
CONTAINER_REGISTRY_SUFFIX = ${quote(values.containerRegistrySuffix)}

# What a management client takes besides credential and subscription.
MANAGEMENT_CLIENT_OPTIONS = {"base_url": RESOURCE_MANAGER_ENDPOINT, "credential_scopes": [RESOURCE_MANAGER_SCOPE]}


def credential_options() -> dict:
    """What every credential of azure-identity takes for this cloud."""
${needsSwitch(profile) ? pythonCheck : ''}    return {"authority": AUTHORITY, "disable_instance_discovery": DISABLE_INSTANCE_DISCOVERY}


def create_credential() -> ClientSecretCredential:
    """Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET."""
    return ClientSecretCredential(
        tenant_id=_required("PLATFORM_TENANT_ID", TENANT_ID),
        client_id=_required("PLATFORM_CLIENT_ID"),
        client_secret=_required("PLATFORM_CLIENT_SECRET"),
        **credential_options(),
    )


def storage_url(account: str) -> str:
    return "https://" + _host(account, STORAGE_SUFFIX) + "/"


def key_vault_url(vault: str) -> str:
    return "https://" + _host(vault, KEY_VAULT_SUFFIX) + "/"


def sql_server_host(server: str) -> str:
    return _host(server, SQL_SERVER_SUFFIX)


def container_registry_host(registry: str) -> str:
    return _host(registry, CONTAINER_REGISTRY_SUFFIX)


def _host(name: str, suffix: str) -> str:
    if not re.fullmatch("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", name):
        raise ValueError("not the name of a resource: " + repr(name))
    return name + suffix


def _required(name: str, fallback: str = "") -> str:
    value = os.environ.get(name) or fallback
    if not value:
        raise RuntimeError(name + " is not set")
    return value
`
  return {
    notes: needsSwitch(profile)
      ? ['azure-identity 1.13.0 is the oldest release that can disable instance discovery.']
      : [],
    body,
  }
}

/** An older library ignores the switch as an unknown keyword. */
const pythonCheck = `    version = getattr(azure.identity, "__version__", "")
    found = re.match(r"(\\d+)\\.(\\d+)", version)
    if found and (int(found.group(1)), int(found.group(2))) < (1, 13):
        raise RuntimeError("azure-identity 1.13.0 or later is needed, because " + version + " asks the public cloud")
`
