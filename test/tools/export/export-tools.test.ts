import { Environment, type EnvironmentParameters } from '@azure/ms-rest-azure-env'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { knownClouds } from '../../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { exportFormats } from '../../../src/tools/export/export-formats.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { enclave, government, stack } from '../../support/sample-profiles.ts'
import { sourceShell } from '../../support/run-shell.ts'

const render = (format: string, profile: CloudProfile) => exportFormats[format]?.render(profile) ?? ''

const otherAudience: CloudProfile = {
  ...enclave,
  serviceAudiences: { ...enclave.serviceAudiences, storage: 'https://storage.enclave.test/' },
}

describe('azure-json', () => {
  test('has the fields of the cloud provider and of external-dns', () => {
    expect(JSON.parse(render('azure-json', enclave))).toStrictEqual({
      cloud: 'AzureStackCloud',
      tenantId: 'contoso.test',
      subscriptionId: 'SUBSCRIPTION_ID',
      resourceGroup: 'RESOURCE_GROUP',
      activeDirectoryAuthorityHost: 'https://login.enclave.test:8443/',
      resourceManagerEndpoint: 'https://management.enclave.test:8444',
      resourceManagerAudience: 'https://management.core.enclave.test',
    })
  })

  test('names a known cloud, and leaves the path of a federation service to the tenant', () => {
    expect(JSON.parse(render('azure-json', government))).toStrictEqual({
      cloud: 'AzureUSGovernmentCloud',
      tenantId: 'TENANT_ID',
      subscriptionId: 'SUBSCRIPTION_ID',
      resourceGroup: 'RESOURCE_GROUP',
    })
    expect(JSON.parse(render('azure-json', stack))).toMatchObject({
      tenantId: 'adfs',
      activeDirectoryAuthorityHost: 'https://adfs.stack.test/',
    })
  })
})

describe('bicep', () => {
  const read = (profile: CloudProfile) =>
    JSON.parse(render('bicep', profile).replaceAll(/^\/\/.*$/gm, '')) as { cloud: object; security: object }

  test('has a profile of a private cloud, with its registries', () => {
    expect(read(enclave)).toMatchObject({
      cloud: {
        currentProfile: 'enclave',
        profiles: {
          enclave: {
            resourceManagerEndpoint: 'https://management.enclave.test:8444/',
            activeDirectoryAuthority: 'https://login.enclave.test:8443',
          },
        },
      },
      security: { trustedRegistries: ['*.registry.enclave.test'] },
    })
    expect(JSON.parse(sourceShell(render('env', enclave))['BICEP_TRUSTED_CLOUDS'] ?? '')).toEqual([
      {
        resourceManagerEndpoint: 'https://management.enclave.test:8444/',
        activeDirectoryAuthority: 'https://login.enclave.test:8443',
      },
    ])
  })

  test('names a cloud that it knows', () => {
    expect(read(government).cloud).toMatchObject({ currentProfile: 'AzureUSGovernment' })
    expect(read(government).cloud).not.toHaveProperty('profiles')
  })
})

describe('vscode', () => {
  const settings = (profile: CloudProfile) => JSON.parse(render('vscode', profile)) as Record<string, never>
  const key = 'microsoft-sovereign-cloud'

  test.each([
    [enclave, 'enclave'],
    [stack, 'stack'],
    [{ ...enclave, name: 'AzureCloud' }, 'azurecloud-profile'],
  ])('describes a private cloud as VS Code reads it: %#', (profile, name) => {
    const { [`${key}.environment`]: environment, [`${key}.customEnvironment`]: custom } = settings(profile)
    expect(environment).toBe('custom')
    Environment.add(custom as unknown as EnvironmentParameters)
    expect(Environment.get(name)).toMatchObject({
      activeDirectoryEndpointUrl: profile.authorityHost,
      activeDirectoryResourceId: profile.resourceManagerAudience,
      resourceManagerEndpointUrl: profile.resourceManagerEndpoint,
    })
  })

  test('names a cloud that VS Code knows, by a name that it takes', () => {
    expect(settings(government)).toEqual({ [`${key}.environment`]: 'USGovernment' })
    expect(Environment.get('USGovernment').activeDirectoryEndpointUrl).toBe(government.authorityHost)
    expect(Environment.get('ChinaCloud')).toBeDefined()
    expect(knownClouds.flatMap(({ toolNames }) => toolNames?.['vscode'] ?? []).toSorted()).toEqual([
      'ChinaCloud',
      'USGovernment',
    ])
  })

  test('has nothing to set for the public cloud', () => {
    expect(settings(resolveCloudProfile({ name: 'platform-commercial', env: {} }))).toEqual({})
  })

  test('describes a known cloud with one changed value as a custom environment', () => {
    const changed = { ...government, serviceDnsSuffixes: { ...government.serviceDnsSuffixes, keyVault: '.vault.test' } }
    expect(settings(changed)).toMatchObject({ [`${key}.environment`]: 'custom' })
  })
})

describe('federatedAudience', () => {
  const other = { ...enclave, federatedAudience: 'api://exchange.enclave.test/$HOME\n${x}' }

  test.each([
    ['az', /^# A federated credential of this cloud: --audiences api:\/\/AzureADTokenExchangeUSGov$/m],
    ['terraform', /^  federated_audience = "api:\/\/AzureADTokenExchangeUSGov"$/m],
  ])('is the own one of the cloud in %s', (format, line) => {
    expect(render(format, government)).toMatch(line)
    expect(render(format, government)).not.toMatch(/AzureADTokenExchange(?!USGov)/)
    expect(render(format, enclave)).not.toMatch(/federated/)
  })

  test('is quoted where it runs, and harmless in a comment', () => {
    expect(render('terraform', other)).toContain(
      '  federated_audience = "api://exchange.enclave.test/$HOME\\u000a$${x}"\n',
    )
    expect(render('az', other)).toMatch(
      /^# A federated credential of this cloud: --audiences api\?\/\/exchange\.enclave\.test\/\?HOME\?\?\?x\?$/m,
    )
  })
})

describe('velero', () => {
  test('is a location with the address of the account', () => {
    const { spec } = parse(render('velero', enclave)) as { spec: object }
    expect(spec).toMatchObject({
      objectStorage: { caCert: 'ROOTCERTIFICATE=' },
      config: {
        storageAccountURI: 'https://ACCOUNT.blob.core.enclave.test',
        // Its configuration is a map of texts.
        useAAD: 'true',
        activeDirectoryAuthorityURI: 'https://login.enclave.test:8443/',
      },
    })
    expect(render('velero', government)).not.toMatch(/caCert|ROOTCERTIFICATE/)
    expect(Buffer.from('ROOTCERTIFICATE=', 'base64').toString('base64')).toBe('ROOTCERTIFICATE=')
  })
})

describe('velero warns', () => {
  test('if the storage audience of the profile is not the usual one', () => {
    expect(render('velero', otherAudience)).toMatch(
      /^# Warning: velero requests tokens for https:\/\/storage\.azure\.com\//m,
    )
    expect(render('velero', enclave)).not.toContain('Warning')
  })

  test('if it requests the public instance discovery', () => {
    expect(render('velero', enclave)).toMatch(/^# velero requests the public instance discovery/m)
    for (const profile of [stack, government]) expect(render('velero', profile)).not.toContain('instance discovery')
  })
})
