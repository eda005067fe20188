#![allow(dead_code)]

// {{#unless isFederation}}
use std::env;
use std::sync::Arc;

use azure_core::cloud::{CloudConfiguration, CustomConfiguration};
use azure_core::credentials::Secret;
use azure_core::http::ClientOptions;
use azure_identity::{ClientSecretCredential, ClientSecretCredentialOptions};

// {{/unless}}
pub const AUTHORITY: &str = "{{authority}}";
pub const TENANT_ID: &str = "{{tenantId}}";
pub const RESOURCE_MANAGER_ENDPOINT: &str = "{{resourceManagerEndpoint}}";
pub const RESOURCE_MANAGER_AUDIENCE: &str = "{{resourceManagerAudience}}";
pub const STORAGE_AUDIENCE: &str = "{{storageAudience}}";
pub const KEY_VAULT_AUDIENCE: &str = "{{keyVaultAudience}}";
pub const RESOURCE_MANAGER_SCOPE: &str = "{{resourceManagerScope}}";
pub const STORAGE_SCOPE: &str = "{{storageScope}}";
pub const KEY_VAULT_SCOPE: &str = "{{keyVaultScope}}";
/// True for a vault outside the domain of its audience: a client must not verify the resource of its challenge.
pub const DISABLE_CHALLENGE_RESOURCE_VERIFICATION: bool = "{{disableVaultCheck}}";
pub const STORAGE_SUFFIX: &str = "{{storageSuffix}}";
pub const KEY_VAULT_SUFFIX: &str = "{{keyVaultSuffix}}";
pub const SQL_SERVER_SUFFIX: &str = "{{sqlServerSuffix}}";
pub const CONTAINER_REGISTRY_SUFFIX: &str = "{{containerRegistrySuffix}}";
/// The crates never ask for instance discovery, so nothing needs this value.
pub const DISABLE_INSTANCE_DISCOVERY: bool = "{{disableInstanceDiscovery}}";

/// Name, DNS suffix, address and audience of further services. An empty text: the cloud has no such value.
pub static SERVICES: &[(&str, &str, &str, &str)] = &[
    // {{#each services}}
    ("{{name}}", "{{dnsSuffix}}", "{{url}}", "{{audience}}"),
    // {{/each}}
];

// {{#unless isFederation}}
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

// {{/unless}}
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
