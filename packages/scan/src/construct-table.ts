import type { Level } from './finding.ts'
import type { ProgramLanguage } from './languages.ts'

/** The level and the service of a kind. A construct whose cloud a variable of the process can still set is a warning. */
export const kinds = {
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
} as const satisfies Readonly<Record<string, { readonly level: Level; readonly service: string }>>
export type ConstructKind = keyof typeof kinds

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
  /** How it is written: `new Name(…)`, `Name(…)`, or a builder whose chain of calls ends with one of these. */
  readonly shape: 'new' | 'call' | 'builder'
  /** The place of the options, counted from 0; `last` in Go; `named` in Python; `none` where the options stand in a chain. */
  readonly options: number | 'last' | 'named' | 'none'
  /** One of these chooses the cloud. */
  readonly keys: readonly string[]
  /** The most arguments without a name that such a call has. */
  readonly most?: number
}

/** Names that stand for many in the table. */
const aliases: Readonly<Record<string, string>> = {
  CREDENTIALS:
    '(?:DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity|ClientSecret|ClientCertificate|ClientAssertion|UsernamePassword|AzurePipelines|AuthorizationCode)Credential',
  MSAL: '(?:ConfidentialClient|PublicClient)Application',
  QUERY: '(?:LogsQueryClient|MetricsQueryClient)',
  AUDIENCE:
    '(?:MetricsClient|MetricsBatchQueryClient|MetricsQueryResourceClient|LogsIngestionClient|DocumentIntelligence(?:Administration)?Client|DocumentAnalysisClient|DocumentModelAdministrationClient|FormRecognizerClient|FormTrainingClient|TextAnalyticsClient|SearchIndexClient|SearchIndexerClient|ContainerRegistryClient|AzureOpenAIClient|ConversationAnalysisClient|QuestionAnsweringClient|ContentSafetyClient)',
  SEARCH: '(?:SearchClient|ContainerRegistryContentClient)',
  SDK: 'azure-sdk-for-go/sdk',
  JSDATA: '@azure/(?:monitor-|search-documents|ai-|container-registry|openai)',
  PYDATA: String.raw`\bazure\.(?:monitor|search|ai|containerregistry)\b`,
}

/**
 * Every construct of a program: language, kind, library, name, shape, options, keys, and where they are needed the most arguments and the
 * package of the name. The columns are those of {@link Construct}.
 */
const table = String.raw`
typescript ~ credential ~ @azure/identity ~ (?:DefaultAzure|Environment|DeviceCode|InteractiveBrowser|OnBehalfOf|WorkloadIdentity)Credential ~ new ~ 0 ~ authorityHost
typescript ~ credential ~ @azure/identity ~ (?:ClientSecret|ClientCertificate|ClientAssertion)Credential ~ new ~ 3 ~ authorityHost
typescript ~ credential ~ @azure/identity ~ (?:UsernamePassword|AzurePipelines|AuthorizationCode)Credential ~ new ~ 4 ~ authorityHost
typescript ~ sign-in-library ~ @azure/msal-(?:node|browser|react|angular) ~ MSAL ~ new ~ 0 ~ authority authorityMetadata knownAuthorities azureCloudOptions
typescript ~ management-client ~ @azure/arm- ~ \w+(?:Client|API) ~ new ~ 2 ~ credentialScopes credentials cloudSetting $host baseUri managementClientOptions ~ 3 ~ ["']@azure/arm-[^"']{1,100}["']
typescript ~ management-client ~ @pulumi/azure ~ (?:azure|azure_native|azureNative|native)\.Provider ~ new ~ 1 ~ environment metadataHost
typescript ~ graph-client ~ @microsoft/microsoft-graph-client ~ Client\.init(?:WithMiddleware)? ~ call ~ 0 ~ baseUrl customHosts
typescript ~ data-client ~ JSDATA ~ QUERY ~ new ~ 1 ~ audience credentialScopes scopes
typescript ~ data-client ~ JSDATA ~ AUDIENCE ~ new ~ 2 ~ audience credentialScopes scopes
typescript ~ data-client ~ JSDATA ~ SEARCH ~ new ~ 3 ~ audience credentialScopes scopes
python ~ credential ~ \bazure(?:\.|\s+import\s+)identity\b ~ (?:CREDENTIALS|CertificateCredential|SharedTokenCacheCredential) ~ call ~ named ~ authority ~ 3 ~ azure\.identity
python ~ sign-in-library ~ (?:import|from)\s+msal\b ~ (?:msal\.)?(?:ConfidentialClient|PublicClient|Client)Application ~ call ~ named ~ authority oidc_authority ~ 2
python ~ management-client ~ \bazure\.mgmt\b ~ \w+Client ~ call ~ named ~ credential_scopes cloud_setting ~ 3 ~ azure\.mgmt
python ~ graph-client ~ \bmsgraph\b ~ GraphServiceClient ~ call ~ named ~ request_adapter adapter ~ 3 ~ msgraph
python ~ data-client ~ PYDATA ~ QUERY ~ call ~ named ~ audience credential_scopes endpoint
python ~ data-client ~ PYDATA ~ (?:AUDIENCE|SEARCH) ~ call ~ named ~ audience credential_scopes
go ~ credential ~ SDK/azidentity" ~ NewCREDENTIALS\w{0,40} ~ call ~ last ~ Cloud ~ ~ "github\.com/Azure/SDK/(azidentity)"
go ~ management-client ~ SDK/(?:resourcemanager/|azcore/arm") ~ New\w{0,80}(?:Client|Factory) ~ call ~ last ~ Cloud ~ ~ "github\.com/Azure/SDK/(resourcemanager/[\w./-]{1,200}|azcore/arm)"
go ~ data-client ~ SDK/(?:monitor/|containers/azcontainerregistry) ~ New\w{0,80}Client ~ call ~ last ~ Cloud ~ ~ "github\.com/Azure/SDK/((?:monitor/(?:query|ingestion)/|containers/)[\w./-]{1,80})"
go ~ sign-in-library ~ microsoft-authentication-library-for-go/apps/public" ~ New ~ call ~ last ~ WithAuthority Authority ~ ~ "github\.com/AzureAD/microsoft-authentication-library-for-go/apps/(public)"
go ~ graph-client ~ microsoftgraph/msgraph(?:-beta)?-sdk-go" ~ NewGraphServiceClientWithCredentials(?:AndHosts)? ~ call ~ none ~ SetBaseUrl ~ ~ "github\.com/microsoftgraph/(msgraph(?:-beta)?-sdk-go)"
dotnet ~ credential ~ Credential\b ~ (?:DefaultAzure|Environment|DeviceCode|InteractiveBrowser|WorkloadIdentity)Credential ~ new ~ 0 ~ AuthorityHost CreateCredentialOptions
dotnet ~ credential ~ Credential\b ~ (?:ClientSecret|ClientCertificate|ClientAssertion)Credential ~ new ~ 3 ~ AuthorityHost CreateCredentialOptions
dotnet ~ credential ~ Credential\b ~ (?:UsernamePassword|OnBehalfOf|AzurePipelines|AuthorizationCode)Credential ~ new ~ 4 ~ AuthorityHost CreateCredentialOptions
dotnet ~ sign-in-library ~ ClientApplicationBuilder\b ~ MSALBuilder\.Create ~ builder ~ none ~ WithAuthority WithAdfsAuthority WithB2CAuthority WithOidcAuthority WithInstanceDiscoveryMetadata
dotnet ~ management-client ~ \bArmClient\b ~ ArmClient ~ new ~ 2 ~ Environment
dotnet ~ graph-client ~ \bGraphServiceClient\b ~ GraphServiceClient ~ new ~ 2 ~ baseUrl BaseUrl requestAdapter adapter RequestAdapter ~ 2
dotnet ~ data-client ~ \bQUERY\b ~ QUERY ~ new ~ 1 ~ Audience
dotnet ~ data-client ~ \bAUDIENCE\b ~ AUDIENCE ~ new ~ 2 ~ Audience
dotnet ~ data-client ~ \bSEARCH\b ~ SEARCH ~ new ~ 3 ~ Audience
java ~ credential ~ \bcom\.azure\.identity\b ~ CREDENTIALSBuilder ~ builder ~ none ~ authorityHost
java ~ sign-in-library ~ \bcom\.microsoft\.aad\.msal4j\b ~ MSAL\.builder ~ builder ~ none ~ authority b2cAuthority oidcAuthority aadInstanceDiscoveryResponse
java ~ management-client ~ \bcom\.azure\.resourcemanager\b ~ (?:\w{1,80}Manager|AzureResourceManager)\.authenticate ~ call ~ 1 ~ AzureProfile profile
java ~ graph-client ~ \bcom\.microsoft\.graph\b ~ GraphServiceClient ~ new ~ 2 ~ requestAdapter adapter setServiceRoot ~ 2
java ~ data-client ~ \bcom\.azure\.(?:monitor|search|ai|containers)\b ~ (?:QUERY|AUDIENCE|SEARCH|OpenAIClient)Builder ~ builder ~ none ~ audience
rust ~ credential ~ \bazure_identity\b ~ (?:ClientSecret|ClientAssertion|ClientCertificate)Credential ~ call ~ 3 ~ cloud client_options authority_host
rust ~ credential ~ \bazure_identity\b ~ (?:WorkloadIdentity|AzurePipelines)Credential ~ call ~ 0 ~ cloud client_options authority_host
cpp ~ credential ~ azure/identity ~ (?:DefaultAzure|Environment|WorkloadIdentity)Credential ~ call ~ 0 ~ AuthorityHost Authority
cpp ~ credential ~ azure/identity ~ (?:ClientSecret|ClientCertificate|ClientAssertion)Credential ~ call ~ 3 ~ AuthorityHost Authority
cpp ~ credential ~ azure/identity ~ AzurePipelinesCredential ~ call ~ 4 ~ AuthorityHost Authority
`

const aliasNames = new RegExp(Object.keys(aliases).join('|'), 'g')

const rows = table.trim().split('\n')
export const constructs = rows.map((row): Construct => {
  const expand = (text: string) => text.replaceAll(aliasNames, (name) => aliases[name] ?? name)
  const [language, kind, library = '', name = '', shape, options = '', keys = '', most = '', from = ''] = row
    .split('~')
    .map((cell) => cell.trim())
  return {
    language: language as ProgramLanguage,
    kind: kind as ConstructKind,
    library: new RegExp(expand(library), 'm'),
    name: expand(name),
    shape: shape as Construct['shape'],
    options: /^\d$/.test(options) ? Number(options) : (options as 'last' | 'named' | 'none'),
    keys: keys.split(' '),
    ...(most !== '' && { most: Number(most) }),
    ...(from !== '' && { from: language === 'python' ? from : new RegExp(expand(from), 'g') }),
  }
})

/** The libraries, commands and steps: only files with one of them are searched for constructs. Each has at least ten characters. */
export const constructWords: readonly string[] = [
  ...`
Credential, CredentialBuilder, @azure/identity, @azure/msal-, @azure/arm-, @azure/monitor-, @azure/search-documents, microsoft-graph-client, @pulumi/azure
azure.identity, azure import identity, azure.mgmt, azure.monitor, azure.search, azure.ai., import msal, from msal , GraphServiceClient
azidentity, sdk/resourcemanager, sdk/azcore/arm", sdk-for-go/sdk/monitor, library-for-go/apps/public, msgraph-sdk-go, beta-sdk-go, ClientApplicationBuilder, azure.resourcemanager
ArmClient(,  ArmClient, ClientApplication, com.azure.monitor, com.azure.search, LogsQueryClient, MetricsQueryClient, SearchClient(, OpenAIClient(
azure_identity, azure/identity, Connect-AzAccount, Connect-AzureRmAccount, Login-AzAccount, Add-AzAccount, Connect-MgGraph, Connect-AzureAD, Connect-ExchangeOnline
Connect-IPPSSession, Connect-MsolService, Connect-SPOService, Connect-PnPOnline, Connect-MicrosoftTeams, Get-MsalToken, Login-AzureRmAccount, Add-AzureRmAccount, azure/login@
AccountName=, DefaultEndpointsProtocol=, SecretStore, keda.sh/v1, functionapp publish, azwi service, azwi webhook
`
    .split(/[,\n]/)
    .map((word) => word.replace(/^ /, ''))
    .filter((word) => word !== ''),
  ...['azurerm', 'azuread', 'azapi'].flatMap((name) => [`provider "${name}"`, `backend "${name}"`, `  "${name}":`]),
]
