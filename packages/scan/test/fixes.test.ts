import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { resolveCloudProfile } from '../../../src/lib/api/resolve-profile.ts'
import { fixOfValue } from '../src/fixes.ts'
import { fixLanguages } from '../src/languages.ts'
import { profileFields } from '../src/profile-fields.ts'
import { scanTreeOf } from './scan-tree-of.ts'

const profile = resolveCloudProfile({ name: 'platform-commercial', env: {} })

/** Every fix that names something of an export. */
const ofExports = fixLanguages.flatMap((language) =>
  Object.keys(profileFields).flatMap((service) =>
    [true, false].flatMap((isAudience) => {
      const fix = fixOfValue({ host: 'x.example', service, isAudience, language })
      const [, name, format] = /^Write (\S+) of `cloud-profile export (\w+)`/.exec(fix) ?? []
      return name === undefined || format === undefined ? [] : [{ format, name }]
    }),
  ),
)

describe('a fix', () => {
  test('names what its export holds', () => {
    const texts = new Map(Object.values(exportFormats).map(({ name, render }) => [name, render(profile)]))
    expect(ofExports.length).toBeGreaterThan(40)
    const missing = ofExports.filter(({ format, name }) => {
      const last = name.replace(/\[.*/, '').split('.').at(-1) ?? name
      return !new RegExp(`\\b${last}\\b`).test(texts.get(format) ?? '')
    })
    expect(missing).toEqual([])
  })

  test.each([
    ['a.go', 'u := "https://a.blob.core.windows.net"', 'StorageSuffix of `cloud-profile export go`'],
    ['a.go', 'u := "https://a.queue.core.windows.net"', 'export go`, with queue in place of blob'],
    ['a.py', 's = "core.windows.net"', 'export python`, without its .blob'],
    ['a.py', 'u = "https://login.microsoftonline.com/"', 'Write AUTHORITY of'],
    ['a.rs', 'const U: &str = "https://login.microsoftonline.com/";', 'Write AUTHORITY of `cloud-profile export rust`'],
    ['a.rs', 'const U: &str = "x.documents.azure.com";', 'std::env::var("COSMOS_HOST")'],
    ['a.tf', 'name = "privatelink.mysql.database.azure.com"', 'Write var.mysql_private_dns_zone, set for each cloud'],
    [
      'a.tf',
      'import {\n  to = azurerm_x.y\n  id = "https://a.vault.azure.net/secrets/s"\n}',
      'Write var.key_vault_host',
    ],
    ['a.ps1', 'Connect-MgGraph -Scopes $s', 'Get-MgEnvironment'],
    ['a.ps1', 'Connect-AzureAD -TenantId $t', '-AzureEnvironmentName'],
    ['a.bicep', "var z = 'privatelink.vaultcore.azure.net'", 'Take a parameter keyVaultPrivateDnsZone'],
    ['a.bicep', "var z = 'x.westus.batch.azure.com'", 'Take a parameter batchHost'],
    ['a.bicep', "var resource = 'https://batch.core.windows.net/'", 'environment().batch'],
    ['a.sh', 'az account get-access-token --resource=https://vault.azure.net', '"$KEY_VAULT_AUDIENCE"'],
    ['main.tf.tmpl', 'u = "https://a.vault.azure.net/"', 'azurerm_key_vault.NAME.vault_uri'],
    ['charts/a/templates/_names.tpl', 'image: x.azurecr.io/a', '.Values.cloud.containerRegistryHost'],
    ['charts/a/values.yaml.gotmpl', 'registry: x.azurecr.io', 'the values file of each cloud'],
    ['charts/a/values.yaml', 'registry: x.azurecr.io', 'the values file of each cloud'],
    ['charts/a/templates/a.yaml', 'image: x.azurecr.io/a', '.Values.cloud.containerRegistryHost'],
  ])('in %s of %s', async (file, line, fix) => {
    const { findings } = await scanTreeOf({ [file]: `${line}\n` })
    expect(findings).toMatchObject([{ fix: expect.stringContaining(fix) as string }])
  })

  test('shows no field of the profile for a private DNS zone', async () => {
    const files = { 'a.tf': 'name = "privatelink.vaultcore.usgovcloudapi.net"\n' }
    const { findings } = await scanTreeOf(files, { profile })
    expect(findings).toHaveLength(1)
    expect(findings[0]?.fix).not.toContain('In this profile')
  })
})
