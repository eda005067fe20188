/** The published documents that the tables of values were read from. */
export const valueSources: Readonly<Record<string, string>> = {
  'aks-outbound': 'MicrosoftDocs/azure-docs articles/aks: outbound network rules, Azure Government and China',
  'appconfig-audience': 'Azure/azure-sdk-for-net sdk/appconfiguration AppConfigurationAudience.cs',
  'azure-cli': 'Azure/azure-cli src/azure-cli-core/azure/cli/core/cloud.py',
  'azure-powershell': 'Azure/azure-powershell-common AzureEnvironmentConstants.cs',
  'china-endpoints': 'docs.azure.cn: Azure China developer guide, check endpoints',
  'databricks-sdk': 'databricks/databricks-sdk-go config/environments.go',
  'go-autorest': 'Azure/go-autorest autorest/azure/environments.go',
  'go-azure-sdk': 'hashicorp/go-azure-sdk sdk/environments/azure_public.go, azure_gov.go, azure_china.go',
  'gov-compare': 'MicrosoftDocs/azure-docs articles/azure-government/compare-azure-government-global-azure.md',
  'gov-developer-guide':
    'MicrosoftDocs/azure-docs articles/azure-government/documentation-government-developer-guide.md',
  'kusto-clouds': 'Azure/azure-kusto-python azure-kusto-data/azure/kusto/data/wellKnownKustoEndpoints.json',
  metadata: 'Resource manager metadata, api-versions 2019-05-01 and 2022-09-01',
  'monitor-audience': 'Azure/azure-sdk-for-net sdk/monitor/Azure.Monitor.Ingestion/src/LogsIngestionAudience.cs',
  'monitor-endpoints': 'MicrosoftDocs/azure-docs articles/azure-monitor: IP addresses and endpoints',
  'sign-in-library': 'AzureAD/microsoft-authentication-library-for-js lib/msal-common AuthorityMetadata.ts',
  'private-endpoint-dns':
    'MicrosoftDocs/azure-docs articles/private-link/private-endpoint-dns.md: Commercial, Government, China',
  'search-audience': 'Azure/azure-sdk-for-net sdk/search SearchAudience.cs',
  'speech-sovereign': 'MicrosoftDocs/azure-docs articles/ai-services/speech-service/sovereign-clouds.md',
  'storage-overview':
    'MicrosoftDocs/azure-docs articles/storage/common/storage-account-overview.md: Azure DNS zone endpoints',
}
