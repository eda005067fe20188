import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/resolved-cloud.ts'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { WarningCode } from '../../../src/lib/errors.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { findForeignValues, type LintOptions, lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { metadataFixture } from '../metadata/fixture.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { withValueAt, type FieldPath } from '../../../src/lib/profile/field-path.ts'
import { explainCloudProfile, resolveCloudProfile } from '../../../src/lib/index.ts'
import { enclave } from '../../support/sample-profiles.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const builtIn = (name: string): CloudProfile => resolveCloudProfile({ name, env: {} })

/** The warnings about a profile for a sign-in to a tenant. */
const lint = (
  profile: CloudProfile,
  { tenantId, ...options }: LintOptions & { readonly tenantId?: string | undefined } = {},
) => lintProfile(resolveProvider({ profile }, tenantId), options)
const codesOf = (...args: Parameters<typeof lint>): WarningCode[] => lint(...args).map(({ code }) => code)

describe('a profile without fault', () => {
  test.each(builtInProfileNames)('the built-in %s has no warning', (name) => {
    expect(lint(builtIn(name), { authMode: 'clientSecret' })).toEqual([])
  })
})

describe('an on-premises stack', () => {
  const stack = { ...enclave, environment: 'platformstackcloud' } as const

  test('has no managed identities: the warning names the modes that exist', () => {
    const [warning, ...more] = lint(stack, { authMode: 'managedIdentity' })
    expect([warning?.code, more]).toEqual(['MANAGED_IDENTITY_ON_STACK', []])
    for (const mode of ['clientSecret', 'clientCertificate', 'workloadIdentity', 'deviceCode', 'usernamePassword']) {
      expect(warning?.message).toContain(mode)
    }
  })

  test('with a federation service has no workload identity either', () => {
    const [warning] = lint({ ...stack, tenantId: 'adfs' }, { authMode: 'managedIdentity' })
    expect(warning?.message).not.toContain('workloadIdentity')
  })
})

describe('a federation service', () => {
  const adfs = { ...enclave, authorityHost: 'https://adfs.enclave.test/adfs/', tenantId: 'adfs' }
  const outside = 'FEDERATION_SERVICE_OUTSIDE_STACK'

  test('belongs to an on-premises stack', () => {
    expect(lint({ ...adfs, environment: 'platformstackcloud' })).toEqual([])
  })

  test.each(['custom', 'usgovernmentsecret', 'usgovernmenttopsecret', 'usgovernment'] as const)(
    'is a warning that names the rule in the environment %s',
    (environment) => {
      for (const profile of [
        adfs,
        { ...adfs, authorityHost: enclave.authorityHost },
        { ...adfs, tenantId: 'contoso.test' },
      ]) {
        const warnings = lint({ ...profile, environment })
        expect(warnings.map(({ code }) => code)).toEqual([outside])
        expect(warnings[0]?.message).toContain(`environment is ${environment}: only an on-premises stack`)
      }
    },
  )

  test('is known by the tenant of the environment too, in any case', () => {
    expect(codesOf(enclave, { tenantId: 'ADFS' })).toEqual([outside])
  })
})

describe('a tenant', () => {
  test.each(['my-tenant', 'common'])('%s is neither a GUID nor a domain name, which is a warning', (tenantId) => {
    expect(codesOf({ ...enclave, tenantId })).toEqual(['TENANT_UNUSUAL'])
    expect(codesOf(enclave, { tenantId })).toEqual(['TENANT_DIFFERS', 'TENANT_UNUSUAL'])
  })

  test.each(['11111111-2222-3333-4444-555555555555', 'contoso.test', undefined])('%s is not one', (tenantId) => {
    const { tenantId: _own, ...profile } = enclave
    expect(codesOf(profile, { tenantId })).toEqual([])
  })
})

test('a key vault audience that is no domain above the vaults is a warning, with a federation service too', () => {
  const audience = (keyVault: string) =>
    codesOf({ ...enclave, serviceAudiences: { ...enclave.serviceAudiences, keyVault } })
  expect(audience('https://vault.adfs.enclave.test/11111111-2222-3333-4444-555555555555')).toEqual([
    'VAULT_AUDIENCE_OUTSIDE_SUFFIX',
  ])
  expect(audience('https://VAULT.enclave.test/')).toEqual([])
  expect(audience('https://enclave.test/')).toEqual([])
  expect(audience('https://vault.placeholder.invalid/')).toEqual([])
  expect(audience('https://vault.azure.net/')).toEqual(['FOREIGN_VALUE'])
})

describe('authority and tenant', () => {
  const guid = '11111111-2222-3333-4444-555555555555'
  const federated = { ...enclave, authorityHost: 'https://adfs.enclave.test/adfs/', tenantId: guid }

  test('a GUID tenant does not go with a federation service', () => {
    expect(codesOf(federated)).toEqual(['GUID_TENANT_WITH_FEDERATION_SERVICE'])
  })

  test('the tenant that credentials sign in to is what counts', () => {
    expect(codesOf({ ...federated, tenantId: 'adfs' }, { tenantId: guid })).toHaveLength(1)
    expect(codesOf({ ...federated, environment: 'platformstackcloud' }, { tenantId: 'adfs' })).toEqual([])
  })

  test('login.windows.net is the old name of an authority', () => {
    const profile = { ...builtIn('platform-commercial'), authorityHost: 'https://LOGIN.windows.net/' }
    const message = expect.stringContaining('https://login.microsoftonline.com/') as string
    expect(lint(profile)).toEqual([{ code: 'AUTHORITY_ALIAS', message, field: 'authorityHost' }])
  })
})

describe('the command-line tool', () => {
  const cli = { authMode: 'platformCli' }
  const commandsOf = (profile: CloudProfile) => lint(profile, cli)[0]?.commands?.join(' && ') ?? ''

  test.each(['platform-commercial', 'platform-us-government'])('knows the cloud of %s', (name) => {
    expect(lint(builtIn(name), cli)).toEqual([])
  })

  test('is told about any other cloud with the exact commands', () => {
    expect(codesOf(enclave, cli)).toEqual(['CLI_CLOUD_NOT_REGISTERED'])
    expect(lint(enclave, cli)[0]?.message).toMatch(/ Run these commands once$/)
    expect(commandsOf(enclave)).toMatch(
      /^az cloud register --name enclave --endpoint-resource-manager https:\/\/management\.enclave\.test:8444 .*--suffix-storage-endpoint core\.enclave\.test --suffix-keyvault-dns \.vault\.enclave\.test .*&& az cloud set --name enclave && .*az login --tenant contoso\.test$/,
    )
  })

  test.runIf(process.platform !== 'win32')('gets commands in which a value of the profile stays a value', () => {
    const authorityHost = "https://login.enclave.test/$(touch%20x)/';echo`id`;'/"
    const script = `az() { printf '<%s>' "$@"; }; ${commandsOf({ ...enclave, authorityHost })}`
    const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: {} })
    expect(printed).toContain(`<--endpoint-active-directory><${authorityHost.replace(/\/$/, '')}>`)
  })
})

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
    ['metadataEndpoint', 'https://management.usgovcloudapi.net/metadata/endpoints', 'platform-us-government'],
    ['serviceDnsSuffixes.storage', '.blob.core.usgovcloudapi.net', 'platform-us-government'],
    ['serviceDnsSuffixes.keyVault', '.Vault.azure.net', 'platform-commercial'],
    ['serviceDnsSuffixes.storage', '.z1.blob.storage.azure.net', 'platform-commercial'],
    ['serviceDnsSuffixes.sqlServer', '.database.chinacloudapi.cn', 'platform-china'],
    ['serviceAudiences.keyVault', 'https://vault.azure.net/', 'platform-commercial'],
    ['aliases.authorityHosts.0', 'https://login.windows.net/', 'platform-commercial'],
    ['federatedAudience', 'api://AzureADTokenExchangeChina', 'platform-china'],
  ]

  test.each(left)('(c) a private cloud with %s left at %s', (path, value, cloud) => {
    expect(findForeignValues(withValueAt(enclave, path, value))).toEqual([
      { path, value, clouds: [expect.objectContaining({ name: cloud })] },
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
    ['2015-01-01.stack-aad.json', 'https://management.local.azurestack.external/'],
    ['2015-01-01.stack-adfs.SYNTHETIC.json', 'https://management.local.azurestack.external/'],
    ['2019-05-01.array.json', 'https://management.azure.com/'],
    ['2022-09-01.public.json', 'https://management.azure.com/'],
  ])('in a draft from the document %s of %s', (file, endpoint) => {
    const { profile } = fillProfile({ metadata: parseWholeMetadata(metadataFixture(file), endpoint), endpoint })
    expect(pathsOf(profile)).toEqual([])
  })
})

test.each(['https://login.microsoftonline.com/', 'https://login.enclave.example/'])(
  'a variable that sets authorityHost to %s gives one warning, which names the variable',
  (authority) => {
    const env = { PLATFORM_AUTHORITY_HOST: authority }
    const found = lintProfile(resolveProvider(explainProfile({ env }))).filter(({ code }) => code === 'FOREIGN_VALUE')
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^PLATFORM_AUTHORITY_HOST sets authorityHost to .* other values of the profile belong to the US Government cloud/,
      ),
    ])
  },
)

test('a variable that sets another field gives one warning, which names it', () => {
  const env = { PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.azure.net' }
  const found = lintProfile(resolveProvider(explainProfile({ env }))).filter(({ code }) => code === 'FOREIGN_VALUE')
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('(from PLATFORM_KEYVAULT_DNS_SUFFIX)')])
})
