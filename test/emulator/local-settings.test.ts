import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

test('a missing file is no error', async () => {
  expect(applyLocalSettings(await writeApp({}), {})).toEqual({ applied: [] })
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
  ['Values that are a list', { IsEncrypted: false, Values: [] }, /^Values in /],
  ['a nested value', { IsEncrypted: false, Values: { A: { B: 'hunter2' } } }, /^Values\.A in .* must be a string/],
  ['a port that is no number', { IsEncrypted: false, Host: { LocalHttpPort: '80' } }, /^Host\.LocalHttpPort in /],
])('%s is refused without echoing a value', async (_, localSettings, message) => {
  const error: unknown = await start({ localSettings }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'LOCAL_SETTINGS_INVALID', message })
  expect(String(error)).not.toContain('hunter2')
})

test('UTF-16, in which PowerShell 5 writes, is refused by name', async () => {
  const directory = await writeApp({})
  const path = join(directory, 'local.settings.json')
  for (const mark of ['\uFEFF', '']) {
    writeFileSync(path, Buffer.from(`${mark}{"IsEncrypted":false,"Values":{"SECRET":"hunter2"}}`, 'utf16le'))
    expect(() => applyLocalSettings(directory, {})).toThrow(`${path} is not UTF-8 (it looks like UTF-16)`)
  }
})

test('Host.LocalHttpPort is the port when no other is given', async () => {
  const settings = { IsEncrypted: false, Host: { LocalHttpPort: 7072 } }
  expect(applyLocalSettings(await writeApp({ localSettings: settings }), {})).toEqual({ applied: [], httpPort: 7072 })
})
