import { describe, expect, test } from 'vitest'
import { metadataFixture } from '../metadata/fixture.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { withValueAt, type FieldPath } from '../../../src/lib/profile/field-path.ts'
import { findForeignValues } from '../../../src/lib/profile/lint-profile.ts'
import { explainCloudProfile, resolveCloudProfile } from '../../../src/lib/index.ts'
import { enclave } from '../export/profiles.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const builtIn = (name: string): CloudProfile => resolveCloudProfile({ name, env: {} })
const pathsOf = (profile: CloudProfile) => findForeignValues(profile).map(({ path }) => path)

const ownEndpoints = {
  authorityHost: 'https://login.enclave.test/',
  resourceManagerEndpoint: 'https://management.enclave.test/',
}
const suffixes = ['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((name) => `serviceDnsSuffixes.${name}`)

describe('What another known cloud publishes is a warning', () => {
  test('(a) commercial as a file with the authority and resource manager of an enclave, whatever its environment', () => {
    for (const environment of ['public', 'custom'] as const) {
      const path = temp.write('enclave.json', { ...builtIn('platform-commercial'), ...ownEndpoints, environment })
      const { warnings, profile } = explainCloudProfile({ customProfilePath: path, env: {} })
      const foreign = warnings.filter(({ code }) => code === 'FOREIGN_VALUE')
      expect(foreign.map(({ message }) => message.split(' ')[0])).toEqual(pathsOf(profile))
      expect(pathsOf(profile)).toEqual(
        expect.arrayContaining(['resourceManagerAudience', 'portalUrl', 'metadataEndpoint', ...suffixes]),
      )
      expect(foreign[0]?.message).toBe(
        `resourceManagerAudience is "https://management.azure.com/", which belongs to the Commercial cloud, but authorityHost belongs to a private cloud (from file ${path})`,
      )
    }
  })

  test('(a) commercial by variables, with the origin of each value', () => {
    const env = {
      PLATFORM_CLOUD: 'platform-commercial',
      PLATFORM_AUTHORITY_HOST: ownEndpoints.authorityHost,
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: ownEndpoints.resourceManagerEndpoint,
      PLATFORM_STORAGE_DNS_SUFFIX: '.blob.core.usgovcloudapi.net',
    }
    const { profile, fields } = explainCloudProfile({ env })
    expect(findForeignValues(profile, fields)).toEqual(
      expect.arrayContaining([
        {
          path: 'serviceDnsSuffixes.storage',
          value: '.blob.core.usgovcloudapi.net',
          clouds: [expect.objectContaining({ name: 'platform-us-government' })],
          profileCloud: undefined,
          from: 'PLATFORM_STORAGE_DNS_SUFFIX',
        },
        expect.objectContaining({ path: 'serviceAudiences.keyVault', from: 'built-in platform-commercial' }),
      ]),
    )
  })

  test('(b) US government with environment custom: coherent as it is, and no longer with a private authority', () => {
    const custom: CloudProfile = { ...builtIn('platform-us-government'), environment: 'custom' }
    expect(pathsOf(custom)).toEqual([])
    expect(pathsOf({ ...custom, ...ownEndpoints })).toEqual(expect.arrayContaining(suffixes))
    expect(pathsOf(withValueAt(custom, 'serviceAudiences.keyVault', 'https://vault.azure.net/'))).toEqual([
      'serviceAudiences.keyVault',
    ])
  })

  const left: readonly (readonly [FieldPath, string, string])[] = [
    ['resourceManagerEndpoint', 'https://management.azure.com/', 'platform-commercial'],
    ['resourceManagerEndpoint', 'https://Management.azure.com.:8443/', 'platform-commercial'],
    ['resourceManagerEndpoint', 'https://management\u3002azure\u3002com/', 'platform-commercial'],
    ['resourceManagerAudience', 'https://management.core.windows.net/', 'platform-commercial'],
    ['portalUrl', 'https://portal.azure.com/', 'platform-commercial'],
    ['metadataEndpoint', 'https://management.usgovcloudapi.net/metadata/endpoints', 'platform-us-government'],
    ['serviceDnsSuffixes.storage', '.blob.core.usgovcloudapi.net', 'platform-us-government'],
    ['serviceDnsSuffixes.keyVault', '.Vault.azure.net', 'platform-commercial'],
    ['serviceDnsSuffixes.keyVault', '.managedhsm.azure.net', 'platform-commercial'],
    ['serviceDnsSuffixes.storage', '.z1.blob.storage.azure.net', 'platform-commercial'],
    ['serviceDnsSuffixes.sqlServer', '.database.chinacloudapi.cn', 'platform-china'],
    ['serviceDnsSuffixes.containerRegistry', '.azurecr.us', 'platform-us-government'],
    ['serviceAudiences.arm', 'https://MANAGEMENT.azure.com/', 'platform-commercial'],
    ['serviceAudiences.keyVault', 'https://vault.azure.net/', 'platform-commercial'],
    ['services.microsoftGraph.url', 'https://graph.microsoft.us/', 'platform-us-government'],
    ['aliases.authorityHosts.0', 'https://login.windows.net/', 'platform-commercial'],
    ['federatedAudience', 'api://AzureADTokenExchangeChina', 'platform-china'],
  ]

  test.each(left)('(c) a private cloud with %s left at %s', (path, value, cloud) => {
    expect(findForeignValues(withValueAt(enclave, path, value))).toEqual([
      { path, value, clouds: [expect.objectContaining({ name: cloud })], profileCloud: undefined, from: undefined },
    ])
  })
})

describe('No false alarm', () => {
  test('in a private cloud that reuses the shared storage audience', () => {
    expect(enclave.serviceAudiences.storage).toBe('https://storage.azure.com/')
    expect(pathsOf(enclave)).toEqual([])
  })

  test('of a host that only ends like a known one', () => {
    expect(
      pathsOf(withValueAt(enclave, 'serviceAudiences.keyVault', 'https://myvault.azure.net.enclave.test/')),
    ).toEqual([])
    expect(pathsOf(withValueAt(enclave, 'serviceDnsSuffixes.keyVault', '.notvault.azure.net'))).toEqual([])
  })

  test.each([
    ['2015-01-01.public.json', 'https://management.azure.com/'],
    ['2015-01-01.public.old.json', 'https://management.azure.com/'],
    ['2015-01-01.stack-aad.json', 'https://management.local.azurestack.external/'],
    ['2015-01-01.stack-adfs.SYNTHETIC.json', 'https://management.local.azurestack.external/'],
    ['2019-05-01.array.json', 'https://management.azure.com/'],
    ['2019-05-01.array.json', 'https://management.usgovcloudapi.net/'],
    ['2019-05-01.array.json', 'https://management.chinacloudapi.cn/'],
    ['2022-09-01.public.json', 'https://management.azure.com/'],
  ])('in a draft from the document %s of %s', (file, endpoint) => {
    const { profile } = fillProfile({ metadata: parseWholeMetadata(metadataFixture(file), endpoint), endpoint })
    expect(pathsOf(profile)).toEqual([])
  })
})
