import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { WarningCode } from '../../../src/lib/errors.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../../src/lib/profile/cloud-profile.ts'
import { hostingNotes, lintProfile } from '../../../src/lib/profile/lint-profile.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'

const builtIn = (name: string): CloudProfile => resolveCloudProfile({ name, env: {} })

const enclave: CloudProfile = {
  name: 'enclave',
  displayName: 'Enclave',
  environment: 'custom',
  authorityHost: 'https://login.enclave.test/',
  resourceManagerEndpoint: 'https://management.enclave.test/',
  resourceManagerAudience: 'https://management.enclave.test/',
  tenantId: 'ops.enclave.test',
  portalUrl: 'https://portal.enclave.test/',
  serviceDnsSuffixes: {
    storage: '.blob.core.enclave.test',
    keyVault: '.vault.enclave.test',
    sqlServer: '.database.enclave.test',
    containerRegistry: '.azurecr.enclave.test',
  },
  serviceAudiences: {
    arm: 'https://management.enclave.test/',
    storage: 'https://storage.azure.com/',
    keyVault: 'https://vault.enclave.test/',
  },
}

const codesOf = (...args: Parameters<typeof lintProfile>): WarningCode[] => lintProfile(...args).map(({ code }) => code)

describe('a profile without fault', () => {
  test.each(builtInProfileNames)('the built-in %s has no warning', (name) => {
    expect(lintProfile(builtIn(name), { authMode: 'clientSecret' })).toEqual([])
  })
})

describe('an on-premises stack', () => {
  const stack = { ...enclave, environment: 'platformstackcloud' } as const

  test('has no managed identities: the warning names the modes that exist', () => {
    const [warning, ...more] = lintProfile(stack, { authMode: 'managedIdentity' })
    expect([warning?.code, more]).toEqual(['MANAGED_IDENTITY_ON_STACK', []])
    for (const mode of ['clientSecret', 'clientCertificate', 'workloadIdentity', 'deviceCode', 'usernamePassword']) {
      expect(warning?.message).toContain(mode)
    }
  })

  test('with a federation service has no workload identity either', () => {
    const [warning] = lintProfile({ ...stack, tenantId: 'adfs' }, { authMode: 'managedIdentity' })
    expect(warning?.message).not.toContain('workloadIdentity')
  })

  test('runs no functions, which is a note and no warning', () => {
    expect(hostingNotes(stack).map(({ code }) => code)).toEqual(['FUNCTIONS_ON_STACK'])
    expect(hostingNotes(enclave)).toEqual([])
  })

  test('any other cloud has managed identities', () => {
    for (const environment of ['public', 'usgovernment', 'usgovernmentsecret', 'custom'] as const) {
      expect(codesOf({ ...enclave, environment }, { authMode: 'managedIdentity' })).toEqual([])
    }
  })
})

describe('a federation service', () => {
  const adfs = { ...enclave, authorityHost: 'https://adfs.enclave.test/adfs/', tenantId: 'adfs' }
  const outside = 'FEDERATION_SERVICE_OUTSIDE_STACK'

  test('belongs to an on-premises stack', () => {
    expect(lintProfile({ ...adfs, environment: 'platformstackcloud' })).toEqual([])
  })

  test.each(['custom', 'usgovernmentsecret', 'usgovernmenttopsecret', 'usgovernment'] as const)(
    'is a warning that names the rule in the environment %s',
    (environment) => {
      for (const profile of [
        adfs,
        { ...adfs, authorityHost: enclave.authorityHost },
        { ...adfs, tenantId: 'contoso.test' },
      ]) {
        const warnings = lintProfile({ ...profile, environment })
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
    expect(lintProfile(profile)).toEqual([
      { code: 'AUTHORITY_ALIAS', message: expect.stringContaining('https://login.microsoftonline.com/') as string },
    ])
  })
})

describe('the command-line tool', () => {
  const cli = { authMode: 'platformCli' }
  const commandsOf = (profile: CloudProfile) => lintProfile(profile, cli)[0]?.message.split('Run once: ')[1] ?? ''

  test.each(['platform-commercial', 'platform-us-government'])('knows the cloud of %s', (name) => {
    expect(lintProfile(builtIn(name), cli)).toEqual([])
  })

  test('is told about any other cloud with the exact commands', () => {
    expect(codesOf(enclave, cli)).toEqual(['CLI_CLOUD_NOT_REGISTERED'])
    expect(commandsOf(enclave)).toMatch(
      /^az cloud register --name enclave --endpoint-resource-manager https:\/\/management\.enclave\.test .*--suffix-storage-endpoint core\.enclave\.test --suffix-keyvault-dns \.vault\.enclave\.test .*&& az cloud set --name enclave && .*az login --tenant ops\.enclave\.test$/,
    )
  })

  test.runIf(process.platform !== 'win32')('gets commands in which a value of the profile stays a value', () => {
    const authorityHost = "https://login.enclave.test/$(touch%20x)/';echo`id`;'/"
    const script = `az() { printf '<%s>' "$@"; }; ${commandsOf({ ...enclave, authorityHost })}`
    const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: {} })
    expect(printed).toContain(`<--endpoint-active-directory><${authorityHost.replace(/\/$/, '')}>`)
  })
})
