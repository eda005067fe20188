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

test.each<[file: string, format: string, profile: CloudProfile]>([
  ['az.json', 'az-json', enclave],
  ['go-autorest.json', 'go-autorest', enclave],
  ['bicep-private.json', 'bicep', enclave],
  ['bicep-known.json', 'bicep', government],
  ['vscode.json', 'vscode', government],
])('%s has the keys that its readers know', async (file, format, profile) => {
  await expect(render(format, profile)).toMatchFileSnapshot(`../../fixtures/exports/${file}`)
})

test('a cloud that VS Code has as its default needs no setting', () => {
  expect(read('vscode', resolveCloudProfile({ name: 'platform-commercial', env: {} }))).toEqual({})
})

test('the environment has the two addresses without which Bicep ignores the cloud', () => {
  expect(JSON.parse(sourceShell(render('env', enclave))['BICEP_TRUSTED_CLOUDS'] ?? '')).toEqual([
    {
      resourceManagerEndpoint: 'https://management.enclave.test:8444/',
      activeDirectoryAuthority: 'https://login.enclave.test:8443',
    },
  ])
})

test('services of a profile reach every format that has a name for them', () => {
  const address = (name: string) => `https://${name.toLowerCase()}.enclave.test/`
  const names = [
    'microsoftGraph',
    'directoryGraph',
    'gallery',
    'batch',
    'logAnalytics',
    'sqlManagement',
    'serviceManagement',
  ]
  const services = Object.fromEntries(names.map((name) => [name, { url: address(name), audience: address(name) }]))
  const profile = { ...enclave, services }
  expect(read('az-json', profile)['endpoints']).toMatchObject({
    activeDirectoryGraphResourceId: address('directorygraph'),
    microsoftGraphResourceId: address('microsoftgraph'),
    gallery: address('gallery'),
    batchResourceId: address('batch'),
    logAnalyticsResourceId: address('loganalytics'),
    management: address('servicemanagement'),
  })
  expect(read('go-autorest', profile)).toMatchObject({
    graphEndpoint: address('directorygraph'),
    microsoftGraphEndpoint: address('microsoftgraph'),
    resourceIdentifiers: { operationalInsights: address('loganalytics') },
  })
  // What az knows as options is given as such, the others in its JSON only.
  const options = recordCalls(render('az', profile), 'az')[0] ?? []
  expect(options).toContain(`--endpoint-gallery=${address('gallery')}`)
  expect(options).toContain(`--endpoint-sql-management=${address('sqlmanagement')}`)
  expect(options.join(' ')).not.toMatch(/batch|microsoft|log-analytics|app-insights|ossrdbms/)
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
