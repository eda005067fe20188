import { describe, expect, test } from 'vitest'

import { hello, useEmulators } from '../support/use-emulators.ts'

const { start } = useEmulators()

describe('entry point', () => {
  test.each([
    [
      'no package.json to name it',
      { packageJson: '[]' },
      'PACKAGE_JSON_INVALID',
      /package\.json must contain a JSON object/,
    ],
    ['no main', { packageJson: {} }, 'PACKAGE_JSON_INVALID', /^main in .*package\.json is missing/],
    ['a main that is a directory', { packageJson: { main: '.' } }, 'ENTRY_POINT_INVALID', /Build the app first/],
    [
      'a pattern',
      { packageJson: { main: 'x/*.cjs' } },
      'ENTRY_POINT_INVALID',
      /^The entry point x\/\*\.cjs .* is a pattern\. Name one/,
    ],
    [
      'an ES module',
      { packageJson: { main: 'main.js', type: 'module' }, files: { 'main.js': '' } },
      'ENTRY_POINT_INVALID',
      /main\.js is an ES module/,
    ],
  ])('%s is refused by name', async (_, app, code, message) => {
    await expect(start(app)).rejects.toMatchObject({ code, message })
  })

  test('a directory that does not exist is refused by name', async () => {
    await expect(start({ appDirectory: '/nowhere/at/all' })).rejects.toThrow('/nowhere/at/all is not the folder')
  })

  test('an app that throws fails the start with its own message and its own error', async () => {
    const code = `${hello}\nthrow Object.assign(new Error('Unsupported PLATFORM_CLOUD "x"'), { code: 'OWN' })`
    await expect(start({ code })).rejects.toMatchObject({
      code: 'APP_LOAD_FAILED',
      message: 'Unsupported PLATFORM_CLOUD "x"',
      cause: { code: 'OWN', message: 'Unsupported PLATFORM_CLOUD "x"' },
    })
  })

  test('an app that registers nothing is refused', async () => {
    await expect(start({ code: '' })).rejects.toMatchObject({
      code: 'NO_FUNCTIONS',
      message: /main\.cjs registered no/,
    })
  })
})

describe('registrations', () => {
  test.each([
    [
      'another trigger',
      `app.storageQueue('f', { queueName: 'q', connection: 'c', handler() {} })`,
      'uses queueTrigger',
    ],
    [
      'an extra input',
      `app.http('f', { extraInputs: [input.storageBlob({ path: 'a/b', connection: 'c' })], handler() {} })`,
      'uses blob input',
    ],
    [
      'a response beside the return value',
      `app.http('f', { extraOutputs: [output.http({})], handler() {} })`,
      'http out',
    ],
    ['a hook', `app.hook.preInvocation(() => {}); ${hello}`, 'app.hook.preInvocation() is not supported'],
    [
      'a parameter in a route',
      `app.get('f', { route: 'x/{id}', handler() {} })`,
      'the route "x/{id}", which has a parameter',
    ],
    ['a method with a body', `app.post('f', () => {})`, 'uses POST (set methods to GET or HEAD)'],
    [
      'every method',
      `app.http('f', { methods: [], handler() {} }); app.http('g', { handler() {} })`,
      'set methods to GET or HEAD',
    ],
    ['a schedule monitor', `app.timer('f', { schedule: '0 0 0 * * *', handler() {} })`, 'uses a schedule monitor'],
    [
      'a timer that runs at the start',
      `app.timer('f', { schedule: '0 0 0 * * *', useMonitor: false, runOnStartup: true, handler() {} })`,
      'uses runOnStartup',
    ],
    [
      'a schedule in a setting',
      `app.timer('f', { schedule: '%TICK%', useMonitor: false, handler() {} })`,
      'uses a setting in its schedule, "%TICK%"',
    ],
    [
      'a retried timer',
      `app.timer('f', { schedule: '0 0 0 * * *', useMonitor: false, retry: { strategy: 'fixedDelay', maxRetryCount: 1, delayInterval: 1 }, handler() {} })`,
      'uses retry',
    ],
  ])('%s is refused by name', async (_, code, message) => {
    const expected = { code: 'FEATURE_UNSUPPORTED', message: expect.stringContaining(message) }
    await expect(start({ code })).rejects.toMatchObject(expected)
  })

  test('streaming is refused by name, before the library opens its port', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    await expect(start({ code: `app.setup({ enableHttpStream: true }); ${hello}` })).rejects.toMatchObject({
      code: 'FEATURE_UNSUPPORTED',
      message: /^enableHttpStream of app\.setup\(\), which opens a port on all interfaces, is not supported/,
    })
    expect(servers()).toBe(before)
  })

  test.each([
    ['a bad name', `app.http('1st', { handler() {} })`, 'FUNCTION_INVALID', '"1st" is not a function name'],
    [
      'a route of the host',
      `app.get('f', { route: 'admin/x', handler() {} })`,
      'FUNCTION_INVALID',
      'must not begin with admin',
    ],
    ['one route twice', `app.get('a', () => {}); app.get('A', () => {})`, 'ROUTE_INVALID', 'is also the route of'],
    [
      'no schedule',
      `app.timer('f', { schedule: '', useMonitor: false, handler() {} })`,
      'FUNCTION_INVALID',
      'has no schedule',
    ],
    [
      'a bad authLevel',
      `app.get('f', { authLevel: 'user', handler() {} })`,
      'FUNCTION_INVALID',
      'authLevel of function "f"',
    ],
    ['no handler', `app.http('f', {})`, 'FUNCTION_INVALID', 'Function "f" has no handler'],
    [
      'a name twice',
      `app.get('a', () => {}); app.get('a', () => {})`,
      'APP_LOAD_FAILED',
      '"a" has already been registered',
    ],
  ])('%s is refused', async (_, app, code, message) => {
    await expect(start({ code: app })).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('a function cannot be registered after the start', async () => {
    const host = await start({ code: `app.get('late', () => { app.get('more', () => {}) })` })
    expect((await host.request('/api/late')).status).toBe(500)
    expect(host.logs.at(-1)?.message).toContain('A function can only be registered during app startup')
  })

  test('a function that a setting disables is not served', async () => {
    const code = `app.get('off', () => ({})); app.get('on', () => ({}))`
    const host = await start({ code, env: { 'AzureWebJobs.off.Disabled': 'true' } })
    expect((await host.request('/api/off')).status).toBe(404)
    expect((await host.request('/api/on')).status).toBe(200)
    const ticking = `app.timer('tick', { schedule: '* * * * * *', useMonitor: false, handler() {} })`
    const quiet = await start({ code: ticking, env: { 'AzureWebJobs.tick.Disabled': '1' } })
    expect(quiet.app.timers).toMatchObject([{ name: 'tick', schedule: undefined }])
  })
})
