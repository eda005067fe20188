import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteJava as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'
import { withoutDot } from '../profile/tool-values.ts'

/**
 * A class for `azure-identity`, with the two settings a private cloud needs. Credentials come from the environment. The
 * management clients get their endpoints as the map that `new AzureEnvironment(Cloud.ENDPOINTS)` takes.
 */
export const javaExport = defineExport({
  name: 'java',
  what: 'class for azure-identity',
  group: 'sdk',
  comment: '//',
  addByHand: 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; a trust store with the root',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const { serviceDnsSuffixes: suffixes } = profile
  const { extensions = {} } = profile
  const endpoints: readonly (readonly [name: string, value: string | undefined])[] = [
    ['activeDirectoryEndpointUrl', values.authority],
    ['resourceManagerEndpointUrl', profile.resourceManagerEndpoint],
    // The management clients append `/.default` to this one: with its final slash the scope names the audience exactly.
    ['managementEndpointUrl', profile.resourceManagerAudience],
    ['activeDirectoryResourceId', profile.resourceManagerAudience],
    ['storageEndpointSuffix', `.${withoutDot(suffixes.storage).replace(/^blob\./i, '')}`],
    ['keyVaultDnsSuffix', suffixes.keyVault],
    ['sqlServerHostnameSuffix', suffixes.sqlServer],
    ['portalUrl', profile.portalUrl],
    ['galleryEndpointUrl', extensions.gallery],
    ['activeDirectoryGraphResourceId', extensions.graph],
    ['microsoftGraphResourceId', extensions.microsoftGraph],
    ['sqlManagementEndpointUrl', extensions.sqlManagement],
    ['azureLogAnalyticsResourceId', extensions.logAnalytics],
    ['azureApplicationInsightsResourceId', extensions.applicationInsights],
    ['dataLakeEndpointResourceId', extensions.dataLake],
  ]
  const body = `import com.azure.identity.ClientSecretCredential;
import com.azure.identity.ClientSecretCredentialBuilder;
import java.util.Map;

public final class Cloud {
    public static final String AUTHORITY_HOST = ${quote(values.authority)};
    public static final boolean DISABLE_INSTANCE_DISCOVERY = ${values.disableInstanceDiscovery};
    public static final String RESOURCE_MANAGER_ENDPOINT = ${quote(values.resourceManagerEndpoint)};
    public static final String RESOURCE_MANAGER_SCOPE = ${quote(values.resourceManagerScope)};
    public static final String STORAGE_SCOPE = ${quote(values.storageScope)};
    public static final String KEY_VAULT_SCOPE = ${quote(values.keyVaultScope)};
    public static final String STORAGE_SUFFIX = ${quote(values.storageSuffix)};
    public static final String KEY_VAULT_SUFFIX = ${quote(values.keyVaultSuffix)};
    public static final String SQL_SERVER_SUFFIX = ${quote(values.sqlServerSuffix)};
    public static final String CONTAINER_REGISTRY_SUFFIX = ${quote(values.containerRegistrySuffix)};

    /** For com.azure.core.management.AzureEnvironment. Values that the profile lacks are omitted. */
    public static final Map<String, String> ENDPOINTS = Map.ofEntries(
${entries(endpoints)});

    private Cloud() {}

    /** Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. */
    public static ClientSecretCredential createCredential() {
        ClientSecretCredentialBuilder builder = new ClientSecretCredentialBuilder()
            .authorityHost(AUTHORITY_HOST)
            .tenantId(required("PLATFORM_TENANT_ID", ${quote(values.tenantId)}))
            .clientId(required("PLATFORM_CLIENT_ID", ""))
            .clientSecret(required("PLATFORM_CLIENT_SECRET", ""));
        if (DISABLE_INSTANCE_DISCOVERY) builder.disableInstanceDiscovery();
        return builder.build();
    }

    private static String required(String name, String fallback) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) value = fallback;
        if (value.isEmpty()) throw new IllegalStateException(name + " is not set");
        return value;
    }
}
`
  return { notes: ['File name: Cloud.java'], body }
}

function entries(endpoints: readonly (readonly [name: string, value: string | undefined])[]): string {
  return endpoints
    .flatMap(([name, value]) => (value === undefined ? [] : [`        Map.entry("${name}", ${quote(value)})`]))
    .join(',\n')
}
