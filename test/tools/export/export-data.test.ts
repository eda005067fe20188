import { describe, expect, test } from 'vitest'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { writeMetadata } from '../../../src/lib/metadata/write-metadata.ts'
import { recordCalls } from '../../support/run-shell.ts'
import { enclave, government, stack } from '../../support/sample-profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''

test('az-json has the keys of az cloud show', () => {
  expect(JSON.parse(render('az-json', enclave))).toStrictEqual({
    name: 'enclave',
    endpoints: {
      resourceManager: 'https://management.enclave.test:8444',
      activeDirectory: 'https://login.enclave.test:8443',
      activeDirectoryResourceId: 'https://management.core.enclave.test',
      activeDirectoryGraphResourceId: 'https://graph.placeholder.invalid/',
      portal: 'https://portal.enclave.test',
    },
    suffixes: {
      storageEndpoint: 'core.enclave.test',
      keyvaultDns: '.vault.enclave.test',
      sqlServerHostname: '.database.enclave.test',
      acrLoginServerEndpoint: '.registry.enclave.test',
    },
  })
})

describe('go-autorest', () => {
  test('has the keys of an environment file', () => {
    expect(JSON.parse(render('go-autorest', enclave))).toStrictEqual({
      name: 'AzureStackCloud',
      managementPortalURL: 'https://portal.enclave.test/',
      serviceManagementEndpoint: 'https://management.core.enclave.test',
      resourceManagerEndpoint: 'https://management.enclave.test:8444/',
      activeDirectoryEndpoint: 'https://login.enclave.test:8443/',
      keyVaultEndpoint: 'https://vault.enclave.test/',
      storageEndpointSuffix: 'core.enclave.test',
      sqlDatabaseDNSSuffix: 'database.enclave.test',
      keyVaultDNSSuffix: 'vault.enclave.test',
      containerRegistryDNSSuffix: 'registry.enclave.test',
      tokenAudience: 'https://management.core.enclave.test',
      resourceIdentifiers: { keyVault: 'https://vault.enclave.test', storage: 'https://storage.azure.com/' },
    })
  })
})

describe('services of a profile', () => {
  const values = {
    microsoftGraph: 'https://graph.enclave.test/',
    graph: 'https://old-graph.enclave.test/',
    gallery: 'https://gallery.enclave.test/',
    batch: 'https://batch.enclave.test/',
    logAnalytics: 'https://logs.enclave.test',
    sqlManagement: 'https://sql.enclave.test:8443/',
    serviceManagement: 'https://management.old.enclave.test/',
  }
  const both = (url: string) => ({ url, audience: url })
  const { graph, ...others } = values
  const named = Object.entries({ ...others, directoryGraph: graph }).map(([name, url]) => [name, both(url)] as const)
  const profile = { ...enclave, services: Object.fromEntries(named) }

  test('reach every format that has a name for them', () => {
    expect(JSON.parse(render('az-json', profile))).toMatchObject({
      endpoints: {
        activeDirectoryGraphResourceId: values.graph,
        microsoftGraphResourceId: values.microsoftGraph,
        gallery: values.gallery,
        batchResourceId: values.batch,
        logAnalyticsResourceId: values.logAnalytics,
        management: values.serviceManagement,
      },
    })
    expect(JSON.parse(render('go-autorest', profile))).toMatchObject({
      graphEndpoint: values.graph,
      microsoftGraphEndpoint: values.microsoftGraph,
      resourceIdentifiers: { operationalInsights: values.logAnalytics },
    })
  })

  test('that az knows as options are given as such, the others in its JSON alone', () => {
    const options = recordCalls(render('az', profile), 'az')[0] ?? []
    expect(options).toContain('--endpoint-gallery=https://gallery.enclave.test/')
    expect(options).toContain('--endpoint-sql-management=https://sql.enclave.test:8443/')
    expect(options.join(' ')).not.toMatch(/batch|microsoft|log-analytics|app-insights|ossrdbms/)
  })
})

describe('terraform', () => {
  const block = (text: string, provider: string) =>
    new RegExp(`^provider "${provider}" \\{\\n(.*?)^\\}`, 'ms').exec(text)?.[1]

  test('names a known cloud by its environment', () => {
    const text = render('terraform', government)
    expect(block(text, 'azurerm')).toBe('  features {}\n  environment = "usgovernment"\n')
    expect(block(text, 'azuread')).toBe('  environment = "usgovernment"\n')
    expect(block(text, 'azapi')).toBe('  environment = "usgovernment"\n')
  })

  test('names any other cloud by its metadata host, and to azapi by its endpoints', () => {
    const text = render('terraform', enclave)
    const host = '  metadata_host = "management.enclave.test:8444"\n  tenant_id     = "contoso.test"\n'
    expect(block(text, 'azurerm')).toBe(`  features {}\n${host}`)
    expect(block(text, 'azuread')).toBe(host)
    expect(block(text, 'azapi')).toMatch(/disable_instance_discovery = true/)
    expect(block(text, 'azapi')).toMatch(/authority_host = "https:\/\/login\.enclave\.test:8443\/"/)
    expect(block(text, 'azapi')).toMatch(/audience\s+= "https:\/\/management\.core\.enclave\.test"/)
  })

  test('gives a stack the provider of stacks, with the name that the metadata host gives the cloud', () => {
    expect(block(render('terraform', stack), 'azurestack')).toBe(
      '  features {}\n  environment   = "stack"\n  metadata_host = "management.enclave.test:8444"\n  tenant_id     = "adfs"\n',
    )
    expect(writeMetadata(stack, '2019-05-01')).toMatchObject([{ name: 'stack' }])
    expect(render('terraform', stack)).not.toContain('provider "azurerm"')
    expect(render('terraform', stack)).toContain('# With a federation service Terraform cannot sign in')
    expect(render('terraform', enclave)).not.toContain('federation service')
  })

  test('keeps the state in the same cloud', () => {
    for (const setting of ['metadata_host    = "management.enclave.test:8444"', 'tenant_id        = "contoso.test"'])
      expect(render('terraform', enclave)).toContain(`    ${setting}\n`)
    expect(render('terraform', government)).toContain(
      '    environment      = "usgovernment"\n    use_azuread_auth = true\n',
    )
  })
})
