import { describe, expect, test, vi } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const custom = directory.write('custom.json', profileDocument())
const other = directory.write('other.json', profileDocument({ name: 'other' }))
const blanks = ['', ' ', '\t\n']

/** Each override variable with its field, and a value other than every built-in's. */
const overrides = [
  ['PLATFORM_AUTHORITY_HOST', 'authorityHost', 'https://login.override.example/'],
  ['PLATFORM_RESOURCE_MANAGER_ENDPOINT', 'resourceManagerEndpoint', 'https://arm.override.example/'],
  ['PLATFORM_RESOURCE_MANAGER_AUDIENCE', 'resourceManagerAudience', 'https://audience.override.example/'],
  ['PLATFORM_ARM_AUDIENCE', 'resourceManagerAudience', 'https://alias.override.example/'],
  ['PLATFORM_TENANT_ID', 'tenantId', 'override.example'],
  ['PLATFORM_STORAGE_DNS_SUFFIX', 'serviceDnsSuffixes.storage', '.blob.override.example'],
  ['PLATFORM_KEYVAULT_DNS_SUFFIX', 'serviceDnsSuffixes.keyVault', '.vault.override.example'],
  ['PLATFORM_SQL_DNS_SUFFIX', 'serviceDnsSuffixes.sqlServer', '.sql.override.example'],
  ['PLATFORM_ACR_DNS_SUFFIX', 'serviceDnsSuffixes.containerRegistry', '.acr.override.example'],
  ['PLATFORM_STORAGE_AUDIENCE', 'serviceAudiences.storage', 'https://storage.override.example/'],
  ['PLATFORM_KEYVAULT_AUDIENCE', 'serviceAudiences.keyVault', 'https://vault.override.example/'],
] as const
const overrideValues: Readonly<Record<string, string>> = Object.fromEntries(
  overrides.map(([name, , value]) => [name, value]),
)

describe('Rules 1 and 6: a custom path', () => {
  test('the option customProfilePath wins over CUSTOM_CLOUD_PROFILE_PATH', () => {
    const env = { CUSTOM_CLOUD_PROFILE_PATH: other }
    expect(resolveCloudProfile({ customProfilePath: custom, env })).toEqual(profileDocument())
    const fields = { name: { value: 'other', by: 'profile', from: `file ${other}` } }
    expect(explainProfile({ env })).toMatchObject({ source: { kind: 'file', path: other }, fields })
  })

  test('the name selection is then ignored, even a wrong one', () => {
    const options = { customProfilePath: custom, name: 'no-such-cloud', env: { PLATFORM_CLOUD: 'nor-this' } }
    expect(resolveCloudProfile(options as never).name).toBe('my-enclave')
  })

  test.each(blanks)('a blank path (%j) counts as unset, as option and as variable', (customProfilePath) => {
    const nameOf = (path: string) =>
      resolveCloudProfile({ customProfilePath, env: { CUSTOM_CLOUD_PROFILE_PATH: path } }).name
    expect([customProfilePath, custom].map(nameOf)).toEqual(['platform-us-government', 'my-enclave'])
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
])('Rule 3: %j fails with the text of the specification, the nearest name (%s) and the five', (name, meant) => {
  for (const options of [{ name, env: {} }, { env: { PLATFORM_CLOUD: name } }]) {
    const { code, message } = errorOf(() => resolveCloudProfile(options as never))
    expect([code, message]).toEqual(['UNSUPPORTED_CLOUD', expect.stringContaining(`"${name.slice(0, 50)}`)])
    expect(/Did you mean (\S+)\? Use one of /.exec(message)?.[1]).toBe(meant)
    for (const known of builtInProfileNames) expect(message).toContain(known)
    expect(message).toContain('name' in options ? 'customProfilePath' : 'CUSTOM_CLOUD_PROFILE_PATH')
  }
})

describe('Rule 4: environment overrides', () => {
  test('there is a variable for each of the ten fields of the specification, and an alias', () => {
    expect(Object.entries(overrideVariables)).toEqual(overrides.map(([variable, path]) => [variable, path]))
  })

  describe.each(overrides)('%s', (variable, path, value) => {
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
      const message = new RegExp(`^  ${path}: must .*, but is "not/right" \\(from ${variable}\\)$`, 'm')
      const error = errorOf(() => resolveCloudProfile({ env: { [variable]: 'not/right' } }))
      expect(error).toMatchObject({ code: 'PROFILE_INVALID', message })
    })
  })

  test('the primary name wins over its alias, whatever their order', () => {
    const { PLATFORM_ARM_AUDIENCE, PLATFORM_RESOURCE_MANAGER_AUDIENCE } = overrideValues
    const { fields } = explainProfile({ env: { PLATFORM_ARM_AUDIENCE, PLATFORM_RESOURCE_MANAGER_AUDIENCE } })
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
  const { PLATFORM_AUTHORITY_HOST, PLATFORM_RESOURCE_MANAGER_ENDPOINT } = overrideValues
  const endpoints = { PLATFORM_AUTHORITY_HOST, PLATFORM_RESOURCE_MANAGER_ENDPOINT }
  const from = 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'
  const clouds = ['platform-us-gov-secret', 'platform-us-gov-topsecret']

  test.each(clouds)('the audiences of the resource manager of %s follow its endpoint', (name) => {
    const { profile, fields, warnings } = explainProfile({ name, env: endpoints })
    const value = PLATFORM_RESOURCE_MANAGER_ENDPOINT
    const overridden = [{ value: expect.any(String), by: 'profile', from: `built-in ${name}` }]
    const origin = { value, by: 'derived', from, overridden }
    expect(profile).toMatchObject({ resourceManagerAudience: value, serviceAudiences: { arm: value } })
    expect(fields).toMatchObject({ resourceManagerAudience: origin, 'serviceAudiences.arm': origin })
    expect(warnings.map(({ code }) => code)).toEqual(['PLACEHOLDER_FIELD'])
    expect(warnings[0]?.message).not.toMatch(/authorityHost|resourceManager|serviceAudiences\.arm/)
  })

  test('a stack generates its audience, so the placeholder stays until it is given or discovered', () => {
    for (const given of [undefined, 'https://audience.override.example/']) {
      const env = { ...endpoints, PLATFORM_RESOURCE_MANAGER_AUDIENCE: given }
      const audience = given ?? 'https://management.stack.placeholder.invalid/'
      const expected = { resourceManagerAudience: audience, serviceAudiences: { arm: audience } }
      expect(resolveCloudProfile({ name: 'platformstack-custom', env })).toMatchObject(expected)
    }
  })

  test.each(clouds)('login authority, resource manager and DNS suffixes are all that %s needs', (name) => {
    const suffixes = Object.entries(overrideValues).filter(([variable]) => variable.endsWith('_DNS_SUFFIX'))
    const env = { ...endpoints, ...Object.fromEntries(suffixes), PLATFORM_KEYVAULT_DNS_SUFFIX: '.vault.enclave.test' }
    const { fields, warnings } = explainProfile({ name, env })
    expect(warnings).toEqual([])
    const [storage, keyVault] = ['https://storage.azure.com/', 'https://vault.enclave.test/']
    expect(fields).toMatchObject({
      'serviceAudiences.storage': { value: storage, by: 'derived', from: 'PLATFORM_STORAGE_DNS_SUFFIX' },
      'serviceAudiences.keyVault': { value: keyVault, by: 'derived', from: 'PLATFORM_KEYVAULT_DNS_SUFFIX' },
    })
  })

  test('a wrong endpoint is one problem, not three', () => {
    const env = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://arm.override.example' }
    const { message } = errorOf(() => resolveCloudProfile({ name: 'platformstack-custom', env }))
    const problem = `must end with "/", but is "https://arm.override.example" (from ${from})`
    expect(message).toBe(
      `Invalid cloud profile in built-in platformstack-custom:\n  resourceManagerEndpoint: ${problem}`,
    )
  })
})

test('Rule 5: with nothing configured, every field is of the built-in platform-us-government', () => {
  const { source, fields, warnings } = explainProfile({ env: {} })
  expect([source, warnings]).toEqual([{ kind: 'built-in', name: 'platform-us-government' }, []])
  for (const { from } of Object.values(fields)) expect(from).toBe('built-in platform-us-government')
})

test('without the option env, the process environment is read', () => {
  vi.stubEnv('PLATFORM_CLOUD', 'platform-commercial')
  expect(resolveCloudProfile().name).toBe('platform-commercial')
  vi.unstubAllEnvs()
})

test('no result shares anything with the next', () => {
  const first = resolveCloudProfile({ name: 'platform-commercial', env: overrideValues })
  Object.assign(first.serviceDnsSuffixes, { storage: '.evil.example' })
  Object.assign(first.serviceAudiences, { arm: 'https://evil.example/' })
  expect(JSON.stringify(resolveCloudProfile({ name: 'platform-commercial', env: {} }))).not.toMatch(/evil|override/)
})

describe('A built-in of a known cloud whose resource manager is replaced', () => {
  const { PLATFORM_RESOURCE_MANAGER_ENDPOINT: own } = overrideValues
  const from = 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'

  const known = ['platform-commercial', 'platform-us-government'] as const
  test.each(known)('%s keeps neither its metadata endpoint nor its portal, and explain says why', (name) => {
    const plain = resolveCloudProfile({ name, env: {} })
    const { profile, fields } = explainProfile({ name, env: { [from]: own } })
    expect(profile).not.toHaveProperty('portalUrl')
    const [overridden, value] = [[{ value: plain.metadataEndpoint }], `${own}metadata/endpoints`]
    expect(fields).toMatchObject({
      metadataEndpoint: { value, by: 'derived', from, overridden },
      portalUrl: { value: '', by: 'dropped', from, overridden: [{ value: plain.portalUrl }] },
    })
  })

  test('another endpoint of the same cloud changes nothing else', () => {
    const resourceManagerEndpoint = 'https://usgovvirginia.management.usgovcloudapi.net/'
    const profile = resolveCloudProfile({ env: { [from]: resourceManagerEndpoint } })
    expect(profile).toEqual({ ...resolveCloudProfile({ env: {} }), resourceManagerEndpoint })
  })

  test('a private portal and a private metadata endpoint of a file stay', () => {
    const options = { customProfilePath: custom, env: { [from]: own }, overrideCustomProfile: true }
    expect(resolveCloudProfile(options)).toEqual(profileDocument({ resourceManagerEndpoint: own }))
  })
})

describe('Rule 7: a custom file and overrides', () => {
  const env = { ...overrideValues, CUSTOM_CLOUD_PROFILE_PATH: custom }

  test('the file is used unchanged, and the unused variables are one warning that names them', () => {
    const { profile, warnings } = explainProfile({ env })
    expect(profile).toEqual(profileDocument())
    // Not even a wrong value matters.
    expect(resolveCloudProfile({ env: { ...env, PLATFORM_AUTHORITY_HOST: 'not/right' } })).toEqual(profile)
    // The credential reads the tenant too, so that variable is never unused.
    const unused = Object.keys(overrideValues).filter((variable) => variable !== 'PLATFORM_TENANT_ID')
    const message = `The custom file is used unchanged, so ${unused.join(', ')} had no effect`
    expect(warnings).toEqual([{ code: 'OVERRIDE_UNUSED', message }])
  })

  test.each([
    ['the variable', { env: { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' } }],
    ['the option', { env, overrideCustomProfile: true }],
  ])('PLATFORM_OVERRIDE_CUSTOM_PROFILE=true, by %s, applies them to the file', (_by, options) => {
    const { profile, fields, warnings } = explainProfile(options)
    for (const [variable, path, value] of overrides.filter(([name]) => name !== 'PLATFORM_ARM_AUDIENCE'))
      expect([valueAt(profile, path), fields[path]?.from]).toEqual([value, variable])
    const overridden = { value: 'https://login.enclave.example/', by: 'profile', from: `file ${custom}` }
    expect(fields['authorityHost']?.overridden).toEqual([overridden])
    expect(warnings.map(({ code }) => code)).toEqual(['ARM_AUDIENCE_DIFFERS'])
  })

  test('the option wins over the variable', () => {
    const overridden = { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }
    expect(resolveCloudProfile({ env: overridden, overrideCustomProfile: false })).toEqual(profileDocument())
  })

  test('any text but true and false is refused', () => {
    const wrong = { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'TRUE' }
    const message = 'PLATFORM_OVERRIDE_CUSTOM_PROFILE must be true or false, but is "TRUE"'
    expect(errorOf(() => resolveCloudProfile({ env: wrong }))).toMatchObject({ code: 'SETTING_INVALID', message })
  })

  test('overrides complete a file that lacks a field, and each error names its own origin', () => {
    const path = directory.write('incomplete.json', { ...profileDocument({ name: '' }), authorityHost: undefined })
    const options = { customProfilePath: path, overrideCustomProfile: true }
    const wrong = { ...overrideValues, PLATFORM_STORAGE_AUDIENCE: 'x' }
    const { message } = errorOf(() => resolveCloudProfile({ ...options, env: wrong }))
    expect(message.split('\n')).toEqual([
      `Invalid cloud profile in file ${path}:`,
      '  name: must not be empty, but is ""',
      '  serviceAudiences.storage: must be an absolute URL, but is "x" (from PLATFORM_STORAGE_AUDIENCE)',
    ])
  })

  test.each<[string | object, string]>([
    ['[]', 'must be an object, but is an array'],
    [{ ...profileDocument(), serviceDnsSuffixes: null }, 'serviceDnsSuffixes: must be an object, but is null'],
  ])('overrides do not turn another value into an object: %j', (content, problem) => {
    const path = directory.write('no-object.json', content)
    const options = { customProfilePath: path, env: overrideValues, overrideCustomProfile: true }
    const { message } = errorOf(() => resolveCloudProfile(options))
    expect(message).toBe(`Invalid cloud profile in file ${path}:\n  ${problem}`)
  })
})
