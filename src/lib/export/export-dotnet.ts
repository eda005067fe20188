import type { CloudProfile } from '../profile/cloud-profile.ts'
import { defineExport, type ExportText } from './define-export.ts'
import { quoteWide as quote } from './quote.ts'
import { snippetValues } from './snippet-values.ts'

/** A class for `Azure.Identity`, with the two settings a private cloud needs. Credentials come from the environment. */
export const dotnetExport = defineExport({
  name: 'dotnet',
  what: 'C# class for Azure.Identity',
  group: 'sdk',
  comment: '//',
  addByHand: 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET; SSL_CERT_FILE on Linux',
  read: 'Azure.Identity 1.21',
  write,
})

function write(profile: CloudProfile): ExportText {
  const values = snippetValues(profile)
  const body = `using System;
using Azure.Identity;

public static class Cloud
{
    public static readonly Uri AuthorityHost = new Uri(${quote(values.authority)});
    public const bool DisableInstanceDiscovery = ${values.disableInstanceDiscovery};
    public static readonly Uri ResourceManagerEndpoint = new Uri(${quote(values.resourceManagerEndpoint)});
    public const string ResourceManagerScope = ${quote(values.resourceManagerScope)};
    public const string StorageScope = ${quote(values.storageScope)};
    public const string KeyVaultScope = ${quote(values.keyVaultScope)};
    public const string StorageSuffix = ${quote(values.storageSuffix)};
    public const string KeyVaultSuffix = ${quote(values.keyVaultSuffix)};
    public const string SqlServerSuffix = ${quote(values.sqlServerSuffix)};
    public const string ContainerRegistrySuffix = ${quote(values.containerRegistrySuffix)};

    /// <summary>Reads PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.</summary>
    public static ClientSecretCredential CreateCredential() => new ClientSecretCredential(
        Required("PLATFORM_TENANT_ID", ${quote(values.tenantId)}),
        Required("PLATFORM_CLIENT_ID"),
        Required("PLATFORM_CLIENT_SECRET"),
        new ClientSecretCredentialOptions
        {
            AuthorityHost = AuthorityHost,
            DisableInstanceDiscovery = DisableInstanceDiscovery,
        });

    private static string Required(string name, string fallback = "")
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrEmpty(value)) value = fallback;
        if (value == "") throw new InvalidOperationException(name + " is not set");
        return value;
    }
}
`
  return { body }
}
