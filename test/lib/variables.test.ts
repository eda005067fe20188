import { describe, expect, test } from 'vitest'
import { findSuspectSecrets, findUnknownVariables, settingRows } from '../../src/lib/variables.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const temp = useTemporaryDirectory()
const messageOf = (name: string) => findUnknownVariables({ [name]: 'hunter2' })[0]?.message

describe("A variable that starts with PLATFORM_ and isn't a setting", () => {
  test.each([
    ['PLATFORM_KEYVAULT', 'PLATFORM_KEY_VAULT'],
    ['platform_cloud', 'PLATFORM_CLOUD'],
    ['Platform_TenantId', 'PLATFORM_TENANT_ID'],
    ['PLATFORM_QWERTYUIOPASDFGHJKLZXCVBNM', ''],
  ])('%s is a warning with the nearest name, %s', (name, nearest) => {
    const guess = nearest === '' ? '' : `; did you mean ${nearest}?`
    expect(messageOf(name)).toBe(`"${name}" is set, but is not a setting${guess}`)
  })

  test('its value is never shown, and its name is cut and made printable', () => {
    const warnings = findUnknownVariables({ [`PLATFORM_\n\u001B${'x'.repeat(5000)}`]: 'hunter2' })
    expect(JSON.stringify(warnings)).not.toContain('hunter2')
    expect(warnings[0]?.message).not.toMatch(/\p{Cc}/u)
    expect(warnings[0]?.message.length).toBeLessThan(200)
  })

  test('no setting is one, nor is a blank variable or one of others', () => {
    const env = Object.fromEntries(settingRows.map(({ name }) => [name, 'x']))
    const others = { PLATFORM_X: ' ', PLATFORMX_Y: 'z', platform_qwertyuiopasdfghjkl: 'z', PATH: '/bin' }
    expect(findUnknownVariables({ ...env, ...others })).toEqual([])
  })
})

describe('A secret', () => {
  test.each([
    ['"hunter2"', /quotation mark/],
    [' hunter2', /blank/],
    ['hunter2\n', /blank/],
    ['${hunter2}', /reference of a shell/],
    ['{{ hunter2 }}', /reference of a template/],
  ])('%j is a warning that says its shape and not its value', (value, shape) => {
    const [warning, ...more] = findSuspectSecrets({ PLATFORM_CLIENT_SECRET: value })
    expect(warning).toMatchObject({ code: 'SECRET_SUSPECT', message: shape })
    expect(warning?.message).toMatch(/^PLATFORM_CLIENT_SECRET /)
    expect(JSON.stringify([warning, more])).not.toContain('hunter2')
  })

  test.each([
    ['hunter2\r\n', /^none$/],
    // As Notepad and PowerShell write it.
    ['\uFEFFhunter2\n', /^none$/],
    ['\uFEFF hunter2', /begins or ends with a blank/],
    ['"hunter2"\n', /file of PLATFORM_PASSWORD_PATH/],
  ])('in a file is checked without its byte order mark and the line break at its end: %j', (text, message) => {
    const [warning] = findSuspectSecrets({ PLATFORM_PASSWORD_PATH: temp.write('secret', text) })
    expect(warning?.message ?? 'none').toMatch(message)
  })

  test.each(['hunter2', 'a"b', '"a', 'a b'])('%j is not suspect', (value) => {
    expect(findSuspectSecrets({ PLATFORM_CLIENT_SECRET: value })).toEqual([])
  })
})
