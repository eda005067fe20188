import os
import re

import azure.identity
from azure.identity import ClientSecretCredential

AUTHORITY = "{{authority}}"
DISABLE_INSTANCE_DISCOVERY = "{{disableInstanceDiscovery}}"
TENANT_ID = "{{tenantId}}"
RESOURCE_MANAGER_ENDPOINT = "{{resourceManagerEndpoint}}"
RESOURCE_MANAGER_AUDIENCE = "{{resourceManagerAudience}}"
STORAGE_AUDIENCE = "{{storageAudience}}"
KEY_VAULT_AUDIENCE = "{{keyVaultAudience}}"
RESOURCE_MANAGER_SCOPE = "{{resourceManagerScope}}"
STORAGE_SCOPE = "{{storageScope}}"
KEY_VAULT_SCOPE = "{{keyVaultScope}}"
# A vault client takes verify_challenge_resource=not DISABLE_CHALLENGE_RESOURCE_VERIFICATION.
DISABLE_CHALLENGE_RESOURCE_VERIFICATION = "{{disableVaultCheck}}"
STORAGE_SUFFIX = "{{storageSuffix}}"
KEY_VAULT_SUFFIX = "{{keyVaultSuffix}}"
SQL_SERVER_SUFFIX = "{{sqlServerSuffix}}"
CONTAINER_REGISTRY_SUFFIX = "{{containerRegistrySuffix}}"

# Hosts, suffixes and audiences of further services. An empty text: the cloud has no such value.
SERVICES = {
    # {{#each services}}
    "{{name}}": {"dns_suffix": "{{dnsSuffix}}", "url": "{{url}}", "audience": "{{audience}}"},
    # {{/each}}
}

# What a management client takes besides credential and subscription.
MANAGEMENT_CLIENT_OPTIONS = {"base_url": RESOURCE_MANAGER_ENDPOINT, "credential_scopes": [RESOURCE_MANAGER_SCOPE]}


def credential_options() -> dict:
    """What every credential of azure-identity takes for this cloud."""
    # {{#if needsSwitch}}
    version = getattr(azure.identity, "__version__", "")
    found = re.match(r"(\d+)\.(\d+)", version)
    if found and (int(found.group(1)), int(found.group(2))) < (1, 13):
        raise RuntimeError("azure-identity 1.13.0 or later is needed, because " + version + " asks the public cloud")
    # {{/if}}
    return {"authority": AUTHORITY, "disable_instance_discovery": DISABLE_INSTANCE_DISCOVERY}


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
