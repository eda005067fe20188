import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()

test.each([
  [undefined, '/api/hello'],
  ['/v1/Things/', '/v1/things/hello'],
  ['', '/hello'],
])('with the route prefix %j of host.json, a function responds at %s alone', async (routePrefix, path) => {
  const emulator = await start({ hostJson: { version: '2.0', extensions: { http: { routePrefix } } } })
  expect((await emulator.request(path)).status).toBe(200)
  expect((await emulator.request('/other/hello')).status).toBe(404)
})

test('a missing host.json is refused by name, with what to write', async () => {
  const appDirectory = await writeApp({})
  rmSync(join(appDirectory, 'host.json'))
  await expect(start({ appDirectory })).rejects.toMatchObject({
    code: 'HOST_JSON_MISSING',
    message: /host\.json does not exist.*"version": "2\.0"/,
  })
})

test.each([
  ['text that is not JSON', '{ "version": secret }', /^[^{]*host\.json is not valid JSON(?!.*secret)/],
  ['no version', {}, /^version in .*host\.json must be "2\.0"/],
  ['extensions that are no object', { version: '2.0', extensions: 1 }, /^extensions in .* must be an object/],
  ['a prefix with a parameter', { version: '2.0', extensions: { http: { routePrefix: '{x}' } } }, /routePrefix in /],
  ['customHandler', { version: '2.0', customHandler: {} }, /customHandler in /],
  ['hsts', { version: '2.0', extensions: { http: { hsts: { isEnabled: true } } } }, /extensions\.http\.hsts in /],
])('%s in host.json is refused by name', async (_, hostJson, message) => {
  const code = expect.stringMatching(/^(HOST_JSON_INVALID|FEATURE_UNSUPPORTED)$/) as string
  await expect(start({ hostJson })).rejects.toMatchObject({ code, message })
})

test.each([
  [
    'settings that change nothing here',
    '{"version":"2.0","logging":{},"extensions":{"http":{"hsts":{"isEnabled":false}},"queues":{}}}',
  ],
  ['a byte-order mark', '\uFEFF{"version":"2.0"}'],
])('%s in host.json is accepted', async (_, hostJson) => {
  expect((await (await start({ hostJson })).request('/api/hello')).status).toBe(200)
})
