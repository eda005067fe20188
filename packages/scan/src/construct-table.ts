import type { Level } from './finding.ts'

export type ConstructKind =
  | 'credential'
  | 'sign-in-library'
  | 'management-client'
  | 'graph-client'
  | 'data-client'
  | 'connection-string'
  | 'provider-block'
  | 'login-step'
  | 'sign-in-command'
  | 'manifest'

/** The level and the service of a kind. A construct whose cloud a variable of the process can still set is a warning. */
export const kinds: Readonly<Record<ConstructKind, { readonly level: Level; readonly service: string }>> = {
  // AZURE_AUTHORITY_HOST, in every SDK.
  credential: { level: 'warning', service: 'login' },
  // ARM_ENVIRONMENT and ARM_METADATA_HOSTNAME.
  'provider-block': { level: 'warning', service: 'resource-manager' },
  'sign-in-library': { level: 'error', service: 'login' },
  'management-client': { level: 'error', service: 'resource-manager' },
  'graph-client': { level: 'error', service: 'microsoft-graph' },
  'data-client': { level: 'error', service: 'audience' },
  'connection-string': { level: 'error', service: 'storage' },
  'login-step': { level: 'error', service: 'resource-manager' },
  'sign-in-command': { level: 'error', service: 'resource-manager' },
  manifest: { level: 'error', service: 'login' },
}

export type ProgramLanguage = 'typescript' | 'python' | 'go' | 'dotnet' | 'java' | 'rust' | 'cpp'

/** How a construct is written: `new Name(…)`, `Name(…)`, or a builder whose chain of calls ends with one of these. */
export type Shape = 'new' | 'call' | 'builder'

/** One construct of one language whose library reaches the public cloud when nothing says otherwise. */
export interface Construct {
  readonly language: ProgramLanguage
  readonly kind: ConstructKind
  /** What a file must contain, so that a class of the same name in another library does not count. */
  readonly library: RegExp
  /** The libraries whose imports give the name, where the name alone is too plain. */
  readonly from?: RegExp | string
  /** An expression for the name. */
  readonly name: string
  readonly shape: Shape
  /** The place of the options, counted from 0; `last` in Go; `named` in Python; `none` where the options stand in a chain. */
  readonly options: number | 'last' | 'named' | 'none'
  /** One of these chooses the cloud. */
  readonly keys: readonly string[]
  /** The most arguments without a name that such a call has. */
  readonly most?: number
}

const credentialNames =
  '(?:DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity|ClientSecret|ClientCertificate|ClientAssertion|UsernamePassword|AzurePipelines|AuthorizationCode)Credential'

/** Of each language: credentials by the place of their options. */
const credentials = (
  language: 'typescript' | 'dotnet' | 'rust' | 'cpp',
  library: RegExp,
  keys: readonly string[],
  shape: Shape,
  rows: Readonly<Record<string, number>>,
): readonly Construct[] =>
  Object.entries(rows).map(([name, options]) => ({
    language,
    kind: 'credential',
    library,
    name: `(?:${name})Credential`,
    shape,
    options,
    keys,
  }))

/** Clients that take an audience whose default is the public one. The options stand behind the endpoint and the credential. */
const audienceClients: readonly (readonly [name: string, options: number])[] = [
  ['LogsQueryClient|MetricsQueryClient', 1],
  [
    'MetricsClient|MetricsBatchQueryClient|MetricsQueryResourceClient|LogsIngestionClient|DocumentIntelligence(?:Administration)?Client|DocumentAnalysisClient|DocumentModelAdministrationClient|FormRecognizerClient|FormTrainingClient|TextAnalyticsClient|SearchIndexClient|SearchIndexerClient|ContainerRegistryClient|AzureOpenAIClient|ConversationAnalysisClient|QuestionAnsweringClient|ContentSafetyClient',
    2,
  ],
  ['SearchClient|ContainerRegistryContentClient', 3],
]

const ts = { language: 'typescript' } as const
const py = { language: 'python' } as const
const cs = { language: 'dotnet' } as const
const java = { language: 'java' } as const
const go = { language: 'go' } as const

const jsLibraries = /@azure\/(?:monitor-|search-documents|ai-|container-registry|openai)/
const pyLibraries = /\bazure\.(?:monitor|search|ai|containerregistry)\b/
const csLibraries = /\bAzure\.(?:Monitor|Search|AI|Containers|Developer)\b/

/** Every construct of a program. */
export const constructs: readonly Construct[] = [
  ...credentials('typescript', /@azure\/identity/, ['authorityHost'], 'new', {
    'DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity': 0,
    'ClientSecret|ClientCertificate|ClientAssertion': 3,
    'UsernamePassword|AzurePipelines|AuthorizationCode': 4,
  }),
  {
    ...ts,
    kind: 'sign-in-library',
    library: /@azure\/msal-(?:node|browser|react|angular)/,
    name: '(?:ConfidentialClient|PublicClient)Application',
    shape: 'new',
    options: 0,
    keys: ['authority', 'authorityMetadata', 'knownAuthorities', 'azureCloudOptions'],
  },
  {
    ...ts,
    kind: 'management-client',
    library: /@azure\/arm-/,
    from: /["']@azure\/arm-[^"']{1,100}["']/g,
    name: String.raw`\w+(?:Client|API)`,
    shape: 'new',
    options: 2,
    keys: ['credentialScopes', 'credentials', 'cloudSetting', '$host', 'baseUri', 'managementClientOptions'],
    most: 3,
  },
  {
    ...ts,
    kind: 'graph-client',
    library: /@microsoft\/microsoft-graph-client/,
    name: String.raw`Client\.init(?:WithMiddleware)?`,
    shape: 'call',
    options: 0,
    keys: ['baseUrl', 'customHosts'],
  },
  ...audienceClients.map(([name, options]): Construct => ({
    ...ts,
    kind: 'data-client',
    library: jsLibraries,
    name: `(?:${name})`,
    shape: 'new',
    options,
    keys: ['audience', 'credentialScopes', 'scopes'],
  })),
  {
    ...ts,
    kind: 'management-client',
    library: /@pulumi\/azure/,
    name: String.raw`(?:azure|azure_native|azureNative|native)\.Provider`,
    shape: 'new',
    options: 1,
    keys: ['environment', 'metadataHost'],
  },

  {
    ...py,
    kind: 'credential',
    library: /\bazure(?:\.|\s+import\s+)identity\b/,
    from: String.raw`azure\.identity`,
    name: `(?:${credentialNames}|CertificateCredential|SharedTokenCacheCredential)`,
    shape: 'call',
    options: 'named',
    keys: ['authority'],
  },
  {
    ...py,
    kind: 'sign-in-library',
    library: /^\s*(?:import|from)\s+msal\b/m,
    name: String.raw`(?:msal\.)?(?:ConfidentialClient|PublicClient|Client)Application`,
    shape: 'call',
    options: 'named',
    keys: ['authority', 'oidc_authority'],
    most: 2,
  },
  {
    ...py,
    kind: 'management-client',
    library: /\bazure\.mgmt\b/,
    from: String.raw`azure\.mgmt`,
    name: String.raw`\w+Client`,
    shape: 'call',
    options: 'named',
    keys: ['credential_scopes', 'cloud_setting'],
    most: 3,
  },
  {
    ...py,
    kind: 'graph-client',
    library: /\bmsgraph\b/,
    from: 'msgraph',
    name: 'GraphServiceClient',
    shape: 'call',
    options: 'named',
    keys: ['request_adapter', 'adapter'],
  },
  ...audienceClients.map(([name]): Construct => ({
    ...py,
    kind: 'data-client',
    library: pyLibraries,
    name: `(?:${name})`,
    shape: 'call',
    options: 'named',
    keys: ['audience', 'credential_scopes', ...(name.startsWith('LogsQuery') ? ['endpoint'] : [])],
  })),

  {
    ...go,
    kind: 'credential',
    library: /azure-sdk-for-go\/sdk\/azidentity"/,
    from: /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/(azidentity)"/g,
    name: `New${credentialNames}\\w{0,40}`,
    shape: 'call',
    options: 'last',
    keys: ['Cloud'],
  },
  {
    ...go,
    kind: 'management-client',
    library: /azure-sdk-for-go\/sdk\/(?:resourcemanager\/|azcore\/arm")/,
    from: /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/(resourcemanager\/[\w./-]{1,200}|azcore\/arm)"/g,
    name: String.raw`New\w{0,80}(?:Client|Factory)`,
    shape: 'call',
    options: 'last',
    keys: ['Cloud'],
  },
  {
    ...go,
    kind: 'sign-in-library',
    library: /microsoft-authentication-library-for-go\/apps\/public"/,
    from: /"github\.com\/AzureAD\/microsoft-authentication-library-for-go\/apps\/(public)"/g,
    name: 'New',
    shape: 'call',
    options: 'last',
    keys: ['WithAuthority', 'Authority'],
  },
  {
    ...go,
    kind: 'graph-client',
    library: /microsoftgraph\/msgraph(?:-beta)?-sdk-go"/,
    from: /"github\.com\/microsoftgraph\/(msgraph(?:-beta)?-sdk-go)"/g,
    name: 'NewGraphServiceClientWithCredentials(?:AndHosts)?',
    shape: 'call',
    options: 'none',
    keys: ['SetBaseUrl'],
  },
  {
    ...go,
    kind: 'data-client',
    library: /azure-sdk-for-go\/sdk\/(?:monitor\/|containers\/azcontainerregistry)/,
    from: /"github\.com\/Azure\/azure-sdk-for-go\/sdk\/((?:monitor\/(?:query|ingestion)\/|containers\/)[\w./-]{1,80})"/g,
    name: String.raw`New\w{0,80}Client`,
    shape: 'call',
    options: 'last',
    keys: ['Cloud'],
  },

  ...credentials(
    'dotnet',
    /\bAzure\.Identity\b|\b(?:DefaultAzure|ClientSecret|ClientCertificate|ClientAssertion|WorkloadIdentity|DeviceCode|InteractiveBrowser|OnBehalfOf|AzurePipelines|Environment|UsernamePassword|AuthorizationCode)Credential\b/,
    ['AuthorityHost', 'CreateCredentialOptions'],
    'new',
    {
      'DefaultAzure|Environment|DeviceCode|InteractiveBrowser|WorkloadIdentity': 0,
      'ClientSecret|ClientCertificate|ClientAssertion': 3,
      'UsernamePassword|OnBehalfOf|AzurePipelines|AuthorizationCode': 4,
    },
  ),
  {
    ...cs,
    kind: 'sign-in-library',
    library: /\b(?:Confidential|Public)ClientApplicationBuilder\b/,
    name: String.raw`(?:ConfidentialClient|PublicClient)ApplicationBuilder\.Create`,
    shape: 'builder',
    options: 'none',
    keys: [
      'WithAuthority',
      'WithAdfsAuthority',
      'WithB2CAuthority',
      'WithOidcAuthority',
      'WithInstanceDiscoveryMetadata',
    ],
  },
  {
    ...cs,
    kind: 'management-client',
    library: /\bArmClient\b/,
    name: 'ArmClient',
    shape: 'new',
    options: 2,
    keys: ['Environment'],
  },
  {
    ...cs,
    kind: 'graph-client',
    library: /\bMicrosoft\.Graph\b|\bGraphServiceClient\b/,
    name: 'GraphServiceClient',
    shape: 'new',
    options: 2,
    keys: ['baseUrl', 'BaseUrl', 'requestAdapter', 'adapter', 'RequestAdapter'],
    most: 2,
  },
  ...audienceClients.map(([name, options]): Construct => ({
    ...cs,
    kind: 'data-client',
    library: csLibraries,
    name: `(?:${name})`,
    shape: 'new',
    options,
    keys: ['Audience'],
  })),

  {
    ...java,
    kind: 'credential',
    library: /\bcom\.azure\.identity\b/,
    name: `${credentialNames}Builder`,
    shape: 'builder',
    options: 'none',
    keys: ['authorityHost'],
  },
  {
    ...java,
    kind: 'sign-in-library',
    library: /\bcom\.microsoft\.aad\.msal4j\b/,
    name: String.raw`(?:ConfidentialClient|PublicClient)Application\.builder`,
    shape: 'builder',
    options: 'none',
    keys: ['authority', 'b2cAuthority', 'oidcAuthority', 'aadInstanceDiscoveryResponse'],
  },
  {
    ...java,
    kind: 'management-client',
    library: /\bcom\.azure\.resourcemanager\b/,
    name: String.raw`(?:\w{1,80}Manager|AzureResourceManager)\.authenticate`,
    shape: 'call',
    options: 1,
    keys: ['AzureProfile', 'profile'],
  },
  {
    ...java,
    kind: 'graph-client',
    library: /\bcom\.microsoft\.graph\b/,
    name: 'GraphServiceClient',
    shape: 'new',
    options: 2,
    keys: ['requestAdapter', 'adapter', 'setServiceRoot'],
    most: 2,
  },
  {
    ...java,
    kind: 'data-client',
    library: /\bcom\.azure\.(?:monitor|search|ai|containers)\b/,
    name: '(?:LogsQueryClient|MetricsQueryClient|MetricsClient|LogsIngestionClient|SearchClient|SearchIndexClient|SearchIndexerClient|DocumentIntelligenceClient|DocumentAnalysisClient|TextAnalyticsClient|ContainerRegistryClient|OpenAIClient)Builder',
    shape: 'builder',
    options: 'none',
    keys: ['audience'],
  },

  ...credentials('rust', /\bazure_identity\b/, ['cloud', 'client_options', 'authority_host'], 'call', {
    ClientSecret: 3,
    ClientAssertion: 3,
    ClientCertificate: 3,
    'WorkloadIdentity|AzurePipelines': 0,
  }),
  ...credentials('cpp', /azure\/identity/, ['AuthorityHost', 'Authority'], 'call', {
    'DefaultAzure|Environment|WorkloadIdentity': 0,
    'ClientSecret|ClientCertificate|ClientAssertion': 3,
    AzurePipelines: 4,
  }),
]

/** The libraries, commands and steps: only files with one of them are searched for constructs. Each has at least ten characters. */
export const constructWords: readonly string[] = [
  'Credential',
  'CredentialBuilder',
  '@azure/identity',
  '@azure/msal-',
  '@azure/arm-',
  '@azure/monitor-',
  '@azure/search-documents',
  'microsoft-graph-client',
  '@pulumi/azure',
  'azure.identity',
  'azure import identity',
  'azure.mgmt',
  'azure.monitor',
  'azure.search',
  'azure.ai.',
  'import msal',
  'from msal ',
  'GraphServiceClient',
  'azidentity',
  'sdk/resourcemanager',
  'sdk/azcore/arm"',
  'sdk-for-go/sdk/monitor',
  'library-for-go/apps/public',
  'msgraph-sdk-go',
  'beta-sdk-go',
  'ClientApplicationBuilder',
  'azure.resourcemanager',
  'ArmClient(',
  ' ArmClient',
  'ClientApplication',
  'com.azure.monitor',
  'com.azure.search',
  'LogsQueryClient',
  'MetricsQueryClient',
  'SearchClient(',
  'OpenAIClient(',
  'azure_identity',
  'azure/identity',
  'Connect-AzAccount',
  'Connect-AzureRmAccount',
  'Login-AzAccount',
  'Add-AzAccount',
  'Connect-MgGraph',
  'Connect-AzureAD',
  'Connect-ExchangeOnline',
  'Connect-IPPSSession',
  'Connect-MsolService',
  'Connect-SPOService',
  'Connect-PnPOnline',
  'Connect-MicrosoftTeams',
  'Get-MsalToken',
  'Login-AzureRmAccount',
  'Add-AzureRmAccount',
  'azure/login@',
  'AccountName=',
  'DefaultEndpointsProtocol=',
  'SecretStore',
  'keda.sh/v1',
  'functionapp publish',
  'azwi service',
  'azwi webhook',
  ...['azurerm', 'azuread', 'azapi'].flatMap((name) => [`provider "${name}"`, `backend "${name}"`, `  "${name}":`]),
]
