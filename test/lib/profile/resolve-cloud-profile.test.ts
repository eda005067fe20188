import type { CloudName } from '../../../src/lib/index.ts'
import { describe, expect, test, vi } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { errorOf } from '../../support/error-of.ts'
import { overrides, overrideValues } from '../../support/override-values.ts'
import { deepFreeze, profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const custom = directory.write('custom.json', profileDocument())
const other = directory.write('other.json', profileDocument({ name: 'other' }))
const blanks = ['', ' ', '\t\n']

describe('Rules 1 and 6: a custom path', () => {
  test('the option customProfilePath wins over CUSTOM_CLOUD_PROFILE_PATH', () => {
    const env = { CUSTOM_CLOUD_PROFILE_PATH: other }
    expect(resolveCloudProfile({ customProfilePath: custom, env })).toEqual(profileDocument())
    const { profile, source, fields } = explainProfile({ env })
    expect([profile.name, source]).toEqual(['other', { kind: 'file', path: other }])
    expect(fields['name']).toEqual({ value: 'other', by: 'profile', from: `file ${other}` })
  })

  test('the name selection is then ignored, even a wrong one', () => {
    const options = { customProfilePath: custom, name: 'no-such-cloud', env: { PLATFORM_CLOUD: 'nor-this' } }
    expect(resolveCloudProfile(options as never).name).toBe('my-enclave')
  })

  test.each(blanks)('a blank path (%j) counts as unset, as option and as variable', (blank) => {
    const env = { CUSTOM_CLOUD_PROFILE_PATH: blank }
    expect(resolveCloudProfile({ customProfilePath: blank, env }).name).toBe('platform-us-government')
    expect(resolveCloudProfile({ customProfilePath: blank, env: { CUSTOM_CLOUD_PROFILE_PATH: custom } }).name).toBe(
      'my-enclave',
    )
  })
})

test('Rule 2: the option name wins over PLATFORM_CLOUD, which wins over the default', () => {
  const env = { PLATFORM_CLOUD: 'platform-commercial' }
  expect(resolveCloudProfile({ name: 'platform-us-gov-secret', env }).name).toBe('platform-us-gov-secret')
  expect(resolveCloudProfile({ env }).name).toBe('platform-commercial')
  expect(resolveCloudProfile({ env: {} }).name).toBe('platform-us-government')
})

test.each([
  ['Platform-Commercial', 'platform-commercial'],
  ['platform-us-goverment', 'platform-us-government'],
  [' platform-us-government ', 'platform-us-government'],
  ['platform-stack-custom', 'platformstack-custom'],
  ['azure', undefined],
  ['x'.repeat(100_000), undefined],
  ['__proto__', undefined],
])(
  'Rule 3: an unsupported cloud: %j fails with the text of the specification, the nearest name (%s) and the five',
  (name, meant) => {
    for (const options of [{ name, env: {} }, { env: { PLATFORM_CLOUD: name } }]) {
      const { code, message } = errorOf(() => resolveCloudProfile(options as never))
      expect(code).toBe('UNSUPPORTED_CLOUD')
      const start = `Unsupported PLATFORM_CLOUD "${name.slice(0, 50)}`
      expect(message.startsWith(start)).toBe(true)
      expect(/Did you mean (\S+)\? Use one of /.exec(message)?.[1]).toBe(meant)
      for (const known of builtInProfileNames) expect(message).toContain(known)
      expect(message).toContain('name' in options ? 'customProfilePath' : 'CUSTOM_CLOUD_PROFILE_PATH')
    }
  },
)

describe('Rule 4: environment overrides', () => {
  test('there is a variable for each of the ten fields of the specification, and an alias', () => {
    expect(overrideVariables).toEqual({
      PLATFORM_AUTHORITY_HOST: 'authorityHost',
      PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'resourceManagerEndpoint',
      PLATFORM_RESOURCE_MANAGER_AUDIENCE: 'resourceManagerAudience',
      PLATFORM_ARM_AUDIENCE: 'resourceManagerAudience',
      PLATFORM_STORAGE_DNS_SUFFIX: 'serviceDnsSuffixes.storage',
      PLATFORM_KEYVAULT_DNS_SUFFIX: 'serviceDnsSuffixes.keyVault',
      PLATFORM_SQL_DNS_SUFFIX: 'serviceDnsSuffixes.sqlServer',
      PLATFORM_ACR_DNS_SUFFIX: 'serviceDnsSuffixes.containerRegistry',
      PLATFORM_STORAGE_AUDIENCE: 'serviceAudiences.storage',
      PLATFORM_KEYVAULT_AUDIENCE: 'serviceAudiences.keyVault',
      PLATFORM_TENANT_ID: 'tenantId',
    })
  })

  describe.each(overrides)('$variable', ({ variable, path, value }) => {
    test.each(builtInProfileNames)(`replaces ${path} of %s and nothing else that has a value`, (name) => {
      const plain = explainProfile({ name, env: {} })
      const { profile, fields } = explainProfile({ name, env: { [variable]: value } })
      expect(valueAt(profile, path)).toBe(value)
      expect(fields[path]).toMatchObject({ value, from: variable })
      const derived = Object.entries(fields).filter(([, { by }]) => by === 'derived' || by === 'dropped')
      const audiences = derived.filter(([open]) => open !== 'metadataEndpoint' && open !== 'portalUrl')
      for (const [open] of audiences) expect(valueAt(plain.profile, open)).toMatch(/\.placeholder\.invalid\/$/)
      const others = { [path]: undefined, ...Object.fromEntries(derived.map(([open]) => [open, undefined])) }
      expect({ ...fields, ...others }).toEqual({ ...plain.fields, ...others })
    })

    test.each(blanks)('blank (%j), it counts as unset', (blank) => {
      expect(explainProfile({ env: { [variable]: blank } })).toEqual(explainProfile({ env: {} }))
    })

    test('a wrong value is an error that names the variable and the field', () => {
      const { code, message } = errorOf(() => resolveCloudProfile({ env: { [variable]: 'not/right' } }))
      expect(code).toBe('PROFILE_INVALID')
      expect(message).toMatch(new RegExp(`^  ${path}: must .*, but is "not/right" \\(from ${variable}\\)$`, 'm'))
    })
  })

  test('the primary name wins over its alias, whatever their order', () => {
    const { PLATFORM_ARM_AUDIENCE, PLATFORM_RESOURCE_MANAGER_AUDIENCE } = overrideValues
    const { profile, fields } = explainProfile({
      env: { PLATFORM_ARM_AUDIENCE, PLATFORM_RESOURCE_MANAGER_AUDIENCE },
    })
    expect(profile.resourceManagerAudience).toBe(PLATFORM_RESOURCE_MANAGER_AUDIENCE)
    expect(fields['resourceManagerAudience']).toEqual({
      value: PLATFORM_RESOURCE_MANAGER_AUDIENCE,
      by: 'variable',
      from: 'PLATFORM_RESOURCE_MANAGER_AUDIENCE',
      overridden: [
        { value: PLATFORM_ARM_AUDIENCE, by: 'variable', from: 'PLATFORM_ARM_AUDIENCE' },
        { value: 'https://management.usgovcloudapi.net/', by: 'profile', from: 'built-in platform-us-government' },
      ],
    })
  })
})

describe('A built-in whose endpoints are placeholders', () => {
  const names = builtInProfileNames.filter((name) =>
    resolveCloudProfile({ name: name as CloudName, env: {} }).authorityHost.includes('.invalid'),
  )
  const { PLATFORM_AUTHORITY_HOST, PLATFORM_RESOURCE_MANAGER_ENDPOINT, PLATFORM_RESOURCE_MANAGER_AUDIENCE } =
    overrideValues
  const endpoints = { PLATFORM_AUTHORITY_HOST, PLATFORM_RESOURCE_MANAGER_ENDPOINT }

  const clouds = names.filter((name) => name !== 'platformstack-custom')

  test.each(clouds)('the audiences of the resource manager of %s follow its endpoint', (name) => {
    const { profile, fields, warnings } = explainProfile({ name, env: endpoints })
    const value = PLATFORM_RESOURCE_MANAGER_ENDPOINT
    const origin = { by: 'derived', from: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT' }
    expect(profile).toMatchObject({ resourceManagerAudience: value, serviceAudiences: { arm: value } })
    for (const path of ['resourceManagerAudience', 'serviceAudiences.arm'] as const) {
      expect(fields[path]).toEqual({
        value,
        ...origin,
        overridden: [{ value: expect.any(String), by: 'profile', from: `built-in ${name}` }],
      })
    }
    expect(warnings.map(({ code }) => code)).toEqual(['PLACEHOLDER_FIELD'])
    expect(warnings[0]?.message).not.toMatch(/authorityHost|resourceManager|serviceAudiences\.arm/)
  })

  test('a stack generates its audience, so the placeholder stays until it is given or discovered', () => {
    const name = 'platformstack-custom'
    const placeholder = 'https://management.stack.placeholder.invalid/'
    expect(resolveCloudProfile({ name, env: endpoints })).toMatchObject({
      resourceManagerAudience: placeholder,
      serviceAudiences: { arm: placeholder },
    })
    expect(resolveCloudProfile({ name, env: { ...endpoints, PLATFORM_RESOURCE_MANAGER_AUDIENCE } })).toMatchObject({
      resourceManagerAudience: PLATFORM_RESOURCE_MANAGER_AUDIENCE,
      serviceAudiences: { arm: PLATFORM_RESOURCE_MANAGER_AUDIENCE },
    })
  })

  test.each(clouds)('login authority, resource manager and DNS suffixes are all that %s needs', (name) => {
    const suffixes = Object.entries(overrideValues).filter(([variable]) => variable.endsWith('_DNS_SUFFIX'))
    const env = { ...endpoints, ...Object.fromEntries(suffixes), PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.enclave.test' }
    const { profile, fields, warnings } = explainProfile({ name, env })
    expect(warnings).toEqual([])
    expect(profile.serviceAudiences).toMatchObject({
      storage: 'https://storage.azure.com/',
      keyVault: 'https://vault.enclave.test/',
    })
    expect(fields['serviceAudiences.storage']).toMatchObject({ by: 'derived', from: 'PLATFORM_STORAGE_DNS_SUFFIX' })
    expect(fields['serviceAudiences.keyVault']).toMatchObject({ by: 'derived', from: 'PLATFORM_KEYVAULT_DNS_SUFFIX' })
  })

  test('a wrong endpoint is one problem, not three', () => {
    const env = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://arm.override.example' }
    const { message } = errorOf(() => resolveCloudProfile({ name: 'platformstack-custom', env }))
    expect(message.split('\n')).toEqual([
      'Invalid cloud profile in built-in platformstack-custom:',
      '  resourceManagerEndpoint: must end with "/", but is "https://arm.override.example" (from PLATFORM_RESOURCE_MANAGER_ENDPOINT)',
    ])
  })
})

describe('Rule 5: nothing configured', () => {
  test('the result is platform-us-government, every field from the built-in', () => {
    const { profile, source, fields, warnings } = explainProfile({ env: {} })
    expect(profile).toMatchObject({ name: 'platform-us-government', environment: 'usgovernment' })
    expect(source).toEqual({ kind: 'built-in', name: 'platform-us-government' })
    expect(new Set(Object.values(fields).map(({ from }) => from))).toEqual(new Set(['built-in platform-us-government']))
    expect(warnings).toEqual([])
  })

  test('without the option env, the process environment is read', () => {
    vi.stubEnv('PLATFORM_CLOUD', 'platform-commercial')
    expect(resolveCloudProfile().name).toBe('platform-commercial')
    vi.unstubAllEnvs()
  })
})

test('nothing that is passed in is changed, and no result shares anything with the next', () => {
  const options = deepFreeze({ env: { ...overrideValues }, name: 'platform-commercial' })
  const first = resolveCloudProfile(options as never)
  Object.assign(first.serviceDnsSuffixes, { storage: '.evil.example' })
  Object.assign(first.serviceAudiences, { arm: 'https://evil.example/' })
  const second = resolveCloudProfile({ name: 'platform-commercial', env: {} })
  expect(JSON.stringify(second)).not.toMatch(/evil|override/)
})

describe('A built-in of a known cloud whose resource manager is replaced', () => {
  const { PLATFORM_RESOURCE_MANAGER_ENDPOINT: own } = overrideValues

  test.each(['platform-commercial', 'platform-us-government'])(
    '%s keeps neither its metadata endpoint nor its portal, and explain says why',
    (name) => {
      const plain = resolveCloudProfile({ name: name as CloudName, env: {} })
      const { profile, fields } = explainProfile({ name, env: { PLATFORM_RESOURCE_MANAGER_ENDPOINT: own } })
      expect(profile.metadataEndpoint).toBe(`${own}metadata/endpoints`)
      expect(profile).not.toHaveProperty('portalUrl')
      expect(fields).toMatchObject({
        metadataEndpoint: {
          by: 'derived',
          from: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT',
          overridden: [{ value: plain.metadataEndpoint }],
        },
        portalUrl: {
          value: '',
          by: 'dropped',
          from: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT',
          overridden: [{ value: plain.portalUrl }],
        },
      })
    },
  )

  test('another endpoint of the same cloud changes nothing else', () => {
    const name = 'platform-us-government'
    const plain = resolveCloudProfile({ name: name as CloudName, env: {} })
    const resourceManagerEndpoint = 'https://usgovvirginia.management.usgovcloudapi.net/'
    const env = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: resourceManagerEndpoint }
    expect(resolveCloudProfile({ name, env })).toEqual({ ...plain, resourceManagerEndpoint })
  })

  test('a private portal and a private metadata endpoint of a file stay', () => {
    const document = profileDocument()
    const path = directory.write('private.json', document)
    const env = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: own }
    const profile = resolveCloudProfile({ customProfilePath: path, env, overrideCustomProfile: true })
    expect(profile).toMatchObject({ portalUrl: document['portalUrl'], metadataEndpoint: document['metadataEndpoint'] })
  })
})
