import type { CloudService } from './cloud-service.ts'

/**
 * The services whose values a profile contains. Values that every cloud shares, such as the storage audience, are in `shared-values.ts` and
 * belong to no cloud.
 */
export const profileServices: readonly CloudService[] = [
  {
    id: 'login',
    name: 'Login authority',
    public: { hosts: ['login.microsoftonline.com', 'login.windows.net', 'login.microsoft.com', 'sts.windows.net'] },
    usgovernment: {
      hosts: ['login.microsoftonline.us', 'login.usgovcloudapi.net', 'login-us.microsoftonline.com'],
    },
    china: { hosts: ['login.chinacloudapi.cn', 'login.partner.microsoftonline.cn', 'sts.chinacloudapi.cn'] },
    sources: ['azure-cli', 'go-azure-sdk', 'sign-in-library', 'gov-developer-guide'],
  },
  {
    id: 'resource-manager',
    name: 'Resource manager',
    public: { hosts: ['management.azure.com', 'management.core.windows.net'] },
    usgovernment: { hosts: ['management.usgovcloudapi.net', 'management.core.usgovcloudapi.net'] },
    china: { hosts: ['management.chinacloudapi.cn', 'management.core.chinacloudapi.cn'] },
    sources: ['metadata', 'azure-cli', 'go-azure-sdk'],
  },
  {
    id: 'portal',
    name: 'Portal',
    public: { hosts: ['portal.azure.com', 'manage.windowsazure.com'] },
    usgovernment: { hosts: ['portal.azure.us', 'manage.windowsazure.us'] },
    china: { hosts: ['portal.azure.cn', 'manage.chinacloudapi.com', 'manage.chinacloudapi.cn'] },
    sources: ['metadata', 'go-autorest'],
  },
  {
    id: 'gallery',
    name: 'Template gallery',
    public: { hosts: ['gallery.azure.com'] },
    usgovernment: { hosts: ['gallery.usgovcloudapi.net', 'gallery.azure.us'] },
    china: { hosts: ['gallery.chinacloudapi.cn'] },
    sources: ['azure-cli', 'gov-compare'],
  },
  {
    id: 'storage',
    name: 'Storage (blob, queue, table, file, data lake, static website)',
    public: { hosts: ['core.windows.net'] },
    usgovernment: { hosts: ['core.usgovcloudapi.net'] },
    china: { hosts: ['core.chinacloudapi.cn'] },
    sources: ['metadata', 'go-azure-sdk', 'private-endpoint-dns'],
  },
  {
    id: 'storage-dns-zone',
    name: 'Storage (accounts with DNS zone endpoints)',
    // cloud-profile-ignore: a row of the table of clouds; the others publish none
    public: { hosts: ['storage.azure.net'] },
    usgovernment: 'not published',
    china: 'not published',
    sources: ['storage-overview'],
  },
  {
    id: 'key-vault',
    name: 'Key vault',
    public: { hosts: ['vault.azure.net', 'vaultcore.azure.net'] },
    usgovernment: { hosts: ['vault.usgovcloudapi.net', 'vaultcore.usgovcloudapi.net'] },
    china: { hosts: ['vault.azure.cn', 'vaultcore.azure.cn'] },
    sources: ['metadata', 'go-azure-sdk', 'private-endpoint-dns'],
  },
  {
    id: 'managed-hsm',
    name: 'Managed HSM',
    public: { hosts: ['managedhsm.azure.net'] },
    usgovernment: { hosts: ['managedhsm.usgovcloudapi.net'] },
    china: { hosts: ['managedhsm.azure.cn'] },
    sources: ['go-azure-sdk', 'metadata'],
  },
  {
    id: 'sql',
    name: 'SQL database',
    public: { hosts: ['database.windows.net'] },
    usgovernment: { hosts: ['database.usgovcloudapi.net'] },
    china: { hosts: ['database.chinacloudapi.cn'] },
    sources: ['metadata', 'go-azure-sdk'],
  },
  {
    id: 'open-source-databases',
    name: 'Open-source databases',
    public: { audiences: ['https://ossrdbms-aad.database.windows.net'] },
    usgovernment: { audiences: ['https://ossrdbms-aad.database.usgovcloudapi.net'] },
    china: { audiences: ['https://ossrdbms-aad.database.chinacloudapi.cn'] },
    sources: ['azure-cli', 'go-azure-sdk'],
  },
  {
    id: 'container-registry',
    name: 'Container registry',
    public: { hosts: ['azurecr.io'], audiences: ['https://containerregistry.azure.net'] },
    usgovernment: { hosts: ['azurecr.us'] },
    china: { hosts: ['azurecr.cn'] },
    sources: ['metadata', 'go-azure-sdk'],
  },
  {
    id: 'microsoft-graph',
    name: 'Microsoft Graph',
    public: { hosts: ['graph.microsoft.com'] },
    usgovernment: { hosts: ['graph.microsoft.us', 'dod-graph.microsoft.us'] },
    china: { hosts: ['microsoftgraph.chinacloudapi.cn'] },
    sources: ['go-azure-sdk', 'azure-cli'],
  },
  {
    id: 'directory-graph',
    name: 'Directory graph (retired)',
    public: { hosts: ['graph.windows.net'] },
    // The government cloud uses the public host too, according to its developer guide and metadata.
    usgovernment: { hosts: ['graph.windows.net', 'graph.microsoftazure.us'] },
    china: { hosts: ['graph.chinacloudapi.cn'] },
    sources: ['azure-cli', 'metadata', 'gov-developer-guide'],
  },
  {
    id: 'batch',
    name: 'Batch',
    public: { hosts: ['batch.azure.com'], audiences: ['https://batch.core.windows.net'] },
    usgovernment: { hosts: ['batch.usgovcloudapi.net'], audiences: ['https://batch.core.usgovcloudapi.net'] },
    china: { hosts: ['batch.chinacloudapi.cn'] },
    sources: ['go-azure-sdk', 'private-endpoint-dns'],
  },
  {
    id: 'log-analytics',
    name: 'Log Analytics',
    public: {
      hosts: [
        'api.loganalytics.io',
        'api.loganalytics.azure.com',
        'ods.opinsights.azure.com',
        'oms.opinsights.azure.com',
      ],
    },
    usgovernment: { hosts: ['api.loganalytics.us', 'ods.opinsights.azure.us', 'oms.opinsights.azure.us'] },
    china: { hosts: ['api.loganalytics.azure.cn', 'ods.opinsights.azure.cn', 'oms.opinsights.azure.cn'] },
    sources: ['azure-cli', 'go-azure-sdk', 'private-endpoint-dns', 'china-endpoints'],
  },
  {
    id: 'application-insights',
    name: 'Application Insights',
    public: {
      hosts: ['api.applicationinsights.io', 'applicationinsights.azure.com', 'dc.services.visualstudio.com'],
    },
    usgovernment: { hosts: ['applicationinsights.us', 'applicationinsights.azure.us'] },
    china: { hosts: ['applicationinsights.azure.cn'] },
    sources: ['azure-cli', 'private-endpoint-dns', 'monitor-endpoints'],
  },
  {
    id: 'data-lake-gen1',
    name: 'Data Lake (first generation)',
    isRetired: true,
    public: {
      // cloud-profile-ignore: a row of the table of clouds; the others publish none
      hosts: ['azuredatalakestore.net', 'azuredatalakeanalytics.net'],
      // cloud-profile-ignore: a row of the table of clouds; the others publish none
      audiences: ['https://datalake.azure.net'],
    },
    usgovernment: 'not published',
    china: 'not published',
    sources: ['metadata', 'azure-cli'],
  },
]
