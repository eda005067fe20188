import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/** A class for `Azure.Identity` and the management clients. Credentials come from the environment. */
export const dotnetExport = defineExport({
  name: 'dotnet',
  what: 'C# class for Azure.Identity',
  group: 'sdk',
  comment: '//',
  addByHand:
    'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; SSL_CERT_FILE on Linux; the package Azure.ResourceManager, or the symbol CLOUD_WITHOUT_RESOURCE_MANAGER',
  read: 'Azure.Identity 1.21, Azure.ResourceManager 1.7',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const notes = [
    'Trust: on Linux SSL_CERT_FILE names the PEM file of a private root. Without it a sign-in fails after four attempts (PartialChain).',
    'Needs the packages Azure.Identity 1.12 or later and Azure.ResourceManager. Without the second define CLOUD_WITHOUT_RESOURCE_MANAGER.',
  ]
  // An analyzer (CA1805) refuses a field that is set to its default value.
  const isDisabled = values.disableInstanceDiscovery ? 'true' : 'bool.Parse("false")'
  const text = (
    name: string,
    value: string,
    summary: string,
    kind = 'const',
  ) => `        /// <summary>${summary}</summary>
        public ${kind} string ${name} = ${quote(value)};

`
  const body = `using System;
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
        public static readonly Uri AuthorityHost = new Uri(${quote(values.authority)});

        /// <summary>Whether credentials must not ask the public instance discovery, which does not know the authority.</summary>
        public static readonly bool DisableInstanceDiscovery = ${isDisabled};

        /// <summary>Endpoint of the resource manager.</summary>
        public static readonly Uri ResourceManagerEndpoint = new Uri(${quote(values.resourceManagerEndpoint)});

${text('TenantId', values.tenantId, 'Used when PLATFORM_TENANT_ID is not set. May be empty.', 'static readonly')}${text('ResourceManagerAudience', values.resourceManagerAudience, 'What a client takes as the audience of the resource manager: it appends the permission.')}${text('StorageAudience', values.storageAudience, 'What a client takes as the audience of storage, such as new BlobAudience(Cloud.StorageAudience).')}${text('KeyVaultAudience', values.keyVaultAudience, 'Audience of key vaults.')}${text('ResourceManagerScope', values.resourceManagerScope, 'Scope of a token for the resource manager.')}${text('StorageScope', values.storageScope, 'Scope of a token for storage.')}${text('KeyVaultScope', values.keyVaultScope, 'Scope of a token for key vaults.')}${text('StorageSuffix', values.storageSuffix, 'What follows the name of a storage account (blob) in its host name.')}${text('KeyVaultSuffix', values.keyVaultSuffix, 'What follows the name of a key vault in its host name.')}${text('SqlServerSuffix', values.sqlServerSuffix, 'What follows the name of a SQL server in its host name.')}${text('ContainerRegistrySuffix', values.containerRegistrySuffix, 'What follows the name of a container registry in its host name.')}#if !CLOUD_WITHOUT_RESOURCE_MANAGER
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
${optionTypes.map((type) => `                case ${type} each: each.DisableInstanceDiscovery = DisableInstanceDiscovery; break;\n`).join('')}                default: throw new NotSupportedException(typeof(T).Name + " is obsolete or has no switch for instance discovery");
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
            if (!Regex.IsMatch(name, @"\\A[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\z"))
            {
                throw new ArgumentException("Not the name of a resource: " + name, nameof(name));
            }

            return name + suffix;
        }

        private static string Required(string name, string fallback = "")
        {
            var value = Environment.GetEnvironmentVariable(name);
            if (string.IsNullOrEmpty(value))
            {
                value = fallback;
            }

            return string.IsNullOrEmpty(value) ? throw new InvalidOperationException(name + " is not set") : value;
        }
    }
}
`
  return { notes, body }
}

/** The options with a switch for instance discovery that are not obsolete, as of Azure.Identity 1.12 and later. */
const optionTypes = [
  'AuthorizationCodeCredentialOptions',
  'AzurePipelinesCredentialOptions',
  'ClientAssertionCredentialOptions',
  'ClientCertificateCredentialOptions',
  'ClientSecretCredentialOptions',
  'DefaultAzureCredentialOptions',
  'DeviceCodeCredentialOptions',
  'EnvironmentCredentialOptions',
  'InteractiveBrowserCredentialOptions',
  'OnBehalfOfCredentialOptions',
  'WorkloadIdentityCredentialOptions',
]
