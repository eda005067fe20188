import { expect, test } from 'vitest'

import { applyLocalSettings } from '../../src/emulator/app-files.ts'
import { useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()

test('Values become variables, and an existing variable wins unless it is empty', async () => {
  const values = { NEW: 'file', SET: 'file', EMPTY: 'file', NUMBER: 7, FLAG: true }
  const directory = await writeApp({ localSettings: { IsEncrypted: false, Values: values } })
  const env: NodeJS.ProcessEnv = { SET: 'env', EMPTY: '' }
  expect(applyLocalSettings(directory, env).applied).toEqual(['NEW', 'EMPTY', 'NUMBER', 'FLAG'])
  expect(env).toEqual({ NEW: 'file', SET: 'env', EMPTY: 'file', NUMBER: '7', FLAG: 'true' })
})

test.each([
  ['true', { IsEncrypted: true, Values: { A: 'x' } }],
  ['missing, which means true', { Values: { A: 'x' } }],
])('IsEncrypted %s is refused by name', async (_, localSettings) => {
  await expect(start({ localSettings })).rejects.toMatchObject({
    code: 'LOCAL_SETTINGS_ENCRYPTED',
    message: /^IsEncrypted in .*local\.settings\.json/,
  })
})

test.each([
  ['text that is not JSON', '{"Values": {"SECRET": "hunter2"', /local\.settings\.json is not valid JSON \(line 1/],
  [
    'UTF-16, which PowerShell 5 writes',
    Buffer.from('\uFEFF{"A":"hunter2"}', 'utf16le'),
    /is not UTF-8 \(it looks like UTF-16\)/,
  ],
  ['Values that are a list', { IsEncrypted: false, Values: [] }, /^Values in /],
  ['a nested value', { IsEncrypted: false, Values: { A: { B: 'hunter2' } } }, /^Values\.A in .* must be a string/],
  ['a port that is no number', { IsEncrypted: false, Host: { LocalHttpPort: '80' } }, /^Host\.LocalHttpPort in /],
])('%s is refused without echoing a value', async (_, localSettings, message) => {
  const error: unknown = await start({ localSettings }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'LOCAL_SETTINGS_INVALID', message })
  expect(String(error)).not.toContain('hunter2')
})

test.each([
  ['the port of the file', { IsEncrypted: false, Host: { LocalHttpPort: 7072 } }, { applied: [], httpPort: 7072 }],
  ['nothing without a file', undefined, { applied: [] }],
])('the start uses %s', async (_, localSettings, expected) => {
  expect(applyLocalSettings(await writeApp({ localSettings }), {})).toEqual(expected)
})
