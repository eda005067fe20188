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
  read: 'azure_identity 1.0',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const constants = Object.entries({
    AUTHORITY: values.authority,
    RESOURCE_MANAGER_ENDPOINT: values.resourceManagerEndpoint,
    RESOURCE_MANAGER_SCOPE: values.resourceManagerScope,
    STORAGE_SCOPE: values.storageScope,
    KEY_VAULT_SCOPE: values.keyVaultScope,
    STORAGE_SUFFIX: values.storageSuffix,
    KEY_VAULT_SUFFIX: values.keyVaultSuffix,
    SQL_SERVER_SUFFIX: values.sqlServerSuffix,
    CONTAINER_REGISTRY_SUFFIX: values.containerRegistrySuffix,
    TENANT_ID: values.tenantId,
  })
    .map(([name, value]) => `pub const ${name}: &str = ${quote(value)};\n`)
    .join('')
  if (identityProviderOf(profile).kind === 'federation-service') {
    const note = 'No credential: azure_identity cannot sign in at a federation service (AD FS).'
    return { notes: [note], body: `#![allow(dead_code)]\n\n${constants}` }
  }
  const body = `#![allow(dead_code)]

use std::env;
use std::sync::Arc;

use azure_core::cloud::{CloudConfiguration, CustomConfiguration};
use azure_core::credentials::Secret;
use azure_core::http::ClientOptions;
use azure_identity::{ClientSecretCredential, ClientSecretCredentialOptions};

${constants}
/// The cloud, for the options of credentials and clients.
pub fn cloud() -> Arc<CloudConfiguration> {
    let mut custom = CustomConfiguration::default();
    custom.authority_host = AUTHORITY.to_string();
    Arc::new(custom.into())
}

/// Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.
pub fn create_credential() -> Result<Arc<ClientSecretCredential>, Box<dyn std::error::Error>> {
    let tenant = env::var("PLATFORM_TENANT_ID").unwrap_or_else(|_| TENANT_ID.to_string());
    let client_options = ClientOptions {
        cloud: Some(cloud()),
        ..Default::default()
    };
    Ok(ClientSecretCredential::new(
        &tenant,
        env::var("PLATFORM_CLIENT_ID")?,
        Secret::new(env::var("PLATFORM_CLIENT_SECRET")?),
        Some(ClientSecretCredentialOptions { client_options }),
    )?)
}
`
  return { body }
}
