using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using Azure.Identity;
#if !CLOUD_WITHOUT_RESOURCE_MANAGER
using Azure.ResourceManager;
#endif

namespace CloudProfile
{
    /// <summary>The addresses, audiences and DNS suffixes of one cloud, and what the SDK takes for it.</summary>
    public static class Cloud
    {
        /// <summary>Login authority. A credential appends the tenant.</summary>
        public static readonly Uri AuthorityHost = new Uri("{{authority}}");

        /// <summary>Whether credentials must not ask the public instance discovery, which does not know the authority.</summary>
        // {{#if disableInstanceDiscovery}}
        public static readonly bool DisableInstanceDiscovery = true;
        // {{/if}}
        // {{#unless disableInstanceDiscovery}}
        public static readonly bool DisableInstanceDiscovery = bool.Parse("false");
        // {{/unless}}

        /// <summary>An option of the vault clients: true for a vault outside the domain of its audience.</summary>
        public static readonly bool DisableChallengeResourceVerification = bool.Parse("{{disableVaultCheckText}}");

        /// <summary>Endpoint of the resource manager.</summary>
        public static readonly Uri ResourceManagerEndpoint = new Uri("{{resourceManagerEndpoint}}");

        /// <summary>Used when PLATFORM_TENANT_ID is not set. May be empty.</summary>
        public static readonly string TenantId = "{{tenantId}}";

        /// <summary>What a client takes as the audience of the resource manager: it appends the permission.</summary>
        public const string ResourceManagerAudience = "{{resourceManagerAudience}}";

        /// <summary>What a client takes as the audience of storage, such as new BlobAudience(Cloud.StorageAudience).</summary>
        public const string StorageAudience = "{{storageAudience}}";

        /// <summary>Audience of key vaults.</summary>
        public const string KeyVaultAudience = "{{keyVaultAudience}}";

        /// <summary>Scope of a token for the resource manager.</summary>
        public const string ResourceManagerScope = "{{resourceManagerScope}}";

        /// <summary>Scope of a token for storage.</summary>
        public const string StorageScope = "{{storageScope}}";

        /// <summary>Scope of a token for key vaults.</summary>
        public const string KeyVaultScope = "{{keyVaultScope}}";

        /// <summary>What follows the name of a storage account (blob) in its host name.</summary>
        public const string StorageSuffix = "{{storageSuffix}}";

        /// <summary>What follows the name of a key vault in its host name.</summary>
        public const string KeyVaultSuffix = "{{keyVaultSuffix}}";

        /// <summary>What follows the name of a SQL server in its host name.</summary>
        public const string SqlServerSuffix = "{{sqlServerSuffix}}";

        /// <summary>What follows the name of a container registry in its host name.</summary>
        public const string ContainerRegistrySuffix = "{{containerRegistrySuffix}}";

        /// <summary>The storage suffix without its service, for EndpointSuffix of a connection string.</summary>
        public const string StorageEndpointSuffix = "{{storageEndpointSuffix}}";

        /// <summary>Further services by name. An empty text: the cloud has no such value.</summary>
        public static readonly IReadOnlyDictionary<string, CloudService> Services = new Dictionary<string, CloudService>
        {
            // {{#each services}}
            ["{{name}}"] = new CloudService("{{dnsSuffix}}", "{{url}}", "{{audience}}"),
            // {{/each}}
        };

#if !CLOUD_WITHOUT_RESOURCE_MANAGER
        /// <summary>For ArmClientOptions.Environment.</summary>
        public static readonly ArmEnvironment ArmEnvironment = new ArmEnvironment(ResourceManagerEndpoint, ResourceManagerAudience);
#endif

        /// <summary>Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.</summary>
        /// <returns>A credential of this cloud.</returns>
        public static ClientSecretCredential CreateCredential() => new ClientSecretCredential(
            Required("PLATFORM_TENANT_ID", TenantId),
            Required("PLATFORM_CLIENT_ID"),
            Required("PLATFORM_CLIENT_SECRET"),
            CreateCredentialOptions<ClientSecretCredentialOptions>());

        /// <summary>Options of any credential that signs in to an authority, with the two settings of this cloud.</summary>
        /// <typeparam name="T">Options of a credential, such as DefaultAzureCredentialOptions.</typeparam>
        /// <returns>Options to complete and to pass to the credential.</returns>
        /// <exception cref="NotSupportedException">The options are obsolete or have no switch for instance discovery.</exception>
        public static T CreateCredentialOptions<T>()
            where T : TokenCredentialOptions, new()
        {
            T options = new T { AuthorityHost = AuthorityHost };
            switch ((TokenCredentialOptions)options)
            {
                case AuthorizationCodeCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case AzurePipelinesCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case ClientAssertionCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case ClientCertificateCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case ClientSecretCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case DefaultAzureCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case DeviceCodeCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case EnvironmentCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case InteractiveBrowserCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case OnBehalfOfCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                case WorkloadIdentityCredentialOptions each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;
                default: throw new NotSupportedException(typeof(T).Name + " is obsolete or has no switch for instance discovery");
            }

            return options;
        }

        /// <summary>Address of a storage account (blob).</summary>
        /// <param name="account">Name of the account.</param>
        /// <returns>An https address that ends with a slash.</returns>
        public static Uri StorageUri(string account) => new Uri("https://" + Host(account, StorageSuffix) + "/");

        /// <summary>Address of a key vault.</summary>
        /// <param name="vault">Name of the vault.</param>
        /// <returns>An https address that ends with a slash.</returns>
        public static Uri KeyVaultUri(string vault) => new Uri("https://" + Host(vault, KeyVaultSuffix) + "/");

        /// <summary>Host of a SQL server.</summary>
        /// <param name="server">Name of the server.</param>
        /// <returns>A host name.</returns>
        public static string SqlServerHost(string server) => Host(server, SqlServerSuffix);

        /// <summary>Host of a container registry.</summary>
        /// <param name="registry">Name of the registry.</param>
        /// <returns>A host name.</returns>
        public static string ContainerRegistryHost(string registry) => Host(registry, ContainerRegistrySuffix);

        private static string Host(string name, string suffix)
        {
            if (!Regex.IsMatch(name, @"\A[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\z"))
            {
                throw new ArgumentException("Not the name of a resource: " + name, nameof(name));
            }

            return name + suffix;
        }

        private static string Required(string name, string fallback = "")
        {
            var value = System.Environment.GetEnvironmentVariable(name);
            if (string.IsNullOrEmpty(value))
            {
                value = fallback;
            }

            return string.IsNullOrEmpty(value) ? throw new InvalidOperationException(name + " is not set") : value;
        }
    }

    /// <summary>The values of one service.</summary>
    public sealed class CloudService
    {
        internal CloudService(string dnsSuffix, string url, string audience)
        {
            DnsSuffix = dnsSuffix;
            Url = url;
            Audience = audience;
        }

        /// <summary>What follows the name of a resource in its host name.</summary>
        public string DnsSuffix { get; }

        /// <summary>Address of the service.</summary>
        public string Url { get; }

        /// <summary>Audience of its tokens.</summary>
        public string Audience { get; }
    }
}
