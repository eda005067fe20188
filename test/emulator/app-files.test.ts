import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { useEmulators } from '../support/use-emulators.ts'

const { start, writeApp } = useEmulators()

test('the route prefix is api unless host.json says otherwise', async () => {
  const standard = await start()
  expect((await standard.request('/api/hello')).status).toBe(200)
  const custom = await start({ hostJson: { version: '2.0', extensions: { http: { routePrefix: '/v1/Things/' } } } })
  expect((await custom.request('/v1/things/hello')).status).toBe(200)
  expect((await custom.request('/api/hello')).status).toBe(404)
  const none = await start({ hostJson: { version: '2.0', extensions: { http: { routePrefix: '' } } } })
  expect((await none.request('/hello')).status).toBe(200)
})

test('a missing host.json is refused by name, with what to write', async () => {
  const directory = await writeApp({})
  rmSync(join(directory, 'host.json'))
  await expect(start({ appDirectory: directory })).rejects.toMatchObject({
    code: 'HOST_JSON_MISSING',
    message: /host\.json does not exist.*"version": "2\.0"/,
  })
})

test.each([
  ['text that is not JSON', '{ "version": secret }', /^[^{]*host\.json is not valid JSON(?!.*secret)/],
  ['no version', {}, /^version in .*host\.json must be "2\.0"/],
  ['another version', { version: '3.0' }, /^version in .* must be "2\.0"/],
  ['extensions that are no object', { version: '2.0', extensions: 1 }, /^extensions in .* must be an object/],
  ['http that is no object', { version: '2.0', extensions: { http: [] } }, /^extensions\.http in .* must be an object/],
  ['a prefix with a parameter', { version: '2.0', extensions: { http: { routePrefix: '{x}' } } }, /routePrefix in /],
])('%s in host.json is refused', async (_, hostJson, message) => {
  await expect(start({ hostJson })).rejects.toMatchObject({ code: 'HOST_JSON_INVALID', message })
})

test.each([
  ['customHandler', { version: '2.0', customHandler: {} }],
  ['extensionBundle', { version: '2.0', extensionBundle: { id: 'a', version: '[4.*, 5.0.0)' } }],
  ['extensions.http.hsts', { version: '2.0', extensions: { http: { hsts: { isEnabled: true } } } }],
  ['extensions.http.customHeaders', { version: '2.0', extensions: { http: { customHeaders: { a: 'b' } } } }],
])('%s is refused by name rather than ignored', async (name, hostJson) => {
  const code = 'FEATURE_UNSUPPORTED'
  await expect(start({ hostJson })).rejects.toMatchObject({ code, message: expect.stringContaining(`${name} in `) })
})

test('settings that change nothing here are accepted', async () => {
  const host = await start({
    hostJson: {
      version: '2.0',
      logging: { logLevel: { default: 'Error' } },
      extensions: { http: { maxConcurrentRequests: -1, hsts: { isEnabled: false } }, queues: {} },
    },
  })
  expect((await host.request('/api/hello')).status).toBe(200)
})

test('a byte-order mark is accepted', async () => {
  const host = await start({ files: { 'host.json': '\uFEFF{"version":"2.0"}' } })
  expect((await host.request('/api/hello')).status).toBe(200)
})
