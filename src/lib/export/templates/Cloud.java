import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientSecretCredential;
import com.azure.identity.ClientSecretCredentialBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;

/** The addresses, audiences and DNS suffixes of one cloud. */
public final class Cloud {
    public static final String AUTHORITY_HOST = "{{authority}}";
    public static final boolean DISABLE_INSTANCE_DISCOVERY = "{{disableInstanceDiscovery}}";
    /** Whether a vault client needs disableChallengeResourceVerification(): its vault lies outside the domain of the audience. */
    public static final boolean DISABLE_CHALLENGE_RESOURCE_VERIFICATION = "{{disableVaultCheck}}";
    /** Used when PLATFORM_TENANT_ID is not set. May be empty. */
    public static final String TENANT_ID = "{{tenantId}}";
    public static final String RESOURCE_MANAGER_ENDPOINT = "{{resourceManagerEndpoint}}";
    public static final String RESOURCE_MANAGER_AUDIENCE = "{{resourceManagerAudience}}";
    public static final String STORAGE_AUDIENCE = "{{storageAudience}}";
    public static final String KEY_VAULT_AUDIENCE = "{{keyVaultAudience}}";
    public static final String RESOURCE_MANAGER_SCOPE = "{{resourceManagerScope}}";
    public static final String STORAGE_SCOPE = "{{storageScope}}";
    public static final String KEY_VAULT_SCOPE = "{{keyVaultScope}}";
    public static final String STORAGE_SUFFIX = "{{storageSuffix}}";
    public static final String KEY_VAULT_SUFFIX = "{{keyVaultSuffix}}";
    public static final String SQL_SERVER_SUFFIX = "{{sqlServerSuffix}}";
    public static final String CONTAINER_REGISTRY_SUFFIX = "{{containerRegistrySuffix}}";

    /** For com.azure.core.management.AzureEnvironment. Values that the profile lacks are omitted. */
    public static final Map<String, String> ENDPOINTS = Map.ofEntries(
        // {{#each endpoints}}
        Map.entry("{{name}}", "{{value}}"),
        // {{/each}}
        Map.entry("activeDirectoryEndpointUrl", "{{authority}}"));

    /** Further services by name: dnsSuffix, url and audience. An empty text: the cloud has no such value. */
    public static final Map<String, Map<String, String>> SERVICES = services();

    private Cloud() {}

    private static Map<String, Map<String, String>> services() {
        Map<String, Map<String, String>> services = new java.util.TreeMap<>();
        // {{#each services}}
        services.put("{{name}}", Map.of("dnsSuffix", "{{dnsSuffix}}", "url", "{{url}}", "audience", "{{audience}}"));
        // {{/each}}
        return java.util.Collections.unmodifiableMap(services);
    }

    /** Sets what every credential of azure-identity takes for this cloud. */
    public static <T extends AadCredentialBuilderBase<T>> T configure(T builder) {
        builder.authorityHost(AUTHORITY_HOST);
        // {{#if needsSwitch}}
        checkVersion();
        // {{/if}}
        if (DISABLE_INSTANCE_DISCOVERY) builder.disableInstanceDiscovery();
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

    // {{#if needsSwitch}}
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
    // {{/if}}

    private static String required(String name, String fallback) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) value = fallback;
        if (value.isEmpty()) throw new IllegalStateException(name + " is not set");
        return value;
    }
}
