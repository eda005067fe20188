import { describe, expect, test } from 'vitest'
import { createSettingNames } from '../../../src/lib/diagnostics/settings-in-force.ts'
import { findings } from '../../../src/lib/findings/catalog.ts'
import { overrideVariables } from '../../../src/lib/profile/field-path.ts'

const file = { source: { kind: 'file', path: '/etc/enclave.json' } } as const
const builtIn = { source: { kind: 'built-in', name: 'platform-commercial' } } as const

describe('A fix names what the reader can change', () => {
  const fix = 'Set authorityHost (PLATFORM_AUTHORITY_HOST) to https://login.test/.'

  test.each([
    [
      'the file and its field beside a custom file',
      file,
      false,
      'Set `authorityHost` in /etc/enclave.json to https://login.test/.',
    ],
    ['the variable where it applies to the file', file, true, 'Set PLATFORM_AUTHORITY_HOST to https://login.test/.'],
    ['the variable for a built-in profile', builtIn, false, 'Set PLATFORM_AUTHORITY_HOST to https://login.test/.'],
  ])('%s', (_what, cloud, overrides, named) => {
    expect(createSettingNames(cloud, overrides)(fix)).toBe(named)
  })

  test('a field without a variable stands in the file', () => {
    expect(createSettingNames(file, true)('Correct metadataEndpoint of the profile.')).toBe(
      'Correct `metadataEndpoint` in /etc/enclave.json.',
    )
  })

  test('the variable of the tenant has an effect beside a file too', () => {
    const text = 'Correct PLATFORM_TENANT_ID (or tenantId of the profile).'
    expect(createSettingNames(file, false)(text)).toBe('Correct PLATFORM_TENANT_ID.')
  })

  test('no fix of the catalog names an override variable that has no effect beside a custom file', () => {
    const name = createSettingNames(file, false)
    const fixes = Object.entries(findings).flatMap(([code, { fix: general, fixes: concrete = [] }]) =>
      [general, ...concrete.map((each) => each.fix)].map((each) => ({ code, fix: name(each) })),
    )
    const idle = Object.keys(overrideVariables).filter((variable) => variable !== 'PLATFORM_TENANT_ID')
    // These explain which variables there are; the concrete fix names the one.
    const general = new Set(['CHALLENGE_AUDIENCE_MISMATCH', 'SERVICE_DNS_FAILED'])
    const wrong = fixes.filter(
      (each) => !general.has(each.code) && idle.some((variable) => each.fix.includes(variable)),
    )
    expect(wrong).toEqual([])
  })
})
