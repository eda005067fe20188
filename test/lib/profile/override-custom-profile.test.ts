import { describe, expect, test } from 'vitest'
import { valueAt } from '../../../src/lib/base/json.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { errorOf } from '../../support/error-of.ts'
import { overrides, overrideValues } from '../../support/override-values.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const custom = directory.write('custom.json', profileDocument())

describe('Rule 7: a custom file and overrides', () => {
  const env = { ...overrideValues, CUSTOM_CLOUD_PROFILE_PATH: custom }

  test('the file is used unchanged, and the unused variables are one warning that names them', () => {
    const { profile, warnings } = explainProfile({ env })
    expect(profile).toEqual(profileDocument())
    expect(warnings).toEqual([{ code: 'OVERRIDE_UNUSED', message: expect.any(String) }])
    const named = overrides.filter(({ variable }) => warnings[0]?.message.includes(variable))
    // The credential reads the tenant too, so that variable is never unused.
    expect(named).toEqual(overrides.filter(({ variable }) => variable !== 'PLATFORM_TENANT_ID'))
  })

  test('a wrong value of an unused variable does no harm', () => {
    const wrong = { CUSTOM_CLOUD_PROFILE_PATH: custom, PLATFORM_AUTHORITY_HOST: 'not/right' }
    expect(resolveCloudProfile({ env: wrong })).toEqual(profileDocument())
  })

  test.each([
    ['the variable', { env: { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' } }],
    ['the option', { env, overrideCustomProfile: true }],
  ])('PLATFORM_OVERRIDE_CUSTOM_PROFILE=true, by %s, applies them to the file', (_by, options) => {
    const { profile, fields, warnings } = explainProfile(options)
    for (const { variable, path, value } of overrides.filter(({ variable }) => variable !== 'PLATFORM_ARM_AUDIENCE')) {
      expect(valueAt(profile, path)).toBe(value)
      expect(fields[path]?.from).toBe(variable)
    }
    expect(fields['authorityHost']?.overridden).toEqual([
      { value: 'https://login.enclave.example/', by: 'profile', from: `file ${custom}` },
    ])
    expect(warnings.map(({ code }) => code)).toEqual(['ARM_AUDIENCE_DIFFERS'])
  })

  test('the option wins over the variable', () => {
    const options = { env: { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: 'true' }, overrideCustomProfile: false }
    expect(resolveCloudProfile(options)).toEqual(profileDocument())
  })

  test.each(['yes', 'TRUE'])('%j is neither true nor false, and says so', (value) => {
    const wrong = { ...env, PLATFORM_OVERRIDE_CUSTOM_PROFILE: value }
    expect(errorOf(() => resolveCloudProfile({ env: wrong }))).toMatchObject({
      code: 'SETTING_INVALID',
      message: `PLATFORM_OVERRIDE_CUSTOM_PROFILE must be true or false, but is "${value}"`,
    })
  })

  test('overrides complete a file that lacks a field, and each error names its own origin', () => {
    const path = directory.write('incomplete.json', { ...profileDocument({ name: '' }), authorityHost: undefined })
    const applied = { ...overrideValues, PLATFORM_STORAGE_AUDIENCE: 'x' }
    const { message } = errorOf(() =>
      resolveCloudProfile({ customProfilePath: path, env: applied, overrideCustomProfile: true }),
    )
    expect(message.split('\n')).toEqual([
      `Invalid cloud profile in file ${path}:`,
      '  name: must not be empty, but is ""',
      '  serviceAudiences.storage: must be an absolute URL, but is "x" (from PLATFORM_STORAGE_AUDIENCE)',
    ])
  })

  const withGroup = (serviceDnsSuffixes: unknown) => ({ ...profileDocument(), serviceDnsSuffixes })

  test.each<[string | object, string]>([
    ['[]', 'must be an object, but is an array'],
    ['"hunter2"', 'must be an object, but is a string'],
    [withGroup('text'), 'serviceDnsSuffixes: must be an object, but is "text"'],
    [withGroup(null), 'serviceDnsSuffixes: must be an object, but is null'],
  ])('overrides do not turn another value into an object: %j', (content, problem) => {
    const path = directory.write('no-object.json', content)
    const { message } = errorOf(() =>
      resolveCloudProfile({ customProfilePath: path, env: overrideValues, overrideCustomProfile: true }),
    )
    expect(message).toBe(`Invalid cloud profile in file ${path}:\n  ${problem}`)
  })
})
