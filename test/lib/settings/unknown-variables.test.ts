import { describe, expect, test } from 'vitest'
import { settingRows } from '../../../src/lib/settings/setting-table.ts'
import { findUnknownVariables } from '../../../src/lib/settings/unknown-variables.ts'

const messageOf = (name: string) => findUnknownVariables({ [name]: 'hunter2' })[0]?.message

describe('A variable that starts with PLATFORM_ and is no setting', () => {
  test.each([
    ['PLATFORM_AUTHORITYHOST', 'PLATFORM_AUTHORITY_HOST'],
    ['PLATFORM_CLIENTID', 'PLATFORM_CLIENT_ID'],
    ['PLATFORM_TENANT', 'PLATFORM_TENANT_ID'],
    ['PLATFORM_TOKEN_TIMEOUT', 'PLATFORM_TOKEN_TIMEOUT_MS'],
    ['PLATFORM_KEYVAULT', 'PLATFORM_KEY_VAULT'],
    ['platform_cloud', 'PLATFORM_CLOUD'],
    ['Platform_TenantId', 'PLATFORM_TENANT_ID'],
  ])('%s is a warning with the nearest name, %s', (name, nearest) => {
    expect(messageOf(name)).toBe(`"${name}" is set, but is not a setting; did you mean ${nearest}?`)
  })

  test('one that is near none gets no guess', () => {
    expect(messageOf('PLATFORM_QWERTYUIOPASDFGHJKLZXCVBNM')).toBe(
      '"PLATFORM_QWERTYUIOPASDFGHJKLZXCVBNM" is set, but is not a setting',
    )
  })

  test('its value is never shown, and its name is cut and made printable', () => {
    const warnings = findUnknownVariables({ [`PLATFORM_\n\u001B${'x'.repeat(5000)}`]: 'hunter2' })
    expect(JSON.stringify(warnings)).not.toContain('hunter2')
    expect(warnings[0]?.message).not.toMatch(/\p{Cc}/u)
    expect(warnings[0]?.message.length).toBeLessThan(200)
  })

  test('no setting is one, nor is a blank variable or one of others', () => {
    const env = Object.fromEntries(settingRows.map(({ name }) => [name, 'x']))
    expect(
      findUnknownVariables({
        ...env,
        PLATFORM_X: ' ',
        PLATFORMX_Y: 'z',
        platform_qwertyuiopasdfghjkl: 'z',
        PATH: '/bin',
      }),
    ).toEqual([])
  })
})
