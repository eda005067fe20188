import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/index.ts'
import { settingRows } from '../../../src/lib/variables.ts'
import { repository } from '../../support/project-copy.ts'
import { findTool, runTool } from '../tools.ts'
import { evaluateTemplate, type Json, type Resource, type Template } from './evaluate-template.ts'

const folder = join(repository, 'deploy/functions')
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown
const text = readFileSync(join(folder, 'template.json'), 'utf8')
const template = JSON.parse(text) as Template

const clouds = ['commercial', 'government']
const parametersOf = (cloud: string) => {
  const { parameters } = readJson(join(folder, `parameters.${cloud}.json`)) as {
    parameters: Record<string, { value: Json }>
  }
  return Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]))
}

/** Everything that the template can be asked for. */
const variants: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  'a user-assigned identity': {},
  'system-assigned identities': { identityType: 'SystemAssigned' },
  'all its options': {
    settings: { PLATFORM_CLASSIFICATION_BANNER: 'SECRET', AUTH_MODE: 'clientSecret' },
    clientSecretUri: 'https://vault.example/secrets/client-secret',
    caFile: 'ca.pem',
    subnetId: '/subscriptions/x/subnets/y',
    publicNetworkAccess: 'Disabled',
    privateEndpointSubnetId: '/subscriptions/x/subnets/z',
    privateDnsZones: { sites: '/subscriptions/x/zones/sites', blob: '/subscriptions/x/zones/blob' },
    storagePublicNetworkAccess: 'Disabled',
    storageNetworkAcls: { defaultAction: 'Deny', virtualNetworkRules: [{ id: '/subscriptions/x/subnets/y' }] },
    nodeVersion: '24',
  },
  'Flex Consumption': {
    planSku: 'FC1',
    privateEndpointSubnetId: '/subscriptions/x/subnets/z',
    privateDnsZones: { sites: '/subscriptions/x/zones/sites' },
  },
  'Flex Consumption and system-assigned identities': { planSku: 'FC1', identityType: 'SystemAssigned' },
}

const cases = clouds.flatMap((cloud) => Object.keys(variants).map((variant) => [cloud, variant] as const))
const deploy = (cloud: string, variant: string) =>
  evaluateTemplate(template, { ...parametersOf(cloud), ...variants[variant] }).resources

function settingsOf(resources: readonly Resource[], type = 'Microsoft.Web/sites/config'): Record<string, string> {
  const found = resources.find((resource) => resource.type === type)
  return found?.['properties'] as unknown as Record<string, string>
}

describe('The template', () => {
  test.each(cases)('for %s with %s is worked out without a question left', (cloud, variant) => {
    const resources = deploy(cloud, variant)
    expect(resources.map(({ type }) => type)).toContain('Microsoft.Web/sites')
    expect(new Set(resources.map(({ type, name }) => `${type} ${name}`)).size).toBe(resources.length)
    expect(JSON.stringify(resources)).not.toMatch(/"\[/)
  })

  test.each(cases)('for %s with %s names no shared key, no account name and no suffix of a cloud', (cloud, variant) => {
    const resources = deploy(cloud, variant)
    const storage = resources.find(({ type }) => type === 'Microsoft.Storage/storageAccounts')
    expect(storage?.['properties']).toMatchObject({ allowSharedKeyAccess: false, minimumTlsVersion: 'TLS1_2' })
    for (const { properties } of resources.filter(({ type }) =>
      /^Microsoft\.Web\/sites(\/slots)?\/config$/.test(type),
    )) {
      const settings = properties as unknown as Record<string, string>
      expect(settings).toMatchObject({
        AzureWebJobsStorage__credential: 'managedidentity',
        AzureWebJobsStorage__blobServiceUri: /^https:.*\.blob\./,
        AzureWebJobsStorage__queueServiceUri: /^https:.*\.queue\./,
        AzureWebJobsStorage__tableServiceUri: /^https:.*\.table\./,
        APPLICATIONINSIGHTS_AUTHENTICATION_STRING: /^Authorization=AAD/,
      })
      expect(Object.keys(settings).join()).not.toMatch(/accountName|AzureWebJobsStorage,|CONTENTAZUREFILE/)
    }
    expect(text).not.toMatch(/windows\.net|usgovcloudapi|listKeys|AccountKey/)
  })

  test('gives the identity what it reads and writes, whichever it is', () => {
    const rolesOf = (variant: string) =>
      deploy('government', variant)
        .filter(({ type }) => type === 'Microsoft.Authorization/roleAssignments')
        .map(({ properties }) => (properties as unknown as { principalId: string }).principalId.at(-1))
        .join('')
    expect(rolesOf('a user-assigned identity')).toBe('bbbb')
    expect(rolesOf('system-assigned identities')).toBe('aaaaaaaa')
    const own = settingsOf(deploy('government', 'a user-assigned identity'))
    expect(own['PLATFORM_CLIENT_ID']).toBe(own['AzureWebJobsStorage__clientId'])
    expect(settingsOf(deploy('government', 'system-assigned identities'))).not.toHaveProperty('PLATFORM_CLIENT_ID')
  })

  test('passes on a secret of the vault, a private authority and further settings', () => {
    expect(settingsOf(deploy('commercial', 'all its options'))).toMatchObject({
      PLATFORM_CLIENT_SECRET: '@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/client-secret)',
      NODE_EXTRA_CA_CERTS: '/home/site/wwwroot/ca.pem',
      PLATFORM_CLASSIFICATION_BANNER: 'SECRET',
      AUTH_MODE: 'clientSecret',
    })
  })

  test('sets only what the service or its host knows', () => {
    const ours = new Set(settingRows.map(({ name }) => name))
    const hosts =
      /^(FUNCTIONS_(EXTENSION_VERSION|WORKER_RUNTIME)|AzureWebJobs(DisableHomepage|Storage__\w+)|WEBSITE_RUN_FROM_PACKAGE|APPLICATIONINSIGHTS_\w+|NODE_EXTRA_CA_CERTS)$/
    for (const name of Object.keys(settingsOf(deploy('commercial', 'all its options')))) {
      expect([name, ours.has(name) || hosts.test(name)]).toEqual([name, true])
    }
  })

  test.each(clouds)('for %s the parameters name a built-in profile', (cloud) => {
    expect(builtInProfileNames).toContain(parametersOf(cloud)['cloud'])
  })

  test('the platform checks the health of the app and of its slot', () => {
    for (const type of ['Microsoft.Web/sites', 'Microsoft.Web/sites/slots']) {
      const site = deploy('government', 'a user-assigned identity').find((resource) => resource.type === type)
      expect(site?.['properties']).toMatchObject({ httpsOnly: true, siteConfig: { healthCheckPath: '/api/health' } })
    }
  })

  /** Every combination of the parameters that change a site. */
  const combinations = ['S1', 'FC1'].flatMap((planSku) =>
    ['UserAssigned', 'SystemAssigned'].flatMap((identityType) =>
      ['Enabled', 'Disabled'].flatMap((publicNetworkAccess) =>
        ['', '/subscriptions/x/subnets/y'].flatMap((subnetId) =>
          ['', '/subscriptions/x/subnets/z'].map((privateEndpointSubnetId) => {
            return { planSku, identityType, publicNetworkAccess, subnetId, privateEndpointSubnetId }
          }),
        ),
      ),
    ),
  )

  /** The sites and slots of a deployment, each with what lies below it, without what tells them apart. */
  const sitesOf = (resources: readonly Resource[]) =>
    resources
      .filter(({ type }) => /^Microsoft\.Web\/sites(\/slots)?$/.test(type))
      .map((site) => {
        const own = resources.filter(
          ({ type, name }) =>
            type.replace(/\/[^/]+$/, '') === site.type &&
            type !== 'Microsoft.Web/sites/slots' &&
            name.startsWith(`${site.name}/`),
        )
        const below = own.map(({ type, name, ...resource }) => ({
          type: type.slice(site.type.length),
          name: name.slice(site.name.length),
          properties: resource['properties'],
        }))
        return { name: site.name, site: { properties: site['properties'], identity: site['identity'] }, below }
      })

  /** What each site and slot must have, as far as it is missing. */
  const unhardened = (resources: readonly Resource[]): string[] => {
    const sites = sitesOf(resources)
    const endpoints = resources.filter(({ type }) => type === 'Microsoft.Network/privateEndpoints')
    return sites.flatMap(({ name, site, below }) => {
      const { httpsOnly, siteConfig } = site.properties as Readonly<Record<string, Json>>
      const { minTlsVersion, scmMinTlsVersion, ftpsState, remoteDebuggingEnabled } = siteConfig as Record<string, Json>
      const settings = [httpsOnly, minTlsVersion, scmMinTlsVersion, ftpsState, remoteDebuggingEnabled]
      const policy = (path: string) => below.find(({ name: own }) => own === path)?.properties
      const [, slot] = name.split('/')
      const group = slot === undefined ? '"sites"' : `"sites-${slot}"`
      const problems = {
        settings: isDeepStrictEqual(settings, [true, '1.2', '1.2', 'Disabled', false]),
        'publishing password of FTP': isDeepStrictEqual(policy('/ftp'), { allow: false }),
        'publishing password of the deployment site': isDeepStrictEqual(policy('/scm'), { allow: false }),
        'all that the app has, which a swap replaces': isDeepStrictEqual(
          [site, below],
          [sites[0]?.site, sites[0]?.below],
        ),
        'private endpoint': endpoints.length === 0 || JSON.stringify(endpoints).includes(group),
      }
      return Object.entries(problems).flatMap(([problem, isMet]) => (isMet ? [] : [`${name}: ${problem}`]))
    })
  }

  test.each(clouds)(
    'for %s every site and every slot has the same hardening, for each choice of parameters',
    (cloud) => {
      for (const parameters of combinations) {
        const { resources } = evaluateTemplate(template, { ...parametersOf(cloud), ...parameters })
        expect(sitesOf(resources).length).toBe(parameters.planSku === 'FC1' ? 1 : 2)
        expect(unhardened(resources)).toEqual([])
      }
    },
  )

  describe('on Flex Consumption', () => {
    const site = (variant: string) => deploy('commercial', variant).find(({ type }) => type === 'Microsoft.Web/sites')
    const storageOf = (variant: string) => site(variant)?.['properties'] as Readonly<Record<string, Json>>

    test('deploys from a blob container that the identity of the app reads', () => {
      const resources = deploy('commercial', 'Flex Consumption')
      const container = resources.find(({ type }) => type.endsWith('/containers'))
      const [account = ''] = (container?.name ?? '').split('/')
      expect(container?.name).toBe(`${account}/default/deployments`)
      expect(container?.['properties']).toEqual({ publicAccess: 'None' })
      expect(storageOf('Flex Consumption')['functionAppConfig']).toMatchObject({
        deployment: {
          storage: {
            value: `https://${account}.blob.core.enclave.example/deployments`,
            authentication: { type: 'UserAssignedIdentity' },
          },
        },
      })
      expect(storageOf('Flex Consumption and system-assigned identities')['functionAppConfig']).toMatchObject({
        deployment: { storage: { authentication: { type: 'SystemAssignedIdentity' } } },
      })
    })

    test('has the plan of Flex Consumption, no slot, and no setting that this plan refuses', () => {
      const resources = deploy('commercial', 'Flex Consumption')
      const plan = resources.find(({ type }) => type === 'Microsoft.Web/serverfarms')
      expect(plan).toMatchObject({ kind: 'functionapp', sku: { name: 'FC1', tier: 'FlexConsumption' } })
      expect(resources.map(({ type, name }) => `${type} ${name}`).filter((each) => /slots|staging/.test(each))).toEqual(
        [],
      )
      expect(Object.keys(settingsOf(resources)).join()).not.toMatch(/FUNCTIONS_|WEBSITE_/)
      const { siteConfig } = storageOf('Flex Consumption')
      expect(Object.keys(siteConfig as object).join()).not.toMatch(/linuxFxVersion|alwaysOn|healthCheckPath/)
    })
  })

  test('takes a name of 31 characters at most, since app and slot share the host id from 32 on', () => {
    const named = (name: string) => () => evaluateTemplate(template, { ...parametersOf('government'), name })
    expect(named('a'.repeat(31))).not.toThrow()
    expect(named('a'.repeat(32))).toThrow('name is longer than 31 characters')
  })

  test('routes every outbound call through the subnet, if there is one', () => {
    const routed = (variant: string) =>
      deploy('government', variant)
        .filter(({ type }) => /^Microsoft.Web\/sites(\/slots)?$/.test(type))
        .map(({ properties }) => (properties as Readonly<Record<string, Json>>)['vnetRouteAllEnabled'])
    expect(routed('all its options')).toEqual([true, true])
    expect(routed('a user-assigned identity')).toEqual([false, false])
  })

  test('private endpoints cover the app, its slot and the storage, and register in the zones that are given', () => {
    const names = (variant: string, type: string) =>
      deploy('government', variant)
        .filter((resource) => resource.type === type)
        .map(({ name }) => name.replace(/^replace-with-your-app-name-/, ''))
    const endpoints = 'Microsoft.Network/privateEndpoints'
    expect(names('a user-assigned identity', endpoints)).toEqual([])
    expect(names('all its options', endpoints)).toEqual(['app', 'staging', 'blob', 'queue', 'table'])
    expect(names('all its options', `${endpoints}/privateDnsZoneGroups`)).toEqual([
      'app/default',
      'staging/default',
      'blob/default',
    ])
  })

  test('asks for no version of Microsoft.Web that government clouds lack', () => {
    const web = template.resources.filter(({ type }) => type.startsWith('Microsoft.Web/'))
    expect(web.filter(({ apiVersion }) => apiVersion > '2024-04-01')).toEqual([])
    expect(web.length).toBeGreaterThan(3)
  })
})

const python = findTool('python', 'Run .ci/deploy-tools, which makes a Python with the management libraries.')
const hasModels = python !== undefined && runTool(python, ['-c', 'import azure.mgmt.web.v2024_04_01']).code === 0
if (!hasModels) process.stderr.write('SKIPPED: no management libraries for Python here. Run .ci/deploy-tools.\n')

test.skipIf(!hasModels)('every resource is valid by the published schemas', () => {
  const script = join(repository, 'test/deploy/functions/validate_resources.py')
  const input = JSON.stringify(cases.flatMap(([cloud, variant]) => deploy(cloud, variant)))
  expect(runTool(python ?? '', [script], { input })).toMatchObject({ code: 0, stdout: '' })
})

test('host.json does not sample the lines that the alert query of docs/operations.md reads', () => {
  const { logging } = readJson(join(repository, 'host.json')) as {
    logging: { applicationInsights: { samplingSettings: { excludedTypes: string } } }
  }
  expect(logging.applicationInsights.samplingSettings.excludedTypes.split(';')).toContain('Trace')
})
