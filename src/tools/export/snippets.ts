import type { CloudProfile } from '../../lib/clouds/cloud-profile.ts'
import { scopeFor } from '../../lib/profile/endpoints.ts'
import { identityProviderOf } from '../../lib/profile/identity-provider.ts'
import { defineExport, type ExportFacts, type ExportFormat, type Source, templateOf } from './define-export.ts'
import { quoteJson, quoteWide } from './quote.ts'

const typescript = templateOf(quoteJson)
const python = templateOf(quoteWide, (flag) => (flag ? 'True' : 'False'))
const wide = templateOf(quoteWide)

/** The values of a cloud that a credential library takes. */
function valuesOf(profile: CloudProfile) {
  const { authorityBase: authority, tenantId: tenant = 'TENANT_ID', ...provider } = identityProviderOf(profile)
  const scope = scopeFor(profile.resourceManagerAudience)
  return { authority, tenant, isDisabled: provider.disableInstanceDiscovery, scope }
}

type Facts = Omit<ExportFacts, 'group'> & { readonly write: (values: ReturnType<typeof valuesOf>) => Source }

const snippet = ({ write, ...facts }: Facts): ExportFormat =>
  defineExport({ ...facts, group: 'sdk', write: (profile) => write(valuesOf(profile)) })

const secret = 'PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET'

/** Ten lines for each credential library, with the values of the cloud. */
export const snippets: readonly ExportFormat[] = [
  snippet({
    name: 'typescript',
    what: '@azure/identity',
    comment: '//',
    addByHand: `${secret}; NODE_EXTRA_CA_CERTS`,
    reader: '@azure/identity 4.14',
    write: ({ authority, tenant, isDisabled, scope }) => typescript`
import { ClientSecretCredential } from '@azure/identity'

const { PLATFORM_CLIENT_ID: client = '', PLATFORM_CLIENT_SECRET: secret = '' } = process.env
const credential = new ClientSecretCredential(${tenant}, client, secret, {
  authorityHost: ${authority},
  disableInstanceDiscovery: ${isDisabled},
})
const token = await credential.getToken(${scope})
console.log(token.expiresOnTimestamp)`,
  }),
  snippet({
    name: 'python',
    what: 'azure-identity',
    comment: '#',
    addByHand: `${secret}; REQUESTS_CA_BUNDLE; azure-identity 1.13.0 or later. With a federation service the asynchronous credentials cannot sign in`,
    reader: 'azure-identity 1.27',
    write: ({ authority, tenant, isDisabled, scope }) => python`
import os
from azure.identity import ClientSecretCredential

client, secret = os.environ["PLATFORM_CLIENT_ID"], os.environ["PLATFORM_CLIENT_SECRET"]
credential = ClientSecretCredential(
    ${tenant}, client, secret,
    authority=${authority},
    disable_instance_discovery=${isDisabled},
)
print(credential.get_token(${scope}).expires_on)`,
  }),
  snippet({
    name: 'dotnet',
    what: 'Azure.Identity for C#',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE on Linux`,
    reader: 'the grammar of C#',
    write: ({ authority, tenant, isDisabled, scope }) => wide`
using System;
using Azure.Core;
using Azure.Identity;

string Required(string name) => Environment.GetEnvironmentVariable(name) ?? throw new Exception($"Set {name}");
var credential = new ClientSecretCredential(
    ${tenant}, Required("PLATFORM_CLIENT_ID"), Required("PLATFORM_CLIENT_SECRET"),
    new ClientSecretCredentialOptions { AuthorityHost = new Uri(${authority}), DisableInstanceDiscovery = ${isDisabled} });
var token = await credential.GetTokenAsync(new TokenRequestContext(new[] { ${scope} }), default);
Console.WriteLine(token.ExpiresOn);`,
  }),
  snippet({
    name: 'go',
    what: 'azidentity',
    comment: '//',
    addByHand: `${secret}; SSL_CERT_FILE`,
    reader: 'the Go compiler with azidentity 1.14; gofmt',
    write: ({ authority, tenant, isDisabled, scope }) => wide`
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
	options := azidentity.ClientSecretCredentialOptions{DisableInstanceDiscovery: ${isDisabled}}
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
}`,
  }),
]
