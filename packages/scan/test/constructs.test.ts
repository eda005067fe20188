import { beforeAll, describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { findingsIn, type Files } from './scan-tree-of.ts'

/** Programs of one kind: the body, and what is found in it, or nothing where the cloud is named or may be named elsewhere. */
type Group = readonly [
  file: string,
  wrap: (body: string) => string,
  rows: readonly (readonly [found: string | undefined, body: string])[],
]

const plain = (body: string) => body
const identity = (body: string) =>
  `import { DefaultAzureCredential, ClientSecretCredential, AuthorizationCodeCredential } from '@azure/identity'\n${body}\n`
const python = (body: string) =>
  `from azure.identity import DefaultAzureCredential\nfrom azure.mgmt.compute import ComputeManagementClient\n${body}\n`
const go = (body: string) => `package main

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	own "github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	dns "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/dns/armdns"
)

func main() {
	${body}
}
`
const csharp = (body: string) =>
  `using Azure.Identity;\nusing Azure.ResourceManager;\nclass A { void B() {\n${body}\n} }\n`
const java = (body: string) => `import com.azure.identity.*;\nclass A { void b() { ${body} } }\n`
const provider = (body: string) => `provider "azurerm" {\n  features {}\n${body}}\n`
const backend = (body: string) => `terraform {\n  backend "azurerm" {\n    ${body}\n  }\n}\n`
const login = (body: string) =>
  `jobs:\n  a:\n    steps:\n      - uses: azure/login@v2\n        with:\n          ${body}\n`

const groups: readonly Group[] = [
  [
    'a.ts',
    identity,
    [
      ['warning DefaultAzureCredential', 'new DefaultAzureCredential()'],
      ['warning DefaultAzureCredential', 'new DefaultAzureCredential({ tenantId } as Options)'],
      ['warning DefaultAzureCredential', 'const options = { tenantId }\nnew DefaultAzureCredential(options)'],
      ['warning ClientSecretCredential', 'new ClientSecretCredential(t, c, s, { disableInstanceDiscovery: true })'],
      ['warning AuthorizationCodeCredential', 'new AuthorizationCodeCredential(t, c, code, uri)'],
      [undefined, 'new DefaultAzureCredential({ authorityHost: cloud.authorityHost })'],
      [undefined, 'new DefaultAzureCredential(options)'],
      [undefined, 'new DefaultAzureCredential({ ...options })'],
      [undefined, 'const options = { ...base }\nnew DefaultAzureCredential(options)'],
      [undefined, 'const options = {}\noptions.authorityHost = host\nnew DefaultAzureCredential(options)'],
      [undefined, 'const options = {}\nconst f = (options: X) => new DefaultAzureCredential(options)'],
      [undefined, 'new ClientSecretCredential(tenant, client, secret, { authorityHost })'],
      [undefined, 'new ClientSecretCredential(...all)'],
    ],
  ],
  [
    'a.ts',
    plain,
    [
      ['warning Own', `import { DefaultAzureCredential as Own } from '@azure/identity'\nnew Own()`],
      ['warning DefaultAzureCredential', `import * as id from '@azure/identity'\nnew id.DefaultAzureCredential()`],
      ['warning Own', `const { DefaultAzureCredential: Own } = require('@azure/identity')\nnew Own()`],
      ['warning EnvironmentCredential', `const id = await import('@azure/identity')\nnew id.EnvironmentCredential()`],
      [undefined, 'class DefaultAzureCredential {}\nnew DefaultAzureCredential()'],
      [
        undefined,
        `import type { TokenCredential } from '@azure/identity'\nimport { DefaultAzureCredential } from './own'\nnew DefaultAzureCredential()`,
      ],
      ['error Own', `import { ComputeManagementClient as Own } from '@azure/arm-compute'\nnew Own(credential, id)`],
      [
        'error StorageManagementClient',
        `const storage = require('@azure/arm-storage')\nnew storage.StorageManagementClient(credential, id)`,
      ],
      [
        'error ManagementGroupsAPI',
        `import { ManagementGroupsAPI } from '@azure/arm-managementgroups'\nnew ManagementGroupsAPI(credential)`,
      ],
      [
        undefined,
        `import { SubscriptionClient } from '@azure/arm-subscriptions'\nnew SubscriptionClient(credential, clientOptions(environment))`,
      ],
      [
        undefined,
        `import { DnsManagementClient } from '@azure/arm-dns'\nnew DnsManagementClient(credential, id, managementClientOptions)`,
      ],
    ],
  ],
  [
    'a.py',
    python,
    [
      ['warning DefaultAzureCredential', 'c = DefaultAzureCredential(logging_enable=True)'],
      ['warning Default', 'from azure.identity.aio import (\n    DefaultAzureCredential as Default,\n)\nc = Default()'],
      ['error ComputeManagementClient', 'm = ComputeManagementClient(credential, subscription_id)'],
      ['error StorageManagementClient', 'from azure.mgmt import storage\nstorage.StorageManagementClient(c, id)'],
      ['error ComputeManagementClient', 'import azure.mgmt.compute as compute\ncompute.ComputeManagementClient(c, id)'],
      ['warning DefaultAzureCredential', 'from azure import identity\nidentity.DefaultAzureCredential()'],
      [undefined, 'c = DefaultAzureCredential(authority=AUTHORITY)'],
      [undefined, 'c = DefaultAzureCredential(**options)'],
      [undefined, 'from other import Thing as Default\nc = Default()'],
      [undefined, 'ComputeManagementClient(c, s, base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes=[S])'],
      [undefined, 'boto.StorageManagementClient(credential, id)'],
    ],
  ],
  [
    'a.go',
    go,
    [
      ['warning NewDefaultAzureCredential', 'c, _ := azidentity.NewDefaultAzureCredential(nil)'],
      [
        'warning NewDefaultAzureCredential',
        'o := &azidentity.DefaultAzureCredentialOptions{TenantID: t}\nc, _ := azidentity.NewDefaultAzureCredential(o)',
      ],
      ['warning NewEnvironmentCredential', 'c, _ := own.NewEnvironmentCredential(nil)'],
      [
        'warning NewClientSecretCredential',
        'c, _ := azidentity.NewClientSecretCredential(t, c, s, &azidentity.ClientSecretCredentialOptions{X: true})',
      ],
      ['error NewZonesClient', 'z, _ := dns.NewZonesClient(subscription, credential, nil)'],
      ['error NewClient', 'c, _ := arm.NewClient("a", "v1", credential, nil)'],
      [undefined, 'c, _ := azidentity.NewDefaultAzureCredential(options)'],
      [
        undefined,
        'o := azidentity.DefaultAzureCredentialOptions{}\no.Cloud = c\nd, _ := azidentity.NewDefaultAzureCredential(&o)',
      ],
      [undefined, 'o, err := optionsOf(c)\nd, _ := azidentity.NewDefaultAzureCredential(o)\n{ o := &x.Options{} }'],
      [
        undefined,
        'c, _ := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: options})',
      ],
      [undefined, 'c, _ := other.NewClientSecretCredential(nil)'],
      [undefined, 'z := sql.NewClient(nil)'],
    ],
  ],
  [
    'a.cs',
    csharp,
    [
      ['warning DefaultAzureCredential', 'var c = new DefaultAzureCredential();'],
      ['warning DefaultAzureCredential', 'DefaultAzureCredential c = new();'],
      [
        'warning DefaultAzureCredential',
        'var o = new DefaultAzureCredentialOptions { TenantId = t };\nvar c = new DefaultAzureCredential(o);',
      ],
      ['warning AzurePipelinesCredential', 'var c = new AzurePipelinesCredential(t, c, id, token);'],
      ['error ArmClient', 'var c = new ArmClient(credential, subscription);'],
      ['error ArmClient', 'ArmClient c = new(credential);'],
      [undefined, 'new DefaultAzureCredential(new DefaultAzureCredentialOptions { AuthorityHost = h });'],
      [undefined, 'var c = new DefaultAzureCredential(options);'],
      [
        undefined,
        'var o = new DefaultAzureCredentialOptions();\no.AuthorityHost = h;\nvar c = new DefaultAzureCredential(o);',
      ],
      [undefined, 'var c = new ArmClient(credential, subscription, new ArmClientOptions { Environment = e });'],
      [undefined, 'var c = new ArmClient(credential, subscription, options);'],
      ['error connection string', 'var s = $"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={key}";'],
      [
        undefined,
        'var s = "DefaultEndpointsProtocol=https;AccountName=" + name +\n  ";AccountKey=" + key +\n  ";EndpointSuffix=" + suffix;',
      ],
      [undefined, 'var s = "UseDevelopmentStorage=true";'],
    ],
  ],
  [
    'A.java',
    java,
    [
      ['warning DefaultAzureCredentialBuilder', 'var c = new DefaultAzureCredentialBuilder().tenantId(t).build();'],
      ['warning AuthorizationCodeCredentialBuilder', 'var c = new AuthorizationCodeCredentialBuilder().build();'],
      [undefined, 'var c = new DefaultAzureCredentialBuilder().authorityHost(Cloud.AUTHORITY_HOST).build();'],
      [undefined, 'var c = new DefaultAzureCredentialBuilder();'],
    ],
  ],
  [
    'a.ps1',
    plain,
    [
      ['error Connect-AzAccount', 'Connect-AzAccount -Identity\n'],
      ['error Connect-AzAccount', 'Az.Accounts\\Connect-AzAccount -Identity\n'],
      ['error Add-AzureRmAccount', 'Add-AzureRmAccount -Credential $c\n'],
      ['error Connect-AzureAD', 'Connect-AzureAD -TenantId $t\n'],
      [undefined, 'Connect-AzureAD -AzureEnvironmentName $e\n'],
      [undefined, 'Connect-AzAccount -Identity -Environment $env:AZURE_ENVIRONMENT\n'],
      [undefined, 'Connect-AzAccount @parameters\n'],
      [undefined, '# Connect-AzAccount -Identity\n'],
    ],
  ],
  [
    'main.tf',
    provider,
    [
      ['warning provider "azurerm"', ''],
      [undefined, '  environment = var.environment\n'],
      [undefined, '  metadata_host = var.host\n'],
    ],
  ],
  ['provider.tf.tmpl', provider, [['warning provider "azurerm"', '']]],
  [
    'backend.tf',
    backend,
    [
      ['warning backend "azurerm"', 'storage_account_name = "a"\n    container_name = "b"\n    key = "c"'],
      [
        undefined,
        'storage_account_name = "a"\n    container_name = "b"\n    key = "c"\n    environment = "usgovernment"',
      ],
      // The rest comes from -backend-config.
      [undefined, 'key = "c"'],
    ],
  ],
  [
    '.github/workflows/deploy.yml',
    login,
    [
      ['warning azure/login@v2', 'client-id: x'],
      [undefined, 'environment: ${{ vars.AZURE_ENVIRONMENT }}'],
    ],
  ],
  ['action.yml', plain, [['error azure/login@v2', 'runs:\n  steps:\n    - uses: azure/login@v2\n']]],
]

const cases = groups.flatMap(([file, wrap, rows]) =>
  rows.map(([found, body]) => ({ file, text: wrap(body), found, body })),
)
/** One tree for all cases. */
const tree: Files = Object.fromEntries(cases.map(({ file, text }, index) => [`${index}/${file}`, text]))

describe('a construct without a cloud', () => {
  let found: readonly string[]
  beforeAll(async () => {
    const all = await findingsIn(tree)
    found = all.filter((finding) => finding.includes(' PUBLIC_CLOUD_BY_DEFAULT '))
  })

  test.each(cases.map((each, index) => ({ ...each, index })))('$file: $found in $body', (each) => {
    const own = found.filter((finding) => finding.includes(` ${each.index}/`))
    expect(own.map((finding) => finding.replace(/ PUBLIC_CLOUD_BY_DEFAULT \S+/, ''))).toEqual(
      each.found === undefined ? [] : [each.found],
    )
  })

  test('is right for the public cloud', async () => {
    const profile = resolveCloudProfile({ name: 'platform-commercial', env: {} })
    expect((await findingsIn(tree, { profile })).filter((finding) => finding.includes('PUBLIC_CLOUD'))).toEqual([])
  })
})
