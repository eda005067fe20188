import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/lib/base/env.ts'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { repository } from '../../../test/support/project-copy.ts'
import { runScan, writeFiles, type Files } from './scan-tree-of.ts'

const { profile } = explainProfile({ name: 'platform-us-government', env: {} })
const exported = (name: string) =>
  Object.values(exportFormats)
    .find((each) => each.name === name)
    ?.render(profile) ?? ''

/** A program with faults, what it stands on, and what must be right after `--fix`. */
interface Program {
  readonly language: string
  /** The tool of the language. Its tests are there where the tool is. */
  readonly tool: string
  readonly module: string
  readonly files: Files
  /** Stand-ins for the libraries, and the exported module. */
  readonly around: Files
  readonly commands: readonly (readonly [program: string, ...args: string[]])[]
  readonly output?: string
}

const mod = (path: string, requires = '') =>
  `module github.com/Azure/azure-sdk-for-go/sdk/${path}\n\ngo 1.21\n${requires}`
const sdk = 'github.com/Azure/azure-sdk-for-go/sdk'

const programs: readonly Program[] = [
  {
    language: 'TypeScript',
    tool: 'node',
    module: './cloud.ts',
    files: {
      'a.ts': `import { ClientSecretCredential, DefaultAzureCredential } from '@azure/identity'
import { SubscriptionClient } from '@azure/arm-resources-subscriptions'
const name: string = 'kv'
export const urls = [\`https://\${name}.vault.azure.net/\`, 'https://kv.vault.azure.net/secrets', 'https://' + name + '.queue.core.windows.net']
export const isOwn = urls[0]?.endsWith('.vault.azure.net')
export const scopes = ['https://management.azure.com/.default']
export const authority = 'https://login.microsoftonline.com/' + name
export const credentials = [new DefaultAzureCredential(), new ClientSecretCredential('t', 'c', 's'), new DefaultAzureCredential({ tenantId: 't' })]
export const client = new SubscriptionClient(new DefaultAzureCredential())
`,
    },
    around: { 'cloud.ts': exported('typescript'), 'package.json': '{ "type": "module" }' },
    commands: [
      [
        'node',
        join(repository, 'node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--allowImportingTsExtensions',
        '--skipLibCheck',
        '--types',
        'node',
        'a.ts',
      ],
    ],
  },
  {
    language: 'Python',
    tool: 'python3',
    module: 'cloud',
    files: {
      'a.py': `from azure.identity import ClientSecretCredential, DefaultAzureCredential
from azure.mgmt.compute import ComputeManagementClient

name = "kv"
print(f"https://{name}.vault.azure.net/", "https://%s.blob.core.windows.net" % name, "https://{}.azurecr.io".format(name))
print(".queue.core.windows.net", "https://management.azure.com/.default", "https://login.microsoftonline.com/" + name)
a = DefaultAzureCredential()
b = ClientSecretCredential("t", "c", "s", logging_enable=True)
c = ComputeManagementClient(a, "s")
`,
    },
    around: {
      'cloud.py': exported('python'),
      'azure/__init__.py': '',
      'azure/mgmt/__init__.py': '',
      'azure/identity/__init__.py':
        'class ClientSecretCredential:\n    def __init__(self, *a, authority, **k): pass\nclass DefaultAzureCredential:\n    def __init__(self, *, authority, disable_instance_discovery): pass\n',
      'azure/mgmt/compute/__init__.py':
        'class ComputeManagementClient:\n    def __init__(self, credential, subscription, *, base_url, credential_scopes): pass\n',
    },
    commands: [['python3', 'a.py']],
    output: `https://kv.vault.usgovcloudapi.net/ https://kv.blob.core.usgovcloudapi.net https://kv.azurecr.us
.queue.core.usgovcloudapi.net https://management.usgovcloudapi.net/.default https://login.microsoftonline.us/kv
`,
  },
  {
    language: 'Go',
    tool: 'go',
    module: 'example.com/app/cloudprofile',
    files: {
      'main.go': `package main

import (
	"fmt"

	"${sdk}/azcore"
	"${sdk}/azcore/arm"
	"${sdk}/azcore/cloud"
	"${sdk}/azidentity"
)

const scope = "https://vault.azure.net/.default"

func main() {
	fmt.Println(fmt.Sprintf("https://%s.blob.core.windows.net", "a"), scope, "https://login.microsoftonline.com/"+"t")
	a, _ := azidentity.NewDefaultAzureCredential(nil)
	b, _ := azidentity.NewClientSecretCredential("t", "c", "s", &azidentity.ClientSecretCredentialOptions{
		ClientOptions: azcore.ClientOptions{
			Name: "x",
		},
	})
	c, _ := azidentity.NewClientSecretCredential("t", "c", "s", &azidentity.ClientSecretCredentialOptions{DisableInstanceDiscovery: true})
	d, _ := arm.NewClient("a", "v1", a, nil)
	fmt.Println(a, b, c, d, azcore.ClientOptions{Cloud: cloud.AzurePublic})
}
`,
    },
    around: {
      'go.mod': `module example.com/app\n\ngo 1.21\n\nrequire (\n\t${sdk}/azcore v1.0.0\n\t${sdk}/azidentity v1.0.0\n)\n\nreplace (\n\t${sdk}/azcore => ./stand-in/azcore\n\t${sdk}/azidentity => ./stand-in/azidentity\n)\n`,
      'cloudprofile/cloud.go': exported('go')
        .replace('"cmp"\n\t', '')
        .replace('cmp.Or(os.Getenv("PLATFORM_TENANT_ID"), TenantID)', 'os.Getenv("PLATFORM_TENANT_ID")'),
      'stand-in/azcore/go.mod': mod('azcore'),
      'stand-in/azcore/core.go': `package azcore\n\nimport "${sdk}/azcore/cloud"\n\ntype ClientOptions struct {\n\tCloud cloud.Configuration\n\tName string\n}\n`,
      'stand-in/azcore/arm/arm.go': `package arm\n\nimport "${sdk}/azcore"\n\ntype ClientOptions struct{ azcore.ClientOptions }\n\nfunc NewClient(a, b string, c any, o *ClientOptions) (any, error) { return o, nil }\n`,
      'stand-in/azcore/cloud/cloud.go':
        'package cloud\n\ntype ServiceName string\ntype ServiceConfiguration struct{ Audience, Endpoint string }\ntype Configuration struct {\n\tActiveDirectoryAuthorityHost string\n\tServices map[ServiceName]ServiceConfiguration\n}\n\nconst ResourceManager ServiceName = "x"\n\nvar AzurePublic Configuration\n',
      'stand-in/azidentity/go.mod': mod('azidentity', `\nrequire ${sdk}/azcore v1.0.0\n`),
      'stand-in/azidentity/identity.go': `package azidentity\n\nimport "${sdk}/azcore"\n\ntype DefaultAzureCredentialOptions struct{ azcore.ClientOptions }\ntype ClientSecretCredentialOptions struct {\n\tazcore.ClientOptions\n\tDisableInstanceDiscovery bool\n}\ntype ClientSecretCredential struct{}\n\nfunc NewDefaultAzureCredential(o *DefaultAzureCredentialOptions) (any, error) { return o, nil }\nfunc NewClientSecretCredential(a, b, c string, o *ClientSecretCredentialOptions) (*ClientSecretCredential, error) { return nil, nil }\n`,
    },
    commands: [['go', 'vet', './...']],
  },
  {
    language: 'Java',
    tool: 'javac',
    module: '',
    files: {
      'A.java': `import com.azure.identity.*;

class A {
    static final String HOST = "https://kv" + ".vault.azure.net";
    Object a = new DefaultAzureCredentialBuilder().build();
    String[] b = { "x.azurecr.io", "https://management.azure.com/.default", "https://login.microsoftonline.com/" };
}
`,
    },
    around: {
      'Cloud.java': exported('java'),
      ...Object.fromEntries(
        [
          'AadCredentialBuilderBase<T>',
          'DefaultAzureCredentialBuilder',
          'ClientSecretCredentialBuilder',
          'ClientSecretCredential',
        ].map((name) => {
          const plain = name.replace('<T>', '')
          const self = name === plain ? plain : 'T'
          const base =
            plain === 'ClientSecretCredentialBuilder'
              ? ' extends AadCredentialBuilderBase<ClientSecretCredentialBuilder>'
              : ''
          const body =
            plain === 'ClientSecretCredential'
              ? ''
              : [
                  'authorityHost(String a)',
                  'tenantId(String a)',
                  'clientId(String a)',
                  'clientSecret(String a)',
                  'disableInstanceDiscovery()',
                ]
                  .map((method) => `public ${self} ${method} { return null; } `)
                  .join('') + `public ClientSecretCredential build() { return null; }`
          return [
            `com/azure/identity/${plain}.java`,
            `package com.azure.identity;\npublic class ${name}${base} { ${body} }\n`,
          ]
        }),
      ),
    },
    commands: [['javac', '-d', 'out', 'A.java']],
  },
  {
    language: 'Rust',
    tool: 'rustc',
    module: 'crate::cloud',
    files: {
      'lib.rs': `use std::fmt;
pub const AUTHORITY_HOST: &str = "https://login.microsoftonline.com/";
pub fn url(name: &str) -> String { format!("https://{name}.vault.azure.net/") }
pub fn show(f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{}", "https://management.azure.com/.default") }
pub mod cloud;
`,
    },
    around: {
      'cloud.rs': exported('rust')
        .split('\n')
        .filter((line) => /^pub const \w+: \S+ = .*;$/.test(line))
        .join('\n'),
    },
    commands: [['rustc', '--crate-type', 'lib', '--emit', 'metadata', '-A', 'warnings', 'lib.rs']],
  },
  {
    language: 'shell',
    tool: 'sh',
    module: '',
    files: {
      'a.sh': `az group list\nurl="https://$account.blob.core.windows.net"\nvault='https://kv.vault.azure.net/'\ncurl "$url" "$vault" https://x.azurecr.io/v2\n`,
    },
    around: {},
    commands: [['sh', '-n', 'a.sh']],
  },
]

const find = (tool: string) => (tool === 'node' ? process.execPath : findProgram(tool, process.env))

describe.each(programs.filter(({ tool }) => find(tool) !== undefined))(
  '--fix of $language',
  ({ module, files, around, commands, output }) => {
    test('compiles, and the findings are gone', async () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'fixed-')))
      try {
        writeFiles(root, { ...files, ...around })
        if (!existsSync(join(root, 'node_modules')))
          symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'dir')
        const paths = Object.keys(files).map((path) => join(root, path))
        const scan = (...options: string[]) => runScan([...options, ...paths])
        expect(await scan()).toMatchObject({ code: 1 })
        await scan('--fix', '--force', '--module', module)
        const printed = commands.map(([program, ...args]) =>
          execFileSync(find(program) ?? program, args, {
            cwd: root,
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOSUMDB: 'off', GOTOOLCHAIN: 'local' },
          }),
        )
        expect(printed.join('')).toBe(output ?? '')
        expect(await scan()).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('0 errors, 0 warnings') as string,
        })
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    })
  },
)
