import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { expressionFor } from '../src/expressions.ts'
import { runScan, scanTreeOf, withTree } from './scan-tree-of.ts'

const { profile } = explainProfile({ name: 'platform-commercial', env: {} })

/** The lines of a file with every change of its findings, the certain ones or all. */
async function fixed(
  file: string,
  text: string,
): Promise<{ readonly text: string; readonly isCertain: boolean; readonly fix: string }> {
  const { findings } = await scanTreeOf({ [file]: text })
  const edits = findings.flatMap(({ fix }) => (fix.edit === undefined ? [] : [fix.edit]))
  let result = text
  for (const { start, end, oldText, newText } of edits.toSorted((a, b) => b.start - a.start)) {
    expect(result.slice(start, end)).toBe(oldText)
    result = result.slice(0, start) + newText + result.slice(end)
  }
  return {
    text: result,
    isCertain: edits.length > 0 && edits.every(({ isCertain }) => isCertain),
    fix: findings.map(({ fix }) => fix.text).join('\n'),
  }
}

describe('a change followed literally', () => {
  test.each<[file: string, before: string, after: string]>([
    // C#
    ['a.cs', 'var u = $"https://{a}.blob.core.windows.net/x";', 'var u = $"https://{a}{Cloud.StorageSuffix}/x";'],
    ['a.cs', 'var u = new Uri("https://contoso-kv.vault.azure.net/");', 'var u = Cloud.KeyVaultUri("contoso-kv");'],
    [
      'a.cs',
      'var s = "https://contoso-kv.vault.azure.net/";',
      'var s = "https://contoso-kv" + Cloud.KeyVaultSuffix + "/";',
    ],
    ['a.cs', 'var u = $"https://management.azure.com/{id}";', 'var u = $"{Cloud.ResourceManagerEndpoint}{id}";'],
    [
      'a.cs',
      'if (u.StartsWith("https://management.azure.com/")) {}',
      'if (u.StartsWith(Cloud.ResourceManagerEndpoint.AbsoluteUri)) {}',
    ],
    ['a.cs', 'const string s = ".vault.azure.net";', 'const string s = Cloud.KeyVaultSuffix;'],
    ['a.cs', 'var s = "https://management.azure.com/.default";', 'var s = Cloud.ResourceManagerScope;'],
    [
      'a.cs',
      'var s = $"https://{a}.queue.core.windows.net";',
      'var s = $"https://{a}" + Cloud.StorageSuffix.Replace(".blob.", ".queue.");',
    ],
    [
      'a.cs',
      'var s = "sb://" + ns + ".servicebus.windows.net/";',
      'var s = "sb://" + ns + System.Environment.GetEnvironmentVariable("SERVICE_BUS_SUFFIX") + "/";',
    ],
    ['a.cs', 'o.AuthorityHost = AzureAuthorityHosts.AzurePublicCloud;', 'o.AuthorityHost = Cloud.AuthorityHost;'],
    [
      'a.cs',
      'var c = new DefaultAzureCredential();',
      'var c = new DefaultAzureCredential(Cloud.CreateCredentialOptions<DefaultAzureCredentialOptions>());',
    ],
    [
      'a.cs',
      'var c = new ArmClient(credential);',
      'var c = new ArmClient(credential, default, new ArmClientOptions { Environment = Cloud.ArmEnvironment });',
    ],
    [
      'a.cs',
      'DefaultAzureCredential c = new();',
      'DefaultAzureCredential c = new(Cloud.CreateCredentialOptions<DefaultAzureCredentialOptions>());',
    ],
    // TypeScript, Python, Go, Java, Rust
    ['a.ts', 'const u = `https://${name}.vault.azure.net/`', 'const u = `https://${name}${cloud.keyVaultSuffix}/`'],
    [
      'a.ts',
      "const u = 'https://kv.vault.azure.net/secrets/'",
      "const u = 'https://kv' + cloud.keyVaultSuffix + '/secrets/'",
    ],
    ['a.ts', "const s = ['https://vault.azure.net/.default']", 'const s = [cloud.keyVaultScope]'],
    ['a.ts', "const u = 'https://login.microsoftonline.com/' + tenant", 'const u = cloud.authorityHost + tenant'],
    ['a.py', 'u = f"https://{a}.blob.core.windows.net/"', 'u = f"https://{a}{STORAGE_SUFFIX}/"'],
    ['a.py', 'u = "https://%s.blob.core.windows.net" % a', 'u = ("https://%s" + STORAGE_SUFFIX) % a'],
    ['a.py', 'u = "https://{}.vault.azure.net".format(a)', 'u = ("https://{}" + KEY_VAULT_SUFFIX).format(a)'],
    ['a.py', 'h = host.endswith(".azurecr.io")', 'h = host.endswith(CONTAINER_REGISTRY_SUFFIX)'],
    [
      'a.go',
      'u := fmt.Sprintf("https://%s.blob.core.windows.net", a)',
      'u := fmt.Sprintf("https://%s" + cloudprofile.StorageSuffix, a)',
    ],
    ['a.go', 'const scope = "https://vault.azure.net/.default"', 'const scope = cloudprofile.KeyVaultScope'],
    ['a.java', 'String s = name + ".azurecr.io";', 'String s = name + Cloud.CONTAINER_REGISTRY_SUFFIX;'],
    [
      'a.rs',
      'let u = format!("https://{name}.vault.azure.net/");',
      'let u = format!("https://{name}{KEY_VAULT_SUFFIX}/");',
    ],
    ['a.rs', 'const U: &str = "https://login.microsoftonline.com/";', 'const U: &str = AUTHORITY;'],
    // Bicep and ARM
    [
      'a.bicep',
      "var u = 'https://${n}.blob.core.windows.net/'",
      "var u = 'https://${n}.blob.${environment().suffixes.storage}/'",
    ],
    [
      'a.bicep',
      "var u = 'https://${n}.vault.azure.net/'",
      "var u = 'https://${n}${environment().suffixes.keyvaultDns}/'",
    ],
    [
      'a.bicep',
      "var u = 'https://management.azure.com/subscriptions'",
      "var u = '${environment().resourceManager}subscriptions'",
    ],
    [
      'a.bicep',
      "var h = 'login.microsoftonline.com'",
      "var h = split(environment().authentication.loginEndpoint, '/')[2]",
    ],
    [
      'a.bicep',
      "var z = 'privatelink.blob.core.windows.net'",
      "var z = 'privatelink.blob.${environment().suffixes.storage}'",
    ],
    [
      'a.bicep',
      "var z = 'privatelink.database.windows.net'",
      "var z = 'privatelink${environment().suffixes.sqlServerHostname}'",
    ],
    [
      'a.bicep',
      "var z = 'privatelink.vaultcore.azure.net'",
      "var z = replace('privatelink${environment().suffixes.keyvaultDns}', '.vault.', '.vaultcore.')",
    ],
    ['a.bicepparam', "param host = 'login.microsoftonline.com'", "param host = readEnvironmentVariable('LOGIN_HOST')"],
    [
      'a.json',
      '{"$schema": "https://schema.management.azure.com/x#", "u": "[concat(\'https://\', n, \'.vault.azure.net\')]"}',
      '{"$schema": "https://schema.management.azure.com/x#", "u": "[concat(\'https://\', n, environment().suffixes.keyvaultDns)]"}',
    ],
    [
      'a.json',
      '{"$schema": "https://schema.management.azure.com/x#", "u": "https://kv.vault.azure.net/"}',
      '{"$schema": "https://schema.management.azure.com/x#", "u": "[concat(\'https://kv\', environment().suffixes.keyvaultDns, \'/\')]"}',
    ],
    // PowerShell and shells
    [
      'a.ps1',
      'Get-AzVM\n$s = "$name.database.windows.net"',
      'Get-AzVM\n$s = "$name$((Get-AzContext).Environment.SqlDatabaseDnsSuffix)"',
    ],
    [
      'a.ps1',
      'Get-AzVM\n$s = "https://$a.blob.core.windows.net"',
      'Get-AzVM\n$s = "https://$a.blob.$((Get-AzContext).Environment.StorageEndpointSuffix)"',
    ],
    [
      'a.ps1',
      "Get-AzVM\n$u = 'https://management.azure.com/'",
      'Get-AzVM\n$u = "$((Get-AzContext).Environment.ResourceManagerUrl)"',
    ],
    [
      'a.ps1',
      "Get-AzVM\n$u -replace 'https://management\\.azure\\.com'",
      "Get-AzVM\n$u -replace ([regex]::Escape(((Get-AzContext).Environment.ResourceManagerUrl).TrimEnd('/')))",
    ],
    [
      'a.sh',
      'az group list\nu="https://$a.blob.core.windows.net"',
      'az group list\nu="https://$a.blob.$(az cloud show --query suffixes.storageEndpoint --output tsv)"',
    ],
    ['a.sh', 'az cloud set --name AzureCloud', 'az cloud set --name "$AZURE_CLOUD_NAME"'],
    // Terraform, workflows, Helm, make, Docker
    ['a.tf', 'u = "https://${var.name}.vault.azure.net/"', 'u = "https://${var.name}${var.key_vault_suffix}/"'],
    ['charts/a/templates/a.yaml', 'image: x.azurecr.io/a', 'image: x{{ .Values.cloud.containerRegistrySuffix }}/a'],
    ['Dockerfile', 'FROM contoso.azurecr.io/base:1', 'FROM contoso${CONTAINER_REGISTRY_SUFFIX}/base:1'],
    ['Makefile', 'REGISTRY = contoso.azurecr.io', 'REGISTRY = contoso$(CONTAINER_REGISTRY_SUFFIX)'],
  ])('in %s: %s', async (file, before, after) => {
    const library =
      file.endsWith('.cs') && /ArmClient|Credential/.test(before)
        ? 'using Azure.Identity; using Azure.ResourceManager;\n'
        : ''
    expect((await fixed(file, `${library}${before}\n`)).text).toBe(`${library}${after}\n`)
  })
})

describe('no change, but a text', () => {
  test.each<[file: string, text: string, fix: string]>([
    ['a.cs', 'case "https://management.azure.com/": break;', 'Cloud.ResourceManagerEndpoint'],
    ['a.cs', 'var issuer = "https://sts.windows.net/";', 'OpenID configuration'],
    ['a.bicep', "module a 'br:contoso.azurecr.io/a:1' = {}", 'moduleAliases'],
    ['a.bicep', "var s = '''\ncurl https://kv.vault.azure.net\n'''", 'environment variable of the script'],
    ['a.bicep', "@allowed([\n  'https://kv.vault.azure.net'\n])\nparam x string", 'environment().suffixes.keyvaultDns'],
    ['a.bicep', "var z = 'privatelink.servicebus.windows.net'", 'servicebusWindowsNetPrivateDnsZone without a default'],
    ['a.psd1', "@{ Uri = 'https://kv.vault.azure.net' }", 'Import-PowerShellDataFile takes no expression'],
    ['appsettings.json', '{ "AzureAd": { "Instance": "https://login.microsoftonline.com/" } }', 'AzureAd__Instance'],
    ['.env', 'VAULT=https://kv.vault.azure.net', 'its own .env file'],
    ['a.tf', 'variable "x" {\n  default = "https://kv.vault.azure.net"\n}', 'var.key_vault_suffix'],
    ['a.ts', "import x from 'https://kv.vault.azure.net/x.js'", 'cloud.keyVaultSuffix'],
    ['a.yaml', 'server: https://x.hcp.westus.azmk8s.io', 'CLUSTER_API'],
    ['a.py', 'u = "https://a.blob.core.windows.net/c?sig=abc" % x', 'STORAGE_SUFFIX'],
  ])('in %s: %s', async (file, text, fix) => {
    const { findings } = await scanTreeOf({ [file]: `${text}\n` })
    expect(findings.map((each) => each.fix.edit)).toEqual([undefined])
    expect(findings[0]?.fix.text).toContain(fix)
  })
})

test('every member that a change names stands in its export', () => {
  const texts = new Map(Object.values(exportFormats).map(({ name, render }) => [name, render(profile)]))
  const languages = ['typescript', 'python', 'go', 'dotnet', 'java', 'rust'] as const
  const named = languages.flatMap((language) =>
    ['login', 'resource-manager', 'storage', 'key-vault', 'sql', 'container-registry'].flatMap((service) =>
      (['suffix', 'address', 'audience', 'scope'] as const).flatMap((form) => {
        const found = expressionFor(language, service, form, 'blob')
        return found?.member === undefined ? [] : [{ language, code: found.code }]
      }),
    ),
  )
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter(
    ({ language, code }) =>
      !new RegExp(`\\b${code.replace(/\[.*/, '').split('.').at(-1)}\\b`).test(texts.get(language) ?? ''),
  )
  expect(missing).toEqual([])
})

test('a change is certain only where the program has what it asks', async () => {
  const [withContext, without, graph] = await Promise.all(
    ['Connect-AzAccount @p\n', '', 'Connect-MgGraph -Environment $e\n'].map((first) =>
      fixed('a.ps1', `${first}$u = "https://$a.vault.azure.net"\n`),
    ),
  )
  expect([withContext?.isCertain, without?.isCertain, graph?.isCertain]).toEqual([true, false, false])
})

test('an address without its slash, and the code of a PowerShell module, are changed by hand', async () => {
  const found = await Promise.all([
    fixed('a.py', 'u = "https://management.azure.com"\n'),
    fixed('a.py', 'u = "https://management.azure.com/"\n'),
    fixed('a.psm1', '$u = "https://management.azure.com/"\nGet-AzVM\n'),
    fixed('a.psm1', 'function x {\n  $u = "https://management.azure.com/"\n  Get-AzVM\n}\n'),
  ])
  expect(found.map(({ isCertain }) => isCertain)).toEqual([false, true, false, true])
})

describe('--fix --module imports what it names', () => {
  const url = 'https://login.microsoftonline.com/'
  test.each<[title: string, file: string, before: string, after: string]>([
    [
      'below imports from __future__, and not in a docstring',
      'a.py',
      `"""\nfrom here\n"""\nfrom __future__ import annotations\nu = "${url}"\n`,
      '"""\nfrom here\n"""\nfrom __future__ import annotations\nfrom m import AUTHORITY\nu = AUTHORITY\n',
    ],
    [
      'below the package',
      'a.java',
      `package a;\nclass A { String u = "${url}"; }\n`,
      'package a;\nimport m;\nclass A { String u = Cloud.AUTHORITY_HOST; }\n',
    ],
    [
      'below attributes of the crate',
      'a.rs',
      `#![allow(dead_code)]\nconst U: &str = "${url}";\n`,
      '#![allow(dead_code)]\nuse m::{AUTHORITY};\nconst U: &str = AUTHORITY;\n',
    ],
    [
      'once',
      'a.rs',
      `use m::{AUTHORITY};\nconst U: &str = "${url}";\n`,
      'use m::{AUTHORITY};\nconst U: &str = AUTHORITY;\n',
    ],
    [
      'by a statement that gofmt leaves alone',
      'a.go',
      'package a\n\nimport (\n\t"fmt"\n)\n\nconst s = "https://vault.azure.net/.default"\n',
      'package a\n\nimport "m"\nimport (\n\t"fmt"\n)\n\nconst s = cloudprofile.KeyVaultScope\n',
    ],
    [
      'unless the file has the name for something else',
      'a.ts',
      `export const cloud = 'azure'\nexport const u = '${url}'\n`,
      `export const cloud = 'azure'\nexport const u = '${url}'\n`,
    ],
  ])('%s', async (_title, file, before, after) => {
    const changed = await withTree({ [file]: before }, async (root) => {
      await runScan(['--fix', '--force', '--module', 'm', root])
      return readFileSync(join(root, file), 'utf8')
    })
    expect(changed).toBe(after)
  })
})
