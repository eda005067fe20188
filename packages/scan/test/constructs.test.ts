import { beforeAll, describe, expect, test } from 'vitest'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import type { ScanResult } from '../src/scan-tree.ts'
import { scanTreeOf, type Files } from './scan-tree-of.ts'

/** A construct with the fault, and the same with the fix that the finding names. What is `uncertain` may have its cloud elsewhere. */
interface Case {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly uncertain: readonly string[]
  readonly level: 'error' | 'warning'
  readonly name: string
  readonly fix: string
}

const go = (body: string) => `package main

import (
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v6"
	dns "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/dns/armdns"
)

func main() {
	${body}
}
`
const ts = (body: string) => `import { DefaultAzureCredential, ClientSecretCredential } from '@azure/identity'
import { ComputeManagementClient } from '@azure/arm-compute'
${body}
`
const python = (body: string) => `from azure.identity import DefaultAzureCredential, ClientSecretCredential
from azure.mgmt.compute import ComputeManagementClient
${body}
`
const csharp = (body: string) => `using Azure.Identity;
using Azure.ResourceManager;
class A { void B() { ${body} } }
`
const java = (body: string) => `import com.azure.identity.*;
import com.azure.resourcemanager.AzureResourceManager;
class A { void b() { ${body} } }
`

const backend = (body: string) => `terraform {\n  backend "azurerm" {\n    ${body}\n  }\n}\n`

const cases: readonly Case[] = [
  {
    file: 'a.ts',
    before: ts('const c = new DefaultAzureCredential()'),
    after: ts('const c = new DefaultAzureCredential({ authorityHost: cloud.authorityHost })'),
    uncertain: [
      ts('const c = new DefaultAzureCredential(options)'),
      ts('const c = new DefaultAzureCredential({ ...options })'),
      'class DefaultAzureCredential {}\nnew DefaultAzureCredential()',
    ],
    level: 'warning',
    name: 'DefaultAzureCredential',
    fix: 'authorityHost: cloud.authorityHost',
  },
  {
    file: 'a.mjs',
    before: ts('const c = new ClientSecretCredential(tenant, client, secret, { disableInstanceDiscovery: true })'),
    after: ts('const c = new ClientSecretCredential(tenant, client, secret, { authorityHost })'),
    uncertain: [ts('const c = new ClientSecretCredential(...all)')],
    level: 'warning',
    name: 'ClientSecretCredential',
    fix: 'cloud-profile export typescript',
  },
  {
    file: 'a.tsx',
    before: ts('const c = <T/>; const m = new ComputeManagementClient(credential, subscription)'),
    after: ts('const m = new ComputeManagementClient(credential, subscription, managementClientOptions)'),
    uncertain: [
      ts('const m = new ComputeManagementClient(credential, subscription, options)'),
      ts('new OtherClient(a, b)'),
    ],
    level: 'error',
    name: 'ComputeManagementClient',
    fix: 'managementClientOptions',
  },
  {
    file: 'a.py',
    before: python('c = DefaultAzureCredential(logging_enable=True)'),
    after: python('c = DefaultAzureCredential(authority=AUTHORITY)'),
    uncertain: [python('c = DefaultAzureCredential(**options)'), 'c = DefaultAzureCredential()'],
    level: 'warning',
    name: 'DefaultAzureCredential',
    fix: 'authority=AUTHORITY',
  },
  {
    file: 'a.py',
    before: python('from azure.identity.aio import (\n    DefaultAzureCredential as Default,\n)\nc = Default()'),
    after: python('from azure.identity.aio import DefaultAzureCredential as Default\nc = Default(authority=A)'),
    uncertain: [python('from other import Thing as Default\nc = Default()')],
    level: 'warning',
    name: 'Default',
    fix: 'authority=AUTHORITY',
  },
  {
    file: 'a.py',
    before: python('m = ComputeManagementClient(credential, subscription_id)'),
    after: python(
      'm = ComputeManagementClient(credential, s, base_url=RESOURCE_MANAGER_ENDPOINT, credential_scopes=[S])',
    ),
    uncertain: [python('m = ComputeManagementClient(**k)')],
    level: 'error',
    name: 'ComputeManagementClient',
    fix: 'base_url=RESOURCE_MANAGER_ENDPOINT',
  },
  {
    file: 'a.go',
    before: go('c, _ := azidentity.NewDefaultAzureCredential(nil)'),
    after: go(
      'c, _ := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}})',
    ),
    uncertain: [
      go('c, _ := azidentity.NewDefaultAzureCredential(options)'),
      go(
        'c, _ := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: clientOptions})',
      ),
    ],
    level: 'warning',
    name: 'NewDefaultAzureCredential',
    fix: 'Cloud: cloudprofile.Cloud',
  },
  {
    file: 'a.go',
    before: go(
      'c, _ := azidentity.NewClientSecretCredential(t, c, s, &azidentity.ClientSecretCredentialOptions{DisableInstanceDiscovery: true})',
    ),
    after: go(
      'c, _ := azidentity.NewClientSecretCredential(t, c, s, &azidentity.ClientSecretCredentialOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}})',
    ),
    uncertain: [go('c, _ := other.NewClientSecretCredential(nil)')],
    level: 'warning',
    name: 'NewClientSecretCredential',
    fix: 'Cloud: cloudprofile.Cloud',
  },
  {
    file: 'a.go',
    before: go('c, _ := azidentity.NewEnvironmentCredential(nil)')
      .replaceAll('azidentity.', 'own.')
      .replace('"github', 'own "github'),
    after: go('').replace('"github', 'own "github'),
    uncertain: [go('c, _ := own.NewEnvironmentCredential(nil)')],
    level: 'warning',
    name: 'NewEnvironmentCredential',
    fix: 'Cloud: cloudprofile.Cloud',
  },
  {
    file: 'a.go',
    before: go('z, _ := dns.NewZonesClient(subscription, credential, nil)'),
    after: go(
      'z, _ := dns.NewZonesClient(subscription, credential, &arm.ClientOptions{ClientOptions: azcore.ClientOptions{Cloud: cloudprofile.Cloud}})',
    ),
    uncertain: [go('z, _ := dns.NewZonesClient(subscription, credential, options)'), go('z := sql.NewClient(nil)')],
    level: 'error',
    name: 'NewZonesClient',
    fix: 'arm.ClientOptions',
  },
  {
    file: 'a.cs',
    before: csharp('var c = new DefaultAzureCredential();'),
    after: csharp(
      'var c = new DefaultAzureCredential(new DefaultAzureCredentialOptions { AuthorityHost = Cloud.AuthorityHost });',
    ),
    uncertain: [csharp('var c = new DefaultAzureCredential(options);')],
    level: 'warning',
    name: 'DefaultAzureCredential',
    fix: 'AuthorityHost = Cloud.AuthorityHost',
  },
  {
    file: 'a.cs',
    before: csharp('var c = new ArmClient(credential, subscription);'),
    after: csharp(
      'var c = new ArmClient(credential, subscription, new ArmClientOptions { Environment = environment });',
    ),
    uncertain: [csharp('var c = new ArmClient(credential, subscription, options);')],
    level: 'error',
    name: 'ArmClient',
    fix: 'ArmEnvironment',
  },
  {
    file: 'A.java',
    before: java('var c = new DefaultAzureCredentialBuilder().tenantId(t).build();'),
    after: java('var c = new DefaultAzureCredentialBuilder().authorityHost(Cloud.AUTHORITY_HOST).build();'),
    uncertain: [java('var c = new DefaultAzureCredentialBuilder();')],
    level: 'warning',
    name: 'DefaultAzureCredentialBuilder',
    fix: '.authorityHost(Cloud.AUTHORITY_HOST)',
  },
  {
    file: 'a.ps1',
    before: 'Connect-AzAccount -Identity\n',
    after: 'Connect-AzAccount -Identity -Environment $env:AZURE_ENVIRONMENT\n',
    uncertain: ['Connect-AzAccount @parameters\n', '# Connect-AzAccount -Identity\n'],
    level: 'error',
    name: 'Connect-AzAccount',
    fix: '-Environment',
  },
  {
    file: 'a.cs',
    before: 'var s = $"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={key}";\n',
    after:
      'var s = $"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={key};EndpointSuffix={Cloud.StorageSuffix}";\n',
    uncertain: [
      'var s = "DefaultEndpointsProtocol=https;AccountName=" + name +\n  ";AccountKey=" + key +\n  ";EndpointSuffix=" + suffix;\n',
      'var s = "UseDevelopmentStorage=true";\n',
    ],
    level: 'error',
    name: 'connection string',
    fix: 'EndpointSuffix=',
  },
  {
    file: 'main.tf',
    before: 'provider "azurerm" {\n  features {}\n}\n',
    after: 'provider "azurerm" {\n  features {}\n  environment = var.environment\n}\n',
    uncertain: ['provider "azurerm" {\n  metadata_host = var.host\n  features {}\n}\n', 'provider "aws" {}\n'],
    level: 'warning',
    name: 'provider "azurerm"',
    fix: 'metadata_host',
  },
  {
    file: 'backend.tf',
    before: backend('storage_account_name = "a"\n    container_name = "b"\n    key = "c"'),
    after: backend(
      'storage_account_name = "a"\n    container_name = "b"\n    key = "c"\n    environment = "usgovernment"',
    ),
    // The rest comes from -backend-config.
    uncertain: [backend(''), backend('key = "c"')],
    level: 'warning',
    name: 'backend "azurerm"',
    fix: 'metadata_host',
  },
  {
    file: '.github/workflows/deploy.yml',
    before: 'jobs:\n  a:\n    steps:\n      - uses: azure/login@v2\n        with:\n          client-id: x\n',
    after:
      'jobs:\n  a:\n    steps:\n      - uses: azure/login@v2\n        with:\n          environment: ${{ vars.AZURE_ENVIRONMENT }}\n',
    uncertain: ['jobs: [\n'],
    level: 'warning',
    name: 'azure/login@v2',
    fix: 'environment:',
  },
]

const goWith = (imports: string, body: string) =>
  `package a\nimport (\n${imports.replaceAll('SDK', 'github.com/Azure/azure-sdk-for-go/sdk')}\n)\nfunc f() {\n${body}\n}\n`
const csharpWith = (body: string) =>
  `using Azure.Identity;\nusing Azure.ResourceManager;\nclass A { void B() {\n${body}\n} }\n`

/** Ways to name a class, to give options, and to write a statement: the name that is found, or none. */
const forms: readonly (readonly [file: string, found: string | undefined, text: string])[] = [
  ['a.ts', 'Own', `import { DefaultAzureCredential as Own } from '@azure/identity'\nnew Own()`],
  ['a.ts', 'DefaultAzureCredential', `import * as id from '@azure/identity'\nnew id.DefaultAzureCredential()`],
  ['a.js', 'Own', `const { DefaultAzureCredential: Own } = require('@azure/identity')\nnew Own()`],
  ['a.ts', 'EnvironmentCredential', `const id = await import('@azure/identity')\nnew id.EnvironmentCredential()`],
  [
    'a.ts',
    'DefaultAzureCredential',
    `const { DefaultAzureCredential } = await load('@azure/identity')\nnew DefaultAzureCredential()`,
  ],
  [
    'a.ts',
    'Own',
    `export { DefaultAzureCredential } from '@azure/identity'\nimport { DefaultAzureCredential as Own } from '@azure/identity'\nnew Own()`,
  ],
  [
    'a.ts',
    undefined,
    `import { TokenCredential } from '@azure/identity'\nclass DefaultAzureCredential {}\nnew DefaultAzureCredential()`,
  ],
  [
    'a.ts',
    undefined,
    `import type { TokenCredential } from '@azure/identity'\nimport { DefaultAzureCredential } from './own'\nnew DefaultAzureCredential()`,
  ],
  [
    'a.ts',
    'DefaultAzureCredential',
    `import { DefaultAzureCredential } from '@azure/identity'\nconst options = { tenantId }\nnew DefaultAzureCredential(options)`,
  ],
  [
    'a.ts',
    'DefaultAzureCredential',
    `import { DefaultAzureCredential } from '@azure/identity'\nnew DefaultAzureCredential({ tenantId } as Options)`,
  ],
  [
    'a.ts',
    undefined,
    `import { DefaultAzureCredential } from '@azure/identity'\nconst options = { ...base }\nnew DefaultAzureCredential(options)`,
  ],
  [
    'a.ts',
    undefined,
    `import { DefaultAzureCredential } from '@azure/identity'\nconst options = {}\noptions.authorityHost = host\nnew DefaultAzureCredential(options)`,
  ],
  [
    'a.ts',
    undefined,
    `import { DefaultAzureCredential } from '@azure/identity'\nconst options = {}\nconst f = (options: X) => new DefaultAzureCredential(options)`,
  ],
  [
    'a.ts',
    'AuthorizationCodeCredential',
    `import { AuthorizationCodeCredential } from '@azure/identity'\nnew AuthorizationCodeCredential(t, c, code, uri)`,
  ],
  ['a.ts', 'Own', `import { ComputeManagementClient as Own } from '@azure/arm-compute'\nnew Own(credential, id)`],
  [
    'a.js',
    'StorageManagementClient',
    `const storage = require('@azure/arm-storage')\nnew storage.StorageManagementClient(credential, id)`,
  ],
  [
    'a.ts',
    'ManagementGroupsAPI',
    `import { ManagementGroupsAPI } from '@azure/arm-managementgroups'\nnew ManagementGroupsAPI(credential)`,
  ],
  [
    'a.ts',
    undefined,
    `import { SubscriptionClient } from '@azure/arm-subscriptions'\nnew SubscriptionClient(credential, clientOptions(environment))`,
  ],
  ['a.py', 'DefaultAzureCredential', 'from azure import identity\nidentity.DefaultAzureCredential()'],
  [
    'a.py',
    'ComputeManagementClient',
    'import azure.mgmt.compute as compute\ncompute.ComputeManagementClient(credential, id)',
  ],
  [
    'a.py',
    'StorageManagementClient',
    'from azure.mgmt import storage\nstorage.StorageManagementClient(credential, id)',
  ],
  ['a.py', undefined, 'from azure.mgmt import storage\nboto.StorageManagementClient(credential, id)'],
  ['a.go', 'NewClient', goWith('"SDK/azcore/arm"', 'c, _ := arm.NewClient("a", "v1", credential, nil)')],
  [
    'a.go',
    'NewDefaultAzureCredential',
    goWith(
      '"SDK/azidentity"',
      'o := &azidentity.DefaultAzureCredentialOptions{TenantID: t}\nc, _ := azidentity.NewDefaultAzureCredential(o)',
    ),
  ],
  [
    'a.go',
    undefined,
    goWith(
      '"SDK/azidentity"',
      'o := azidentity.DefaultAzureCredentialOptions{}\no.Cloud = c\nd, _ := azidentity.NewDefaultAzureCredential(&o)',
    ),
  ],
  [
    'a.go',
    undefined,
    goWith(
      '"SDK/azidentity"',
      'o, err := optionsOf(c)\nd, _ := azidentity.NewDefaultAzureCredential(o)\n{ o := &x.Options{} }',
    ),
  ],
  ['a.cs', 'DefaultAzureCredential', csharpWith('DefaultAzureCredential c = new();')],
  ['a.cs', 'ArmClient', csharpWith('ArmClient c = new(credential);')],
  ['a.cs', 'AzurePipelinesCredential', csharpWith('var c = new AzurePipelinesCredential(t, c, id, token);')],
  [
    'a.cs',
    'DefaultAzureCredential',
    csharpWith('var o = new DefaultAzureCredentialOptions { TenantId = t };\nvar c = new DefaultAzureCredential(o);'),
  ],
  [
    'a.cs',
    undefined,
    csharpWith(
      'var o = new DefaultAzureCredentialOptions();\no.AuthorityHost = h;\nvar c = new DefaultAzureCredential(o);',
    ),
  ],
  ['A.java', 'AuthorizationCodeCredentialBuilder', java('var c = new AuthorizationCodeCredentialBuilder().build();')],
  ['a.ps1', 'Connect-AzAccount', 'Az.Accounts\\Connect-AzAccount -Identity\n'],
  ['a.ps1', 'Add-AzureRmAccount', 'Add-AzureRmAccount -Credential $c\n'],
  ['a.ps1', 'Connect-AzureAD', 'Connect-AzureAD -TenantId $t\n'],
  ['a.ps1', undefined, 'Connect-AzureAD -AzureEnvironmentName $e\n'],
  ['provider.tf.tmpl', 'provider "azurerm"', 'provider "azurerm" {\n  features {}\n}'],
  ['action.yml', 'azure/login@v2', 'runs:\n  steps:\n    - uses: azure/login@v2\n'],
]

/** One tree for all cases: a scan of it loads each grammar once. */
const tree = Object.fromEntries([
  ...forms.map(([file, , text], index) => [`form-${index}/${file}`, `${text}\n`]),
  ...cases.flatMap(({ file, before, after, uncertain }, index) => [
    [`${index}/before/${file}`, before],
    [`${index}/after/${file}`, after],
    ...uncertain.map((text, each) => [`${index}/uncertain-${each}/${file}`, text]),
  ]),
]) as Files

let results: ScanResult
let resultsForPublic: ScanResult
beforeAll(async () => {
  results = await scanTreeOf(tree)
  const profile = resolveCloudProfile({ name: 'platform-commercial', env: {} })
  resultsForPublic = await scanTreeOf(tree, { profile })
})

const placesBelow = (folder: string) =>
  results.findings.filter(({ rule, path }) => rule === 'PUBLIC_CLOUD_BY_DEFAULT' && path.startsWith(folder))

describe.each(cases.map((each, index) => ({ ...each, index })))(
  '$file $name',
  ({ index, before, level, name, fix }) => {
    test('without its cloud is found, with what to write instead', () => {
      const found = placesBelow(`${index}/before/`)
      expect(found).toMatchObject([{ level, value: name, cloud: 'public' }])
      expect(found[0]?.fix.text).toContain(fix)
      const line = before.split('\n')[(found[0]?.line ?? 0) - 1] ?? ''
      expect(line.slice((found[0]?.column ?? 0) - 1)).toMatch(
        /^(new |azidentity|own|dns|Default|Compute|Connect|provider|backend|azure)/,
      )
    })

    test('with the fix is gone', () => {
      expect(placesBelow(`${index}/after/`)).toEqual([])
    })

    test('that may have its cloud from elsewhere is not found', () => {
      expect(placesBelow(`${index}/uncertain-`)).toEqual([])
    })

    test('is right for the public cloud', () => {
      expect(resultsForPublic.findings.filter(({ path }) => path.startsWith(`${index}/before/`))).toEqual([])
    })
  },
)

test.each(forms.map(([file, found, text], index) => ({ file, found, text, index })))(
  '$file: $found is found in $text',
  ({ index, found }) => {
    expect(placesBelow(`form-${index}/`).map(({ value }) => value)).toEqual(found === undefined ? [] : [found])
  },
)

test('every file of the cases was read', () => {
  expect(results.counts.files).toBe(Object.keys(tree).length)
  expect(results.incomplete).toEqual([])
})
