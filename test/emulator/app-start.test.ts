import { describe, expect, test } from 'vitest'

import { hello, useEmulators } from '../support/use-emulators.ts'

const { start } = useEmulators()

describe('entry point', () => {
  const module = { packageJson: { main: 'main.js', type: 'module' }, files: { 'main.js': '' } }
  test.each([
    [
      'no object in package.json',
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
    ['an ES module', module, 'ENTRY_POINT_INVALID', /main\.js is an ES module/],
    [
      'no directory',
      { appDirectory: '/nowhere/at/all' },
      'PACKAGE_JSON_INVALID',
      /\/nowhere\/at\/all is not the folder/,
    ],
    ['no function', { code: '' }, 'NO_FUNCTIONS', /main\.cjs registered no/],
  ])('%s is refused by name', async (_, app, code, message) => {
    await expect(start(app)).rejects.toMatchObject({ code, message })
  })

  test('an app that throws fails the start with its own message and its own error', async () => {
    const code = `${hello}\nthrow Object.assign(new Error('Unsupported PLATFORM_CLOUD "x"'), { code: 'OWN' })`
    await expect(start({ code })).rejects.toMatchObject({
      code: 'APP_LOAD_FAILED',
      message: 'Unsupported PLATFORM_CLOUD "x"',
      cause: { code: 'OWN', message: 'Unsupported PLATFORM_CLOUD "x"' },
    })
  })
})

const timer = (more: string) => `app.timer('f', { schedule: '0 0 0 * * *', useMonitor: false, handler() {}, ${more} })`
const http = (more: string) => `app.http('f', { methods: ['GET'], handler() {}, ${more} })`

describe('registrations', () => {
  test.each([
    [
      'another trigger',
      `app.storageQueue('f', { queueName: 'q', connection: 'c', handler() {} })`,
      'uses queueTrigger',
    ],
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
  ])('%s is refused by name', async (_, code, message) => {
    const expected = { code: 'FEATURE_UNSUPPORTED', message: expect.stringContaining(message) as string }
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
    ['a route of the host', http(`route: 'admin/x'`), 'FUNCTION_INVALID', 'must not begin with admin'],
    ['no schedule', timer(`schedule: ''`), 'FUNCTION_INVALID', 'has no schedule'],
    ['a bad authLevel', http(`authLevel: 'user'`), 'FUNCTION_INVALID', 'authLevel of function "f"'],
    ['no handler', `app.http('f', {})`, 'FUNCTION_INVALID', 'Function "f" has no handler'],
  ])('%s is refused', async (_, app, code, message) => {
    const expected = { code, message: expect.stringContaining(message) as string }
    await expect(start({ code: app })).rejects.toMatchObject(expected)
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
