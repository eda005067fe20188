import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyLocalSettings } from '../../src/emulator/app-files.ts'
import { hello, useEmulators } from '../support/use-emulators.ts'

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

  test('that is missing is refused by name, with what to write', async () => {
    const appDirectory = await writeApp({})
    rmSync(join(appDirectory, 'host.json'))
    const message = /host\.json does not exist.*"version": "2\.0"/
    await expect(start({ appDirectory })).rejects.toMatchObject({ code: 'HOST_JSON_MISSING', message })
  })

  test.each([
    ['text that is not JSON', '{ "version": secret }', /^[^{]*host\.json is not valid JSON(?!.*secret)/],
    ['no version', {}, /^version in .*host\.json must be "2\.0"/],
    ['extensions that are no object', { version: '2.0', extensions: 1 }, /^extensions in .* must be an object/],
    ['a prefix with a parameter', { version: '2.0', extensions: { http: { routePrefix: '{x}' } } }, /routePrefix in /],
    ['customHandler', { version: '2.0', customHandler: {} }, /customHandler in /],
    ['hsts', { version: '2.0', extensions: { http: { hsts: { isEnabled: true } } } }, /extensions\.http\.hsts in /],
  ])('with %s is refused by name', async (_, hostJson, message) => {
    const code = /^(HOST_JSON_INVALID|FEATURE_UNSUPPORTED)$/
    await expect(start({ hostJson })).rejects.toMatchObject({ code, message })
  })

  test('is accepted with settings that change nothing here, and with a byte-order mark', async () => {
    const hostJson = '\uFEFF{"version":"2.0","extensions":{"http":{"hsts":{"isEnabled":false}},"queues":{}}}'
    expect((await (await start({ hostJson })).request('/api/hello')).status).toBe(200)
  })
})

describe('local.settings.json', () => {
  test('Values become variables, and an existing variable wins unless it is empty', async () => {
    const values = { NEW: 'file', SET: 'file', EMPTY: 'file', NUMBER: 7, FLAG: true }
    const directory = await writeApp({ localSettings: { IsEncrypted: false, Values: values } })
    const env: NodeJS.ProcessEnv = { SET: 'env', EMPTY: '' }
    expect(applyLocalSettings(directory, env).applied).toEqual(['NEW', 'EMPTY', 'NUMBER', 'FLAG'])
    expect(env).toEqual({ NEW: 'file', SET: 'env', EMPTY: 'file', NUMBER: '7', FLAG: 'true' })
  })

  test.each([
    ['IsEncrypted true', { IsEncrypted: true, Values: { A: 'x' } }, /^IsEncrypted in .*local\.settings\.json/],
    ['IsEncrypted missing, which means true', { Values: { A: 'x' } }, /^IsEncrypted in .*local\.settings\.json/],
    ['text that is not JSON', '{"Values": {"SECRET": "hunter2"', /local\.settings\.json is not valid JSON \(line 1/],
    ['UTF-16, which PowerShell 5 writes', Buffer.from('\uFEFF{"A":"hunter2"}', 'utf16le'), /it looks like UTF-16\)/],
    ['Values that are a list', { IsEncrypted: false, Values: [] }, /^Values in /],
    ['a nested value', { IsEncrypted: false, Values: { A: { B: 'hunter2' } } }, /^Values\.A in .* must be a string/],
    ['a port that is no number', { IsEncrypted: false, Host: { LocalHttpPort: '80' } }, /^Host\.LocalHttpPort in /],
  ])('%s is refused without echoing a value', async (_, localSettings, message) => {
    const error: unknown = await start({ localSettings }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: /^LOCAL_SETTINGS_(INVALID|ENCRYPTED)$/, message })
    expect(String(error)).not.toContain('hunter2')
  })

  test.each([
    ['the port of the file', { IsEncrypted: false, Host: { LocalHttpPort: 7072 } }, { applied: [], httpPort: 7072 }],
    ['nothing without a file', undefined, { applied: [] }],
  ])('the start uses %s', async (_, localSettings, expected) => {
    expect(applyLocalSettings(await writeApp({ localSettings }), {})).toEqual(expected)
  })
})

const timer = (more: string) => `app.timer('f', { schedule: '0 0 0 * * *', useMonitor: false, handler() {}, ${more} })`
const http = (more: string) => `app.http('f', { methods: ['GET'], handler() {}, ${more} })`

describe('an app', () => {
  const esModule = { packageJson: { main: 'main.js', type: 'module' }, files: { 'main.js': '' } }
  const pattern = { packageJson: { main: 'x/*.cjs' } }
  test.each([
    ['no object in package.json', { packageJson: '[]' }, 'PACKAGE_JSON_INVALID', /must contain a JSON object/],
    ['no main', { packageJson: {} }, 'PACKAGE_JSON_INVALID', /^main in .*package\.json is missing/],
    ['a main that is a directory', { packageJson: { main: '.' } }, 'ENTRY_POINT_INVALID', /Build the app first/],
    ['a pattern', pattern, 'ENTRY_POINT_INVALID', /^The entry point x\/\*\.cjs .* is a pattern\. Name one/],
    ['an ES module', esModule, 'ENTRY_POINT_INVALID', /main\.js is an ES module/],
    ['no directory', { appDirectory: '/nowhere/at' }, 'PACKAGE_JSON_INVALID', /\/nowhere\/at is not the folder/],
    ['no function', { code: '' }, 'NO_FUNCTIONS', /main\.cjs registered no/],
  ])('with %s is refused by name', async (_, app, code, message) => {
    await expect(start(app)).rejects.toMatchObject({ code, message })
  })

  test('that throws fails the start with its own message and its own error', async () => {
    const code = `${hello}\nthrow Object.assign(new Error('Unsupported PLATFORM_CLOUD "x"'), { code: 'OWN' })`
    const message = 'Unsupported PLATFORM_CLOUD "x"'
    const error = { code: 'APP_LOAD_FAILED', message, cause: { code: 'OWN', message } }
    await expect(start({ code })).rejects.toMatchObject(error)
  })

  const queue = `app.storageQueue('f', { queueName: 'q', connection: 'c', handler() {} })`
  test.each([
    ['another trigger', queue, 'uses queueTrigger'],
    ['an input', http(`extraInputs: [input.storageBlob({ path: 'a/b', connection: 'c' })]`), 'uses blob input'],
    ['a response beside the return value', http('extraOutputs: [output.http({})]'), 'http out'],
    ['a hook', `app.hook.preInvocation(() => {}); ${hello}`, 'app.hook.preInvocation() is not supported'],
    ['a parameter in a route', http(`route: 'x/{id}'`), 'the route "x/{id}", which has a parameter'],
    ['a method with a body', `app.post('f', () => {})`, 'uses POST (set methods to GET or HEAD)'],
    ['every method', `app.http('f', { handler() {} })`, 'set methods to GET or HEAD'],
    ['a schedule monitor', timer('useMonitor: true'), 'uses a schedule monitor'],
    ['a timer that runs at the start', timer('runOnStartup: true'), 'uses runOnStartup'],
    ['a schedule in a setting', timer(`schedule: '%TICK%'`), 'uses a setting in its schedule, "%TICK%"'],
    ['a retried timer', timer(`retry: { strategy: 'fixedDelay', maxRetryCount: 1, delayInterval: 1 }`), 'uses retry'],
    ['a bad name', `app.http('1st', { handler() {} })`, '"1st" is not a function name'],
    ['a route of the host', http(`route: 'admin/x'`), 'must not begin with admin'],
    ['no schedule', timer(`schedule: ''`), 'has no schedule'],
    ['a bad authLevel', http(`authLevel: 'user'`), 'authLevel of function "f"'],
    ['no handler', `app.http('f', {})`, 'Function "f" has no handler'],
  ])('with %s is refused by name', async (_, code, message) => {
    await expect(start({ code })).rejects.toMatchObject({
      code: /^(FUNCTION_INVALID|FEATURE_UNSUPPORTED)$/,
      message: expect.stringContaining(message) as string,
    })
  })

  test('with streaming is refused by name, before the library opens its port', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    const message = /^enableHttpStream of app\.setup\(\), which opens a port on all interfaces, is not supported/
    const started = start({ code: `app.setup({ enableHttpStream: true }); ${hello}` })
    await expect(started).rejects.toMatchObject({ code: 'FEATURE_UNSUPPORTED', message })
    expect(servers()).toBe(before)
  })

  test('does not serve a function that a setting disables', async () => {
    const code = `app.get('off', () => ({})); app.get('on', () => ({}))`
    const host = await start({ code, env: { 'AzureWebJobs.off.Disabled': 'true' } })
    expect((await host.request('/api/off')).status).toBe(404)
    expect((await host.request('/api/on')).status).toBe(200)
    const ticking = `app.timer('tick', { schedule: '* * * * * *', useMonitor: false, handler() {} })`
    const quiet = await start({ code: ticking, env: { 'AzureWebJobs.tick.Disabled': '1' } })
    expect(quiet.app.timers).toMatchObject([{ name: 'tick', schedule: undefined }])
  })
})
