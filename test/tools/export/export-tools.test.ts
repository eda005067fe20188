import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
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

describe('YAML', () => {
  test('of velero is a location with the address of the account', () => {
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

describe('a warning', () => {
  test.each(['velero'])('stands in %s where the storage audience of the profile is not the usual one', (format) => {
    expect(render(format, otherAudience)).toMatch(/^# Warning: it requests tokens for https:\/\/storage\.azure\.com\//m)
    expect(render(format, enclave)).not.toContain('Warning')
  })

  test.each(['velero'])('stands in %s where it asks the public instance discovery', (format) => {
    expect(render(format, enclave)).toMatch(/^# It asks the public instance discovery/m)
    for (const profile of [stack, government]) expect(render(format, profile)).not.toContain('instance discovery')
  })
})
