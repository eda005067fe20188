import type { CloudProfile } from '../profile/cloud-profile.ts'
import { identityProviderOf } from '../profile/identity-provider.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteRust as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/**
 * A module for `azure_core` and `azure_identity`. The crates never ask for instance discovery. They know no path but that of tenants, so
 * beside a federation service the module holds the values only.
 *
 * Source: `sdk/core/azure_core/src/cloud.rs` and `sdk/identity/azure_identity/src` of azure-sdk-for-rust, August 2026.
 */
export const rustExport = defineExport({
  name: 'rust',
  what: 'module for azure_identity',
  group: 'sdk',
  comment: '//',
  addByHand:
    'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; SSL_CERT_FILE. A federation service is impossible: the crate appends `/oauth2/v2.0/token`',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const constants = Object.entries({
    AUTHORITY: values.authority,
    TENANT_ID: values.tenantId,
    RESOURCE_MANAGER_ENDPOINT: values.resourceManagerEndpoint,
    RESOURCE_MANAGER_AUDIENCE: values.resourceManagerAudience,
    STORAGE_AUDIENCE: values.storageAudience,
    KEY_VAULT_AUDIENCE: values.keyVaultAudience,
    RESOURCE_MANAGER_SCOPE: values.resourceManagerScope,
    STORAGE_SCOPE: values.storageScope,
    KEY_VAULT_SCOPE: values.keyVaultScope,
    STORAGE_SUFFIX: values.storageSuffix,
    KEY_VAULT_SUFFIX: values.keyVaultSuffix,
    SQL_SERVER_SUFFIX: values.sqlServerSuffix,
    CONTAINER_REGISTRY_SUFFIX: values.containerRegistrySuffix,
  })
    .map(([name, value]) => `pub const ${name}: &str = ${quote(value)};\n`)
    .join('')
  const shared = `${constants}/// The crates never ask for instance discovery, so nothing needs this value.
pub const DISABLE_INSTANCE_DISCOVERY: bool = ${values.disableInstanceDiscovery};
`
  if (identityProviderOf(profile).kind === 'federation-service') {
    const note = 'No credential: azure_identity cannot sign in at a federation service (AD FS).'
    return { notes: [note], body: `#![allow(dead_code)]\n\n${shared}${addresses}` }
  }
  const body = `#![allow(dead_code)]

use std::env;
use std::sync::Arc;

use azure_core::cloud::{CloudConfiguration, CustomConfiguration};
use azure_core::credentials::Secret;
use azure_core::http::ClientOptions;
use azure_identity::{ClientSecretCredential, ClientSecretCredentialOptions};

${shared}
/// The cloud, for the options of credentials and clients.
pub fn cloud() -> Arc<CloudConfiguration> {
    let mut custom = CustomConfiguration::default();
    custom.authority_host = AUTHORITY.to_string();
    Arc::new(custom.into())
}

/// What every credential and client takes.
pub fn client_options() -> ClientOptions {
    ClientOptions {
        cloud: Some(cloud()),
        ..Default::default()
    }
}

/// Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.
pub fn create_credential() -> Result<Arc<ClientSecretCredential>, Box<dyn std::error::Error>> {
    let tenant = env::var("PLATFORM_TENANT_ID").unwrap_or_else(|_| TENANT_ID.to_string());
    Ok(ClientSecretCredential::new(
        &tenant,
        env::var("PLATFORM_CLIENT_ID")?,
        Secret::new(env::var("PLATFORM_CLIENT_SECRET")?),
        Some(ClientSecretCredentialOptions {
            client_options: client_options(),
        }),
    )?)
}
${addresses}`
  return { body }
}

const addresses = `
/// The address of a storage account.
pub fn storage_url(account: &str) -> Result<String, String> {
    Ok(format!("https://{}/", host(account, STORAGE_SUFFIX)?))
}

/// The address of a key vault.
pub fn key_vault_url(vault: &str) -> Result<String, String> {
    Ok(format!("https://{}/", host(vault, KEY_VAULT_SUFFIX)?))
}

/// The host of a SQL server.
pub fn sql_server_host(server: &str) -> Result<String, String> {
    host(server, SQL_SERVER_SUFFIX)
}

/// The host of a container registry.
pub fn container_registry_host(registry: &str) -> Result<String, String> {
    host(registry, CONTAINER_REGISTRY_SUFFIX)
}

fn host(name: &str, suffix: &str) -> Result<String, String> {
    let is_label = (1..=63).contains(&name.len())
        && name.bytes().all(|each| each.is_ascii_alphanumeric() || each == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-');
    if is_label {
        Ok(format!("{name}{suffix}"))
    } else {
        Err(format!("{name:?} is not the name of a resource"))
    }
}
`
