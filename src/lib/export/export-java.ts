import { servicesOf } from '../clouds/services-of.ts'
import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteJava as quote } from './quote.ts'
import { needsSwitch, snippetValues } from './snippet-values.ts'
import { withoutDot } from '../profile/tool-values.ts'

/**
 * A class for `azure-identity`. Credentials come from the environment. The
 * management clients get their endpoints as the map that `new AzureEnvironment(Cloud.ENDPOINTS)` takes.
 */
export const javaExport = defineExport({
  name: 'java',
  what: 'class for azure-identity',
  group: 'sdk',
  comment: '//',
  addByHand:
    'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; a trust store with the root; azure-identity 1.9.0 or later in a cloud with tenants',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const { serviceDnsSuffixes: suffixes } = profile
  const services = servicesOf(profile)
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
    ['galleryEndpointUrl', services.gallery?.url],
    ['activeDirectoryGraphResourceId', services.directoryGraph?.url],
    ['microsoftGraphResourceId', services.microsoftGraph?.url],
    ['sqlManagementEndpointUrl', services.sqlManagement?.url],
    ['azureLogAnalyticsResourceId', services.logAnalytics?.audience],
    ['azureApplicationInsightsResourceId', services.applicationInsights?.url],
    ['dataLakeEndpointResourceId', services.dataLake?.audience],
  ]
  const body = `import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientSecretCredential;
import com.azure.identity.ClientSecretCredentialBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;

/** The addresses, audiences and DNS suffixes of one cloud. */
public final class Cloud {
    public static final String AUTHORITY_HOST = ${quote(values.authority)};
    public static final boolean DISABLE_INSTANCE_DISCOVERY = ${values.disableInstanceDiscovery};
    /** Used when PLATFORM_TENANT_ID is not set. May be empty. */
    public static final String TENANT_ID = ${quote(values.tenantId)};
    public static final String RESOURCE_MANAGER_ENDPOINT = ${quote(values.resourceManagerEndpoint)};
    public static final String RESOURCE_MANAGER_AUDIENCE = ${quote(values.resourceManagerAudience)};
    public static final String STORAGE_AUDIENCE = ${quote(values.storageAudience)};
    public static final String KEY_VAULT_AUDIENCE = ${quote(values.keyVaultAudience)};
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

    /** Sets what every credential of azure-identity takes for this cloud. */
    public static <T extends AadCredentialBuilderBase<T>> T configure(T builder) {
        builder.authorityHost(AUTHORITY_HOST);
${needsSwitch(profile) ? '        checkVersion();\n' : ''}        if (DISABLE_INSTANCE_DISCOVERY) builder.disableInstanceDiscovery();
        return builder;
    }

    /** Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET. */
    public static ClientSecretCredential createCredential() {
        return configure(new ClientSecretCredentialBuilder())
            .tenantId(required("PLATFORM_TENANT_ID", TENANT_ID))
            .clientId(required("PLATFORM_CLIENT_ID", ""))
            .clientSecret(required("PLATFORM_CLIENT_SECRET", ""))
            .build();
    }

    public static String storageUrl(String account) { return "https://" + host(account, STORAGE_SUFFIX) + "/"; }

    public static String keyVaultUrl(String vault) { return "https://" + host(vault, KEY_VAULT_SUFFIX) + "/"; }

    public static String sqlServerHost(String server) { return host(server, SQL_SERVER_SUFFIX); }

    public static String containerRegistryHost(String registry) { return host(registry, CONTAINER_REGISTRY_SUFFIX); }

    private static String host(String name, String suffix) {
        if (!name.matches("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")) {
            throw new IllegalArgumentException("Not the name of a resource: " + name);
        }
        return name + suffix;
    }
${needsSwitch(profile) ? javaCheck : ''}
    private static String required(String name, String fallback) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) value = fallback;
        if (value.isEmpty()) throw new IllegalStateException(name + " is not set");
        return value;
    }
}
`
  return {
    notes: [
      'File name: Cloud.java',
      ...(needsSwitch(profile)
        ? ['azure-identity 1.9.0 is the oldest release that can disable instance discovery.']
        : []),
    ],
    body,
  }
}

function entries(endpoints: readonly (readonly [name: string, value: string | undefined])[]): string {
  return endpoints
    .flatMap(([name, value]) => (value === undefined ? [] : [`        Map.entry("${name}", ${quote(value)})`]))
    .join(',\n')
}

/** Compiled against a newer library, an older one at run time would end in a missing method, or ask the public cloud. */
const javaCheck = `
    private static void checkVersion() {
        Properties library = new Properties();
        try (InputStream file = AadCredentialBuilderBase.class.getResourceAsStream("/azure-identity.properties")) {
            if (file != null) library.load(file);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        String version = library.getProperty("version", "");
        String[] parts = version.split("[.-]");
        if (parts.length < 2 || !parts[0].matches("[0-9]+") || !parts[1].matches("[0-9]+")) return;
        if (Integer.parseInt(parts[0]) > 1 || Integer.parseInt(parts[1]) >= 9) return;
        throw new IllegalStateException("azure-identity 1.9.0 or later is needed, because " + version + " asks the public cloud");
    }
`
