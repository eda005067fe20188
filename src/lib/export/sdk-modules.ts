import { templateExport, type ExportFormat } from './define-export.ts'

const secret = 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET'

/** The modules of the SDKs. All of them have the members below. */
export const sdkModules: readonly ExportFormat[] = [
  templateExport({
    name: 'typescript',
    what: 'module for @azure/identity',
    group: 'sdk',
    language: 'typescript',
    template: 'cloud.ts.tpl',
    comment: '//',
    addByHand: `${secret}; NODE_EXTRA_CA_CERTS`,
  }),
  templateExport({
    name: 'python',
    what: 'module for azure-identity',
    group: 'sdk',
    language: 'python',
    template: 'cloud.py',
    comment: '#',
    addByHand: `${secret}; REQUESTS_CA_BUNDLE; azure-identity 1.13.0 or later in a cloud with tenants. Beside a federation service the asynchronous credentials cannot sign in`,
    notes: (_, { needsSwitch }) =>
      needsSwitch === true ? ['azure-identity 1.13.0 is the oldest release that can disable instance discovery.'] : [],
  }),
  templateExport({
    name: 'dotnet',
    what: 'C# class for Azure.Identity',
    group: 'sdk',
    language: 'csharp',
    template: 'Cloud.cs',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE on Linux; the package Azure.ResourceManager, or the symbol CLOUD_WITHOUT_RESOURCE_MANAGER`,
    read: 'Azure.Identity 1.21, Azure.ResourceManager 1.7',
    notes: () => [
      'Trust: on Linux SSL_CERT_FILE names the PEM file of a private root. Without it a sign-in fails after four attempts (PartialChain).',
      'Needs the packages Azure.Identity 1.12 or later and Azure.ResourceManager. Without the second define CLOUD_WITHOUT_RESOURCE_MANAGER.',
    ],
  }),
  templateExport({
    name: 'java',
    what: 'class for azure-identity',
    group: 'sdk',
    language: 'java',
    template: 'Cloud.java',
    comment: '//',
    addByHand: `${secret}; a trust store with the root; azure-identity 1.9.0 or later in a cloud with tenants`,
    notes: (_, { needsSwitch }) => [
      'File name: Cloud.java',
      ...(needsSwitch === true
        ? ['azure-identity 1.9.0 is the oldest release that can disable instance discovery.']
        : []),
    ],
  }),
  templateExport({
    name: 'go',
    what: 'package for azidentity',
    group: 'sdk',
    language: 'go',
    template: 'cloud.go',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE`,
  }),
  templateExport({
    name: 'rust',
    what: 'module for azure_identity',
    group: 'sdk',
    language: 'rust',
    template: 'cloud.rs',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE. A federation service is impossible: the crate appends \`/oauth2/v2.0/token\``,
    notes: (_, { isFederation }) =>
      isFederation === true ? ['No credential: azure_identity cannot sign in at a federation service (AD FS).'] : [],
  }),
]

/** The members of each generated class or module, by their names in that language. */
export interface SdkMember {
  readonly offers: string
  readonly typescript: string
  readonly python: string
  readonly dotnet: string
  readonly java: string
  readonly go: string
  readonly rust: string
}

/** The languages in the order of the table. */
export const sdkLanguages = ['typescript', 'python', 'dotnet', 'java', 'go', 'rust'] as const

const same = (offers: string, camel: string, changes: Partial<SdkMember> = {}): SdkMember => {
  const pascal = `${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
  const upper = camel.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  return { offers, typescript: camel, python: upper, dotnet: pascal, java: upper, go: pascal, rust: upper, ...changes }
}

/** The members that the modules of all six languages have. Their forms differ as the libraries do. */
export const sdkMembers: readonly SdkMember[] = [
  same('login authority', 'authorityHost', {
    python: 'AUTHORITY',
    rust: 'AUTHORITY',
    go: 'Cloud.ActiveDirectoryAuthorityHost',
  }),
  same('whether instance discovery is off', 'disableInstanceDiscovery'),
  same('tenant of the profile', 'tenantId', { go: 'TenantID' }),
  same('resource manager', 'resourceManagerEndpoint', { go: 'Cloud.Services' }),
  same('audiences, without a final slash', 'resourceManagerAudience'),
  same('', 'storageAudience'),
  same('', 'keyVaultAudience'),
  same('scopes', 'resourceManagerScope'),
  same('', 'storageScope'),
  same('', 'keyVaultScope'),
  same('whether a vault client must not verify the resource of a challenge', 'disableChallengeResourceVerification'),
  same('DNS suffixes, with the leading dot', 'storageSuffix'),
  same('', 'keyVaultSuffix'),
  same('', 'sqlServerSuffix', { go: 'SQLServerSuffix' }),
  same('', 'containerRegistrySuffix'),
  {
    offers: 'a credential from the environment',
    typescript: 'createCredential',
    python: 'create_credential',
    dotnet: 'CreateCredential',
    java: 'createCredential',
    go: 'NewCredential',
    rust: 'create_credential',
  },
  {
    offers: 'any other credential',
    typescript: 'credentialOptions',
    python: 'credential_options',
    dotnet: 'CreateCredentialOptions',
    java: 'configure',
    go: 'ClientOptions',
    rust: 'client_options',
  },
  {
    offers: 'management clients',
    typescript: 'managementClientOptions',
    python: 'MANAGEMENT_CLIENT_OPTIONS',
    dotnet: 'ArmEnvironment',
    java: 'ENDPOINTS',
    go: 'ClientOptions',
    rust: 'client_options',
  },
  {
    offers: 'address of a storage account',
    typescript: 'storageUrl',
    python: 'storage_url',
    dotnet: 'StorageUri',
    java: 'storageUrl',
    go: 'StorageURL',
    rust: 'storage_url',
  },
  {
    offers: 'address of a key vault',
    typescript: 'keyVaultUrl',
    python: 'key_vault_url',
    dotnet: 'KeyVaultUri',
    java: 'keyVaultUrl',
    go: 'KeyVaultURL',
    rust: 'key_vault_url',
  },
  {
    offers: 'host of a SQL server',
    typescript: 'sqlServerHost',
    python: 'sql_server_host',
    dotnet: 'SqlServerHost',
    java: 'sqlServerHost',
    go: 'SQLServerHost',
    rust: 'sql_server_host',
  },
  {
    offers: 'host of a container registry',
    typescript: 'containerRegistryHost',
    python: 'container_registry_host',
    dotnet: 'ContainerRegistryHost',
    java: 'containerRegistryHost',
    go: 'ContainerRegistryHost',
    rust: 'container_registry_host',
  },
]

/** Where the languages differ, and why. Markdown. */
export const sdkDifferences: readonly string[] = [
  'TypeScript: the values are fields of `cloud`.',
  'Go: authority and resource manager are fields of `Cloud`, which `ClientOptions` holds. Each credential takes `DisableInstanceDiscovery` too, because the SDK has it there.',
  'Java: `new AzureEnvironment(Cloud.ENDPOINTS)` is what the management clients take. `configure` takes the builder of any credential.',
  'C#: options without a switch for instance discovery, such as those of a managed identity, need none and are refused by `CreateCredentialOptions<T>()`.',
  'Rust: `azure_identity` has no path for a federation service, so beside one the module holds values and addresses only. The crates never ask for instance discovery.',
  'Python and Java refuse a library that is too old to disable instance discovery when a credential is made. In the other languages such a library does not compile.',
]
