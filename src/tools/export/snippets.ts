import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { scopeFor } from '../../lib/profile/endpoints.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { defineExport, type ExportFormat } from './define-export.ts'
import { quoteJson, quoteWide } from './quote.ts'
import { templateOf } from './template.ts'

const typescript = templateOf(quoteJson)
const python = templateOf(quoteWide, (flag) => (flag ? 'True' : 'False'))
const wide = templateOf(quoteWide)

/** The values of a cloud that a credential library takes. */
function credentialOf(profile: CloudProfile) {
  const { authorityBase, tenantId, disableInstanceDiscovery } = identityProviderOf(profile)
  const scope = scopeFor(profile.resourceManagerAudience)
  return { authority: authorityBase, tenant: tenantId ?? 'TENANT_ID', disableInstanceDiscovery, scope }
}

const secret = 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET'

/** Ten lines for each credential library, with the values of the cloud. */
export const snippets: readonly ExportFormat[] = [
  defineExport({
    name: 'typescript',
    what: '@azure/identity',
    group: 'sdk',
    comment: '//',
    addByHand: `${secret}; NODE_EXTRA_CA_CERTS`,
    reader: '@azure/identity 4.14',
    write(profile) {
      const { authority, tenant, disableInstanceDiscovery, scope } = credentialOf(profile)
      return typescript`
import { ClientSecretCredential } from '@azure/identity'

const { PLATFORM_CLIENT_ID: client = '', PLATFORM_CLIENT_SECRET: secret = '' } = process.env
const credential = new ClientSecretCredential(${tenant}, client, secret, {
  authorityHost: ${authority},
  disableInstanceDiscovery: ${disableInstanceDiscovery},
})
const token = await credential.getToken(${scope})
console.log(token.expiresOnTimestamp)`
    },
  }),
  defineExport({
    name: 'python',
    what: 'azure-identity',
    group: 'sdk',
    comment: '#',
    addByHand: `${secret}; REQUESTS_CA_BUNDLE; azure-identity 1.13.0 or later. With a federation service the asynchronous credentials cannot sign in`,
    reader: 'azure-identity 1.27',
    write(profile) {
      const { authority, tenant, disableInstanceDiscovery, scope } = credentialOf(profile)
      return python`
import os
from azure.identity import ClientSecretCredential

client, secret = os.environ["PLATFORM_CLIENT_ID"], os.environ["PLATFORM_CLIENT_SECRET"]
credential = ClientSecretCredential(
    ${tenant}, client, secret,
    authority=${authority},
    disable_instance_discovery=${disableInstanceDiscovery},
)
print(credential.get_token(${scope}).expires_on)`
    },
  }),
  defineExport({
    name: 'dotnet',
    what: 'Azure.Identity for C#',
    group: 'sdk',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE on Linux`,
    reader: 'the grammar of C#',
    write(profile) {
      const { authority, tenant, disableInstanceDiscovery, scope } = credentialOf(profile)
      return wide`
using System;
using Azure.Core;
using Azure.Identity;

string Required(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception($"Set {name}");
var credential = new ClientSecretCredential(
    ${tenant}, Required("PLATFORM_CLIENT_ID"), Required("PLATFORM_CLIENT_SECRET"),
    new ClientSecretCredentialOptions { AuthorityHost = new Uri(${authority}), DisableInstanceDiscovery = ${disableInstanceDiscovery} });
var token = await credential.GetTokenAsync(new TokenRequestContext(new[] { ${scope} }), default);
Console.WriteLine(token.ExpiresOn);`
    },
  }),
  defineExport({
    name: 'go',
    what: 'azidentity',
    group: 'sdk',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE`,
    reader: 'the Go compiler with azidentity 1.14; gofmt',
    write(profile) {
      const { authority, tenant, disableInstanceDiscovery, scope } = credentialOf(profile)
      return wide`
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

func main() {
	options := azidentity.ClientSecretCredentialOptions{DisableInstanceDiscovery: ${disableInstanceDiscovery}}
	options.ClientOptions = azcore.ClientOptions{Cloud: cloud.Configuration{ActiveDirectoryAuthorityHost: ${authority}}}
	credential, err := azidentity.NewClientSecretCredential(
		${tenant}, os.Getenv("PLATFORM_CLIENT_ID"), os.Getenv("PLATFORM_CLIENT_SECRET"), &options)
	if err == nil {
		token, failure := credential.GetToken(context.Background(), policy.TokenRequestOptions{Scopes: []string{${scope}}})
		fmt.Println(token.ExpiresOn)
		err = failure
	}
	if err != nil {
		panic(err)
	}
}`
    },
  }),
]
