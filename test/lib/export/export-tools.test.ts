import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exportFormats } from '../../../src/lib/export/export-formats.ts'
import { recipes } from '../../../src/lib/export/recipes.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { enclave, government, stack, unvalidated } from './profiles.ts'
import { sourceShell } from './run-shell.ts'

const render = (format: string, profile: CloudProfile) =>
  ({ ...exportFormats, ...recipes })[format]?.render(profile) ?? ''

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

describe('grafana', () => {
  test('sourced by sh describes a private cloud, and no reference of it is replaced', () => {
    const { GF_AZURE_CLOUDS_CONFIG: text = '' } = sourceShell(render('grafana', unvalidated))
    expect(text).not.toMatch(/[$%]/)
    expect(JSON.parse(text)).toMatchObject([{ displayName: expect.any(String) as string }])
    expect(sourceShell(render('grafana', government))).toMatchObject({ GF_AZURE_CLOUD: 'AzureUSGovernment' })
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

  test('of external-secrets is a store with a custom cloud, which only the newer SDK has', () => {
    const read = (profile: CloudProfile) =>
      (parse(render('external-secrets', profile)) as { spec: { provider: { azurekv: object } } }).spec.provider.azurekv
    expect(read(enclave)).toMatchObject({
      vaultUrl: 'https://VAULT.vault.enclave.test',
      tenantId: 'contoso.test',
      environmentType: 'AzureStackCloud',
      useAzureSDK: true,
      customCloudConfig: {
        activeDirectoryEndpoint: 'https://login.enclave.test:8443/',
        keyVaultEndpoint: 'https://vault.enclave.test/',
        keyVaultDNSSuffix: 'vault.enclave.test',
        resourceManagerEndpoint: 'https://management.enclave.test:8444/',
      },
    })
    expect(read(government)).toMatchObject({ environmentType: 'USGovernmentCloud' })
    expect(read(government)).not.toHaveProperty('customCloudConfig')
  })

  test('of keda has a trigger for each service, with an authority', () => {
    const authority = { cloud: 'Private', activeDirectoryEndpoint: 'https://login.enclave.test:8443/' }
    expect(parse(render('keda', enclave))).toMatchObject({
      triggers: [
        { type: 'azure-blob', metadata: { ...authority, endpointSuffix: 'blob.core.enclave.test' } },
        { type: 'azure-queue', metadata: { ...authority, endpointSuffix: 'queue.core.enclave.test' } },
      ],
    })
    expect(render('keda', government)).toContain('AzureUSGovernmentCloud')
    expect(render('keda', government)).not.toContain('endpointSuffix')
  })

  test('of secrets-store-csi names the environment file, and adfs as tenant beside a federation service', () => {
    const parameters = (profile: CloudProfile) =>
      (parse(render('secrets-store-csi', profile)) as { spec: { parameters: Record<string, string> } }).spec.parameters
    expect(parameters(stack)).toMatchObject({
      tenantID: 'adfs',
      cloudName: 'AzureStackCloud',
      cloudEnvFileName: '/etc/cloud-environment/cloud-environment.json',
    })
    expect(parameters(government)).toMatchObject({ cloudName: 'AzureUSGovernmentCloud' })
    expect(parameters(government)).not.toHaveProperty('cloudEnvFileName')
  })
})

describe('a warning', () => {
  test.each(['velero', 'keda'])(
    'stands in %s where the storage audience of the profile is not the usual one',
    (format) => {
      expect(render(format, otherAudience)).toMatch(
        /^# Warning: it requests tokens for https:\/\/storage\.azure\.com\//m,
      )
      expect(render(format, enclave)).not.toContain('Warning')
    },
  )

  test.each(['velero', 'external-secrets', 'keda', 'secrets-store-csi', 'grafana'])(
    'stands in %s where it asks the public instance discovery',
    (format) => {
      expect(render(format, enclave)).toMatch(/^# It asks the public instance discovery/m)
      for (const profile of [stack, government]) expect(render(format, profile)).not.toContain('instance discovery')
    },
  )
})

describe('rust', () => {
  test('has no credential for a federation service, which the crate cannot reach', () => {
    expect(render('rust', stack)).not.toContain('ClientSecretCredential')
    expect(render('rust', stack)).toContain('pub const TENANT_ID: &str = "adfs";')
  })
})
