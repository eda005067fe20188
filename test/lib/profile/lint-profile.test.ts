import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/identity-provider.ts'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { WarningCode } from '../../../src/lib/errors.ts'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import type { CloudProfile } from '../../../src/lib/clouds/cloud-profile.ts'
import { type LintOptions, lintProfile, findForeignValues } from '../../../src/lib/profile/lint-profile.ts'
import { metadataFixture } from '../metadata/fixture.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { withValueAt, type FieldPath } from '../../../src/lib/profile/field-path.ts'
import { explainCloudProfile, resolveCloudProfile, type CloudName } from '../../../src/lib/index.ts'
import { enclave, stack } from '../../support/sample-profiles.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const builtIn = (name: string): CloudProfile => resolveCloudProfile({ name: name as CloudName, env: {} })

interface Options extends LintOptions {
  readonly tenantId?: string
}
/** The warnings about a profile for a sign-in to a tenant. */
const lint = (profile: CloudProfile, { tenantId, ...options }: Options = {}) =>
  lintProfile(resolveProvider({ profile }, tenantId), options)

test.each(builtInProfileNames)('the built-in %s has no warning', (name) => {
  for (const authMode of ['clientSecret', 'platformCli']) expect(lint(builtIn(name), { authMode })).toEqual([])
})

const guid = '11111111-2222-3333-4444-555555555555'
const adfs = { ...enclave, authorityHost: 'https://adfs.enclave.test/adfs/', tenantId: 'adfs' }
const outside = 'FEDERATION_SERVICE_OUTSIDE_STACK'
const onStack = { environment: 'platformstackcloud' } as const
const managed = { authMode: 'managedIdentity' }
const noIdentities = 'MANAGED_IDENTITY_ON_STACK'
const vault = (keyVault: string) => ({ ...enclave, serviceAudiences: { ...enclave.serviceAudiences, keyVault } })
const alias = { ...builtIn('platform-commercial'), authorityHost: 'https://LOGIN.windows.net/' }
const outsideVault = 'VAULT_AUDIENCE_OUTSIDE_SUFFIX'

test.each<[what: string, profile: CloudProfile, options: Options, codes: readonly WarningCode[], message?: RegExp]>([
  ['a stack with managed identity', { ...enclave, ...onStack }, managed, [noIdentities], /, or workloadId/],
  ['a stack on a federation service with it', stack, managed, [noIdentities], /^(?!.*workloadIdentity)/],
  ['a stack on a federation service', { ...adfs, ...onStack }, {}, []],
  ['another cloud on one', adfs, {}, [outside], /environment is custom: only an on-premises stack/],
  ['another cloud on one, by its tenant', { ...enclave, tenantId: 'adfs' }, {}, [outside]],
  ['another cloud on one, by the tenant of the environment', enclave, { tenantId: 'ADFS' }, [outside]],
  ['a classified cloud on one', { ...adfs, environment: 'usgovernmentsecret' }, {}, [outside]],
  ['a federation service with a GUID', { ...adfs, tenantId: guid }, {}, ['GUID_TENANT_WITH_FEDERATION_SERVICE']],
  ['one with a GUID of the environment', adfs, { tenantId: guid }, ['GUID_TENANT_WITH_FEDERATION_SERVICE']],
  ['one whose GUID the environment replaces', { ...adfs, ...onStack, tenantId: guid }, { tenantId: 'adfs' }, []],
  ['a tenant that is a word', { ...enclave, tenantId: 'my-tenant' }, {}, ['TENANT_UNUSUAL']],
  ['another tenant of the environment', enclave, { tenantId: 'common' }, ['TENANT_DIFFERS', 'TENANT_UNUSUAL']],
  ['a tenant that is a GUID', { ...enclave, tenantId: guid }, {}, []],
  ['the tenant in capitals', enclave, { tenantId: 'CONTOSO.test' }, []],
  ['the old name of an authority', alias, {}, ['AUTHORITY_ALIAS'], /set it to https:\/\/login\.microsoftonline\.com\//],
  ['a vault audience outside the vaults', vault(`https://vault.adfs.enclave.test/${guid}`), {}, [outsideVault]],
  ['the vault audience of another cloud', vault('https://vault.azure.net/'), {}, ['FOREIGN_VALUE']],
  ['the domain of the vaults in capitals', vault('https://VAULT.enclave.test/'), {}, []],
  ['a domain above the vaults', vault('https://enclave.test/'), {}, []],
  ['a placeholder for a vault audience', vault('https://vault.placeholder.invalid/'), {}, []],
])('%s', (_what, profile, options, codes, message = /./) => {
  const warnings = lint(profile, options)
  expect(warnings.map(({ code }) => code)).toEqual(codes)
  for (const warning of warnings) expect(warning.message).toMatch(message)
})

describe('the command-line tool', () => {
  const cli = { authMode: 'platformCli' }
  const commandsOf = (profile: CloudProfile) => lint(profile, cli)[0]?.commands?.join(' && ') ?? ''

  test('is told about any other cloud with the exact commands', () => {
    expect(lint(enclave, cli)).toMatchObject([{ code: 'CLI_CLOUD_NOT_REGISTERED' }])
    const commands =
      /^az cloud register --name enclave --endpoint-resource-manager https:\/\/management\.enclave\.test:8444 .*--suffix-storage-endpoint core\.enclave\.test --suffix-keyvault-dns \.vault\.enclave\.test .*&& az cloud set --name enclave && .*az login --tenant contoso\.test$/
    expect(commandsOf(enclave)).toMatch(commands)
  })

  test.runIf(process.platform !== 'win32')('gets commands in which a value of the profile stays a value', () => {
    const authorityHost = "https://login.enclave.test/$(touch%20x)/';echo`id`;'/"
    const script = `az() { printf '<%s>' "$@"; }; ${commandsOf({ ...enclave, authorityHost })}`
    const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: {} })
    expect(printed).toContain(`<--endpoint-active-directory><${authorityHost.replace(/\/$/, '')}>`)
  })
})

const pathsOf = (profile: CloudProfile) => findForeignValues({ profile }).map(({ path }) => path)
const warningsOfFile = (profile: CloudProfile) =>
  explainCloudProfile({ customProfilePath: temp.write('enclave.json', profile), env: {} }).warnings

const suffixes = ['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((name) => `serviceDnsSuffixes.${name}`)

describe('What another known cloud publishes is a warning', () => {
  test('(a) one at authorityHost where most values belong to another cloud, and none at each right field', () => {
    for (const name of ['platform-commercial', 'platform-us-government'])
      for (const authorityHost of ['https://login.enclave.test/', 'https://login.chinacloudapi.cn/']) {
        const warnings = warningsOfFile({ ...builtIn(name), authorityHost })
        expect(warnings).toMatchObject([{ code: 'FOREIGN_VALUE', field: 'authorityHost' }])
        expect(warnings[0]?.message).toContain(`set authorityHost to ${builtIn(name).authorityHost}`)
      }
  })

  test('(a) others at the values of a third cloud', () => {
    const china = { ...builtIn('platform-us-government'), authorityHost: 'https://login.chinacloudapi.cn/' }
    const warnings = warningsOfFile(withValueAt(china, 'portalUrl', 'https://portal.azure.com/'))
    expect(warnings.map(({ field }) => field)).toEqual(['authorityHost', 'portalUrl'])
    expect(warnings[1]?.message).toMatch(/ Use portal\.azure\.us in the US Government cloud$/)
  })

  test('(a) none at authorityHost where the resource manager belongs to the same cloud', () => {
    const { services: _services, ...small } = builtIn('platform-commercial')
    const { authorityHost, resourceManagerEndpoint } = builtIn('platform-us-government')
    const warnings = warningsOfFile({ ...small, authorityHost, resourceManagerEndpoint })
    expect(warnings.map(({ field }) => field)).not.toContain('authorityHost')
    expect(warnings.length).toBeGreaterThan(6)
  })

  test('(b) US government with environment custom: coherent as it is, and no longer with a private authority', () => {
    const custom: CloudProfile = { ...builtIn('platform-us-government'), environment: 'custom' }
    expect(pathsOf(custom)).toEqual([])
    const { authorityHost, resourceManagerEndpoint } = enclave
    expect(pathsOf({ ...custom, authorityHost, resourceManagerEndpoint })).toEqual(expect.arrayContaining(suffixes))
    const path = 'serviceAudiences.keyVault'
    expect(pathsOf(withValueAt(custom, path, 'https://vault.azure.net/'))).toEqual([path])
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
    expect(findForeignValues({ profile: withValueAt(enclave, path, value) })).toEqual([
      { path, value, clouds: [expect.objectContaining({ name: cloud })] },
    ])
  })
})

describe('No false alarm', () => {
  test('in a private cloud that reuses the shared storage audience, and of a host that only ends like a known one', () => {
    expect(pathsOf(enclave)).toEqual([])
    expect(pathsOf(vault('https://myvault.azure.net.enclave.test/'))).toEqual([])
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

test.each([
  ['AUTHORITY_HOST', 'https://login.microsoftonline.com/', /_AUTHORITY_HOST.* belong to the US Government cloud/],
  ['AUTHORITY_HOST', 'https://login.enclave.example/', /^authorityHost is .* \(from PLATFORM_AUTHORITY_HOST\)/],
  ['KEYVAULT_DNS_SUFFIX', '.vault.azure.net', /_SUFFIX\)\. Use a host that ends with \.vault\.usgovcloudapi\.net/],
])('PLATFORM_%s=%s gives one warning, which names the variable', (name, value, message) => {
  const cloud = explainProfile({ env: { [`PLATFORM_${name}`]: value } })
  const found = lintProfile(resolveProvider(cloud)).filter(({ code }) => code === 'FOREIGN_VALUE')
  expect(found).toMatchObject([{ message }])
})

test('an audience of another cloud is one warning, although it also differs from the second audience', () => {
  const warningsFor = (arm: string) => warningsOfFile(withValueAt(enclave, 'serviceAudiences.arm', arm))
  expect(warningsFor('https://management.azure.com/')).toMatchObject([{ code: 'FOREIGN_VALUE' }])
  expect(warningsFor('https://management.elsewhere.test/')).toMatchObject([{ code: 'ARM_AUDIENCE_DIFFERS' }])
})
