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

/** A member with its name as each language writes names. */
const named =
  (inUpperCase: boolean) =>
  (offers: string, camel: string, changes: Partial<SdkMember> = {}): SdkMember => {
    const pascal = `${camel.charAt(0).toUpperCase()}${camel.slice(1)}`
    const words = camel.replace(/[A-Z]/g, (letter) => `_${letter}`)
    const snake = inUpperCase ? words.toUpperCase() : words.toLowerCase()
    const java = inUpperCase ? snake : camel
    return { offers, typescript: camel, python: snake, dotnet: pascal, java, go: pascal, rust: snake, ...changes }
  }
const value = named(true)
const method = named(false)

/** The members that the modules of all six languages have. Their forms differ as the libraries do. */
export const sdkMembers: readonly SdkMember[] = [
  value('login authority', 'authorityHost', {
    python: 'AUTHORITY',
    rust: 'AUTHORITY',
    go: 'Cloud.ActiveDirectoryAuthorityHost',
  }),
  value('whether instance discovery is off', 'disableInstanceDiscovery'),
  value('tenant of the profile', 'tenantId', { go: 'TenantID' }),
  value('resource manager', 'resourceManagerEndpoint', { go: 'Cloud.Services' }),
  value('audiences, without a final slash', 'resourceManagerAudience'),
  value('', 'storageAudience'),
  value('', 'keyVaultAudience'),
  value('scopes', 'resourceManagerScope'),
  value('', 'storageScope'),
  value('', 'keyVaultScope'),
  value('whether a vault client must not verify the resource of a challenge', 'disableChallengeResourceVerification'),
  value('DNS suffixes, with the leading dot', 'storageSuffix'),
  value('', 'keyVaultSuffix'),
  value('', 'sqlServerSuffix', { go: 'SQLServerSuffix' }),
  value('', 'containerRegistrySuffix'),
  method('a credential from the environment', 'createCredential', { go: 'NewCredential' }),
  method('any other credential', 'credentialOptions', {
    dotnet: 'CreateCredentialOptions',
    java: 'configure',
    go: 'ClientOptions',
    rust: 'client_options',
  }),
  method('management clients', 'managementClientOptions', {
    python: 'MANAGEMENT_CLIENT_OPTIONS',
    dotnet: 'ArmEnvironment',
    java: 'ENDPOINTS',
    go: 'ClientOptions',
    rust: 'client_options',
  }),
  method('address of a storage account', 'storageUrl', { dotnet: 'StorageUri', go: 'StorageURL' }),
  method('address of a key vault', 'keyVaultUrl', { dotnet: 'KeyVaultUri', go: 'KeyVaultURL' }),
  method('host of a SQL server', 'sqlServerHost', { go: 'SQLServerHost' }),
  method('host of a container registry', 'containerRegistryHost'),
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
