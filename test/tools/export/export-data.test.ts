import { Environment, type EnvironmentParameters } from '@azure/ms-rest-azure-env'
import { describe, expect, test } from 'vitest'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { recordCalls, sourceShell } from '../../support/run-shell.ts'
import { enclave, government, stack } from '../../support/sample-profiles.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''
/** The document of a format, without the lines of its comment. */
const read = (format: string, profile: CloudProfile) =>
  JSON.parse(render(format, profile).replaceAll(/^\/\/.*$/gm, '')) as Readonly<Record<string, object>>

const addresses = {
  resourceManagerEndpoint: 'https://management.enclave.test:8444/',
  activeDirectoryAuthority: 'https://login.enclave.test:8443',
}
const bicep = { credentialPrecedence: ['Environment', 'AzureCLI'] }

test.each<[format: string, profile: CloudProfile, document: object]>([
  [
    'az-json',
    enclave,
    {
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
    },
  ],
  [
    'go-autorest',
    enclave,
    {
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
    },
  ],
  [
    'bicep',
    enclave,
    {
      cloud: { currentProfile: 'enclave', profiles: { enclave: addresses }, ...bicep },
      security: { trustedRegistries: ['*.registry.enclave.test'] },
    },
  ],
  [
    'bicep',
    government,
    {
      cloud: { currentProfile: 'AzureUSGovernment', ...bicep },
      security: { trustedRegistries: [`*${government.serviceDnsSuffixes.containerRegistry}`] },
    },
  ],
  ['vscode', government, { 'microsoft-sovereign-cloud.environment': 'USGovernment' }],
  ['vscode', resolveCloudProfile({ name: 'platform-commercial', env: {} }), {}],
])('%s has the keys that its readers know: %#', (format, profile, document) => {
  expect(read(format, profile)).toStrictEqual(document)
})

test('the environment has the two addresses without which Bicep ignores the cloud', () => {
  expect(JSON.parse(sourceShell(render('env', enclave))['BICEP_TRUSTED_CLOUDS'] ?? '')).toEqual([addresses])
})

describe('services of a profile', () => {
  const values = {
    microsoftGraph: 'https://graph.enclave.test/',
    directoryGraph: 'https://old-graph.enclave.test/',
    gallery: 'https://gallery.enclave.test/',
    batch: 'https://batch.enclave.test/',
    logAnalytics: 'https://logs.enclave.test',
    sqlManagement: 'https://sql.enclave.test:8443/',
    serviceManagement: 'https://management.old.enclave.test/',
  }
  const services = Object.fromEntries(Object.entries(values).map(([name, url]) => [name, { url, audience: url }]))
  const profile = { ...enclave, services }

  test('reach every format that has a name for them', () => {
    expect(read('az-json', profile)['endpoints']).toMatchObject({
      activeDirectoryGraphResourceId: values.directoryGraph,
      microsoftGraphResourceId: values.microsoftGraph,
      gallery: values.gallery,
      batchResourceId: values.batch,
      logAnalyticsResourceId: values.logAnalytics,
      management: values.serviceManagement,
    })
    expect(read('go-autorest', profile)).toMatchObject({
      graphEndpoint: values.directoryGraph,
      microsoftGraphEndpoint: values.microsoftGraph,
      resourceIdentifiers: { operationalInsights: values.logAnalytics },
    })
  })

  test('that az knows as options are given as such, the others in its JSON only', () => {
    const options = recordCalls(render('az', profile), 'az')[0] ?? []
    expect(options).toContain('--endpoint-gallery=https://gallery.enclave.test/')
    expect(options).toContain('--endpoint-sql-management=https://sql.enclave.test:8443/')
    expect(options.join(' ')).not.toMatch(/batch|microsoft|log-analytics|app-insights|ossrdbms/)
  })
})

describe('terraform', () => {
  const block = (profile: CloudProfile, provider: string) =>
    new RegExp(`^provider "${provider}" \\{\\n(.*?)^\\}`, 'ms').exec(render('terraform', profile))?.[1]

  test('names a known cloud by its environment', () => {
    const environment = '  environment = "usgovernment"\n'
    expect(block(government, 'azurerm')).toBe(`  features {}\n${environment}`)
    for (const provider of ['azuread', 'azapi']) expect(block(government, provider)).toBe(environment)
  })

  test('names any other cloud by its metadata host, and to azapi by its endpoints', () => {
    const host = '  metadata_host = "management.enclave.test:8444"\n  tenant_id     = "contoso.test"\n'
    expect(block(enclave, 'azurerm')).toBe(`  features {}\n${host}`)
    expect(block(enclave, 'azuread')).toBe(host)
    expect(block(enclave, 'azapi')).toMatch(
      /disable_instance_discovery = true[^]*authority_host = "https:\/\/login\.enclave\.test:8443\/"[^]*audience\s+= "https:\/\/management\.core\.enclave\.test"/,
    )
  })

  test('gives a stack the provider of stacks, with the name that the metadata host gives the cloud', () => {
    expect(block(stack, 'azurestack')).toBe(
      '  features {}\n  environment   = "stack"\n  metadata_host = "management.enclave.test:8444"\n  tenant_id     = "adfs"\n',
    )
    expect(block(stack, 'azurerm')).toBeUndefined()
    expect(render('terraform', stack)).toContain('# With a federation service Terraform cannot sign in')
  })

  test('keeps the state in the same cloud', () => {
    for (const setting of ['metadata_host    = "management.enclave.test:8444"', 'tenant_id        = "contoso.test"'])
      expect(render('terraform', enclave)).toContain(`    ${setting}\n`)
    expect(render('terraform', government)).toContain(
      '    environment      = "usgovernment"\n    use_azuread_auth = true\n',
    )
  })
})

describe('vscode', () => {
  const key = 'microsoft-sovereign-cloud'

  test.each([
    [enclave, 'enclave'],
    [stack, 'stack'],
    [{ ...enclave, name: 'AzureCloud' }, 'azurecloud-profile'],
    [
      { ...government, serviceDnsSuffixes: { ...government.serviceDnsSuffixes, keyVault: '.vault.test' } },
      'platform-us-government',
    ],
  ])('describes a private cloud, and a known one with a changed value, as VS Code reads it: %#', (profile, name) => {
    const { [`${key}.environment`]: environment, [`${key}.customEnvironment`]: custom } = read('vscode', profile)
    expect(environment).toBe('custom')
    Environment.add(custom as unknown as EnvironmentParameters)
    expect(Environment.get(name)).toMatchObject({
      activeDirectoryEndpointUrl: profile.authorityHost,
      activeDirectoryResourceId: profile.resourceManagerAudience,
      resourceManagerEndpointUrl: profile.resourceManagerEndpoint,
    })
  })

  test('names a known cloud by a name that VS Code takes', () => {
    expect(Environment.get('USGovernment').activeDirectoryEndpointUrl).toBe(government.authorityHost)
    const names = knownClouds.flatMap(({ toolNames }) => toolNames?.['vscode'] ?? [])
    expect(names.toSorted()).toEqual(['ChinaCloud', 'USGovernment'])
    expect(Environment.get('ChinaCloud')).toBeDefined()
  })
})

describe('federatedAudience', () => {
  const other = { ...enclave, federatedAudience: 'api://exchange.enclave.test/$HOME\n${x}' }

  test.each([
    ['az', /^# A federated credential of this cloud: --audiences api:\/\/AzureADTokenExchangeUSGov$/m],
    ['terraform', /^  federated_audience = "api:\/\/AzureADTokenExchangeUSGov"$/m],
  ])('is the audience of the cloud in %s', (format, line) => {
    expect(render(format, government)).toMatch(line)
    expect(render(format, government)).not.toMatch(/AzureADTokenExchange(?!USGov)/)
    expect(render(format, enclave)).not.toMatch(/federated/)
  })

  test('is quoted where it runs, and harmless in a comment', () => {
    expect(render('terraform', other)).toContain('"api://exchange.enclave.test/$HOME\\u000a$${x}"\n')
    expect(render('az', other)).toMatch(/--audiences api\?\/\/exchange\.enclave\.test\/\?HOME\?\?\?x\?$/m)
  })
})
