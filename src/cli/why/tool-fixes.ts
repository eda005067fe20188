import type { Topic } from './error-texts.ts'

/** A tool with its words for a fix, where `{name}` stands for a value of the profile. */
export interface Tool {
  readonly name: string
  /** How its errors look. */
  readonly pattern: RegExp
  readonly fixes: Readonly<Partial<Record<Topic, string>>>
}

/** Tools, the most telling pattern first: a text of Terraform holds those of Go and of az too. */
export const tools: readonly Tool[] = [
  {
    name: 'Bicep',
    pattern: /\bBCP\d{3}\b/,
    fixes: {},
  },
  {
    name: 'Terraform',
    pattern: /\bazurerm\b|\bazuread\b|\bprovider\.azurestack\b|\bterraform\b|\btofu\b|registry\.terraform\.io/i,
    fixes: {
      cloud:
        'Set environment = "{terraform}" in the provider and in the backend (ARM_ENVIRONMENT), or metadata_host = "{metadataHost}" (ARM_METADATA_HOSTNAME) for a cloud without a name. The login of az must be of the same cloud.',
      audience:
        'Set environment = "{terraform}" in the provider and in the backend (ARM_ENVIRONMENT), or metadata_host = "{metadataHost}" (ARM_METADATA_HOSTNAME). With az as login: az cloud set --name {az}.',
      trust: 'Set SSL_CERT_FILE to a PEM file with the CA (Linux), or add the CA to the store of the system.',
      discovery: 'The azurerm backend and provider ask no discovery with metadata_host = "{metadataHost}".',
      proxy: 'Terraform reads HTTPS_PROXY and NO_PROXY.',
      login: 'az cloud set --name {az} && az login, or ARM_CLIENT_ID, ARM_CLIENT_SECRET and ARM_TENANT_ID.',
    },
  },
  {
    name: 'Ansible',
    pattern: /azure\.azcollection|azure_rm|ansible/i,
    fixes: {
      cloud: 'Set cloud_environment: {az} in module_defaults (AZURE_CLOUD_ENVIRONMENT).',
      audience:
        'Set cloud_environment: {az} in module_defaults for every module (AZURE_CLOUD_ENVIRONMENT), and update azure.azcollection.',
      discovery: 'Set disable_instance_discovery: true (azure.azcollection 2.3.0 or later).',
      trust: 'Set REQUESTS_CA_BUNDLE to a PEM file with the CA.',
    },
  },
  {
    name: 'PowerShell',
    pattern: /Connect-Az|Add-Az|Get-Az[A-Z]|Az\.Accounts|\+ CategoryInfo|FullyQualifiedErrorId|Get-AAD|Connect-Mg|PnP/,
    fixes: {
      cloud:
        'Connect-AzAccount -Environment {az} (Add-AzEnvironment first for a cloud without a name: cloud-profile export powershell).',
      audience: 'Connect-AzAccount -Environment {az}; for a token, Get-AzAccessToken -ResourceUrl {audience}.',
      discovery: 'Update-AzConfig -DisableInstanceDiscovery $true (Az.Accounts 2.17.0 or later).',
      trust: 'Add the CA to the store of the system (Windows), or set SSL_CERT_FILE (Linux).',
      login: 'Connect-AzAccount -Environment {az} -Tenant TENANT.',
    },
  },
  {
    name: 'Kubernetes',
    pattern: /kubelogin|kubectl|azure\.workload\.identity|secrets-store|external-secrets/i,
    fixes: {
      cloud:
        'Set --environment {goAutorest} of kubelogin, or cloud in azure.json: cloud-profile export kubelogin, azure-json.',
      discovery: 'Set --disable-instance-discovery and --authority-host {authority} of kubelogin get-token.',
      trust: 'Mount the CA and set SSL_CERT_FILE in the container.',
    },
  },
  {
    name: 'Java',
    pattern: /com\.azure\.|com\.microsoft\.|java\.|javax\.net|sun\.security|\bat [\w.$]+\([\w]+\.java:\d+\)/,
    fixes: {
      cloud:
        '.authorityHost("{authority}") of the credential builder (AZURE_AUTHORITY_HOST), and AzureProfile with the AzureEnvironment of the cloud.',
      audience: 'AzureProfile with the AzureEnvironment of the cloud; scope {audience}/.default.',
      discovery: '.disableInstanceDiscovery() of the credential builder (azure-identity 1.9.0 or later).',
      trust: 'Import the CA with keytool, or set -Djavax.net.ssl.trustStore (JAVA_TOOL_OPTIONS).',
      proxy: 'Set -Dhttps.proxyHost and -Dhttps.proxyPort (JAVA_TOOL_OPTIONS): Java ignores HTTPS_PROXY.',
    },
  },
  {
    name: '.NET',
    pattern:
      /Azure\.Identity\.|Microsoft\.Identity|Microsoft\.IdentityModel|System\.(?:Net|Security|Exception|Threading)|AdalServiceException|MsalServiceException|RemoteCertificate/,
    fixes: {
      cloud:
        'Set AuthorityHost = new Uri("{authority}") in the options of the credential (AZURE_AUTHORITY_HOST; AzureAd:Instance with Identity.Web), and ArmClientOptions.Environment.',
      audience: 'Set ArmClientOptions.Environment; scope {audience}/.default.',
      discovery: 'Set DisableInstanceDiscovery = true in the options of the credential.',
      trust: 'Set SSL_CERT_FILE to a PEM file with the CA (Linux), or add it to the store of the machine (Windows).',
    },
  },
  {
    name: 'Azure CLI',
    pattern:
      /\baz (?:login|cloud|account|acr|aks|deployment|group|keyvault|storage|resource|rest|vm|network)\b|azure\.cli|azclierror|azure-cli|^ERROR: /m,
    fixes: {
      cloud:
        'az cloud set --name {az} && az login (az cloud register first for a cloud without a name: cloud-profile export az).',
      audience: 'az cloud set --name {az} && az login; for a token, az account get-access-token --resource {audience}.',
      discovery: 'az config set core.instance_discovery=false (az 2.54 or later).',
      trust: 'Set REQUESTS_CA_BUNDLE to a PEM file with the CA and the public ones.',
      login: 'az cloud set --name {az} && az login --tenant TENANT.',
      version:
        'az cloud update --profile 2020-09-01-hybrid on Azure Stack Hub; elsewhere, an older az or --api-version.',
    },
  },
  {
    name: 'Python',
    pattern:
      /Traceback \(most recent call last\)|azure\.(?:identity|core|mgmt|storage|keyvault)|\bmsal\/\w|HTTPSConnectionPool|_ssl\.c:\d+|site-packages|\.py", line \d+|ModuleNotFoundError/,
    fixes: {
      cloud:
        'authority="{authority}" of the credential (AZURE_AUTHORITY_HOST), and base_url="{resourceManager}", credential_scopes=["{audience}/.default"] of a management client.',
      audience: 'base_url="{resourceManager}", credential_scopes=["{audience}/.default"] of a management client.',
      discovery:
        'disable_instance_discovery=True of the credential (azure-identity 1.13.0 or later); instance_discovery=False of MSAL.',
      trust: 'Set REQUESTS_CA_BUNDLE to a PEM file with the CA (and SSL_CERT_FILE for aiohttp and httpx).',
    },
  },
  {
    name: 'Go',
    pattern: /azidentity|azcore|go-autorest|\badal\b|x509:|dial tcp|goroutine|\.go:\d+|(?:Get|Post|Put|Head) "https?:/,
    fixes: {
      cloud:
        'Cloud: cloud.Configuration with ActiveDirectoryAuthorityHost "{authority}" in the ClientOptions (AZURE_AUTHORITY_HOST); AZURE_ENVIRONMENT={goAutorest} for go-autorest.',
      audience:
        'Cloud: cloud.Configuration with the Audience "{audience}" in the ClientOptions; AZURE_ENVIRONMENT={goAutorest} for go-autorest.',
      discovery: 'DisableInstanceDiscovery: true in the options of the credential.',
      trust: 'Set SSL_CERT_FILE to a PEM file with the CA (Linux), or add the CA to the store of the system.',
    },
  },
  {
    name: 'Node',
    pattern:
      /@azure\/|node_modules|msal-node|AggregateAuthenticationError|CredentialUnavailableError|\.[cm]?js:\d+:\d+|ERR_[A-Z_]+|getaddrinfo|RestError|npm ERR/,
    fixes: {
      cloud:
        "authorityHost: '{authority}' of the credential (AZURE_AUTHORITY_HOST), and endpoint and credentialScopes of a management client.",
      audience: "credentialScopes: ['{audience}/.default'] of a management client.",
      discovery: 'disableInstanceDiscovery: true of the credential.',
      trust: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the CA, and start again.',
    },
  },
  {
    name: 'curl',
    pattern: /^curl: \(\d+\)/m,
    fixes: { trust: 'Use --cacert FILE (CURL_CA_BUNDLE).', proxy: 'curl reads HTTPS_PROXY and NO_PROXY.' },
  },
  {
    name: 'git',
    pattern: /^fatal: unable to access/m,
    fixes: { trust: 'git config http.sslCAInfo FILE (GIT_SSL_CAINFO).', proxy: 'git config http.proxy URL.' },
  },
]
