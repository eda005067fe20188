import { describe, expect, test } from 'vitest'
import { applyLocalSettings } from '../../src/emulator/app-files.ts'
import { useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()

describe('host.json', () => {
  test.each([
    [undefined, '/api/hello'],
    ['/v1/Things/', '/v1/things/hello'],
    ['', '/hello'],
  ])('with the route prefix %j, a function responds at %s alone', async (routePrefix, path) => {
    const emulator = await start({ hostJson: { version: '2.0', extensions: { http: { routePrefix } } } })
    expect((await emulator.request(path)).status).toBe(200)
    expect((await emulator.request('/other/hello')).status).toBe(404)
  })

  test.each([
    ['text that is not JSON', '{ "version": secret }', /^[^{]*host\.json is not valid JSON(?!.*secret)/],
    ['no version', {}, /^version in .*host\.json must be "2\.0"/],
    ['a prefix that is no text', { version: '2.0', extensions: { http: { routePrefix: 1 } } }, /routePrefix in /],
    ['customHandler', { version: '2.0', customHandler: {} }, /^customHandler in .* is not supported/],
    ['hsts', { version: '2.0', extensions: { http: { hsts: {} } } }, /^extensions\.http\.hsts in .* is not supported/],
  ])('with %s is refused by name', async (_, hostJson, message) => {
    await expect(start({ hostJson })).rejects.toMatchObject({ message })
  })

  test('is accepted with settings that have no effect here, and with a byte-order mark', async () => {
    const hostJson = '\uFEFF{"version":"2.0","logging":{},"telemetryMode":"OpenTelemetry","extensions":{"queues":{}}}'
    expect((await (await start({ hostJson })).request('/api/hello')).status).toBe(200)
  })
})

describe('local.settings.json', () => {
  test('Values become variables, an existing variable wins unless it is empty, and Host has the port', async () => {
    const values = { NEW: 'file', SET: 'file', EMPTY: 'file', NUMBER: 7, FLAG: true }
    const localSettings = { IsEncrypted: false, Values: values, Host: { LocalHttpPort: 7072 } }
    const env: NodeJS.ProcessEnv = { SET: 'env', EMPTY: '' }
    expect(applyLocalSettings(await writeApp({ localSettings }), env)).toBe(7072)
    expect(env).toEqual({ NEW: 'file', SET: 'env', EMPTY: 'file', NUMBER: '7', FLAG: 'true' })
    expect(applyLocalSettings(await writeApp({}), env)).toBeUndefined()
  })

  test.each([
    ['IsEncrypted true', { IsEncrypted: true, Values: { A: 'x' } }, /^IsEncrypted in .*local\.settings\.json/],
    ['IsEncrypted missing, which means true', { Values: { A: 'x' } }, /^IsEncrypted in .*local\.settings\.json/],
    ['text that is not JSON', '{"Values": {"SECRET": "hunter2"', /local\.settings\.json is not valid JSON \(line 1/],
    ['UTF-16, which PowerShell 5 writes', Buffer.from('\uFEFF{"A":"hunter2"}', 'utf16le'), /it looks like UTF-16\)/],
    ['a list', '["hunter2"]', /must contain a JSON object/],
    ['Values that are a list', { IsEncrypted: false, Values: [] }, /^Values in /],
    ['a nested value', { IsEncrypted: false, Values: { A: { B: 'hunter2' } } }, /^Values\.A in .* must be a string/],
    ['a port that is no number', { IsEncrypted: false, Host: { LocalHttpPort: '80' } }, /^Host\.LocalHttpPort in /],
  ])('%s is refused without echoing a value', async (_, localSettings, message) => {
    const directory = await writeApp({ localSettings })
    expect(() => applyLocalSettings(directory, {})).toThrow(message)
    expect(() => applyLocalSettings(directory, {})).not.toThrow('hunter2')
  })
})

describe('an app', () => {
  const timer = `app.timer('f', { schedule: '0 0 0 * * *', useMonitor: true, handler() {} })`
  const queue = `app.storageQueue('f', { queueName: 'q', connection: 'c', handler() {} })`
  const blob = `app.get('f', { handler() {}, extraInputs: [{ type: 'blob', name: 'b' }] })`
  test.each([
    ['no main', { packageJson: {} }, /^main in .*package\.json is missing/],
    ['a main that is a directory', { packageJson: { main: '.' } }, /Build the app first/],
    ['another trigger', { code: queue }, /^The trigger of function "f" is not supported/],
    ['another binding', { code: blob }, /^The binding "b" of function "f" is not supported/],
    ['a schedule monitor', { code: timer }, /^The schedule monitor of function "f" is not supported/],
  ])('with %s is refused by name', async (_, app, message) => {
    await expect(start(app)).rejects.toMatchObject({ message })
  })

  test('that throws fails the start with its own message and its own error', async () => {
    const code = `throw Object.assign(new Error('Unsupported PLATFORM_CLOUD "x"'), { code: 'OWN' })`
    const message = 'Unsupported PLATFORM_CLOUD "x"'
    const error = { code: 'APP_LOAD_FAILED', message, cause: { code: 'OWN', message } }
    await expect(start({ code })).rejects.toMatchObject(error)
  })
})
