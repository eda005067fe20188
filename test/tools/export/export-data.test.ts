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
  ['terraform-known.tf', 'terraform', government],
  // By its metadata host, and to azapi by its endpoints.
  ['terraform-private.tf', 'terraform', enclave],
  // With the provider of stacks, and the name that the metadata host gives the cloud.
  ['terraform-stack.tf', 'terraform', stack],
  ['powershell-known.ps1', 'powershell', government],
  // Without instance discovery for this process, if the module can. A client id without its secret is an error, not a device code.
  ['powershell-private.ps1', 'powershell', enclave],
  // With the GUID of the directory, and an audience without a final slash.
  ['powershell-stack.ps1', 'powershell', stack],
])('%s has the names that its readers know', async (file, format, profile) => {
  await expect(render(format, profile)).toMatchFileSnapshot(`../../fixtures/exports/${file}`)
})

test('a cloud that VS Code has as its default needs no setting', () => {
  expect(read('vscode', resolveCloudProfile({ name: 'platform-commercial', env: {} }))).toEqual({})
})

test('the environment has the addresses of bicepconfig.json, without which Bicep ignores the cloud', () => {
  const [addresses] = JSON.parse(sourceShell(render('env', enclave))['BICEP_TRUSTED_CLOUDS'] ?? '') as unknown[]
  expect(read('bicep', enclave)['cloud']).toMatchObject({ profiles: { enclave: addresses } })
})

test('services of a profile reach every format that has a name for them', () => {
  const address = (name: string) => `https://${name.toLowerCase()}.enclave.test/`
  const names = 'microsoftGraph directoryGraph gallery batch logAnalytics sqlManagement serviceManagement'.split(' ')
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

describe('vscode', () => {
  const key = 'microsoft-sovereign-cloud'

  const serviceDnsSuffixes = { ...government.serviceDnsSuffixes, keyVault: '.vault.test' }
  test.each([
    [enclave, 'enclave'],
    [stack, 'stack'],
    [{ ...enclave, name: 'AzureCloud' }, 'azurecloud-profile'],
    [{ ...government, serviceDnsSuffixes }, 'platform-us-government'],
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

test('the federated audience of the cloud is in the comment of az, where it is harmless', () => {
  const audience = (profile: CloudProfile) => / --audiences (.*)$/m.exec(render('az', profile))?.[1]
  expect(audience(government)).toBe('api://AzureADTokenExchangeUSGov')
  expect(audience(enclave)).toBeUndefined()
  const federatedAudience = 'api://exchange.enclave.test/$HOME\n${x}'
  expect(audience({ ...enclave, federatedAudience })).toBe('api?//exchange.enclave.test/?HOME???x?')
})
