import { beforeAll, expect, test } from 'vitest'

import { useEmulators } from '../../support/use-emulators.ts'
import type { StartedEmulator } from '../../support/use-emulators.ts'

const { start } = useEmulators()
let host: StartedEmulator

beforeAll(async () => {
  host = await start({
    hostJson: { version: '2.0', extensions: { http: { routePrefix: '' } } },
    code: `
      app.timer('smokeTest', { schedule: '0 0 0 1 1 *', useMonitor: false, handler: (timer, context) => {
        context.log('ran ' + JSON.stringify(timer))
      } })
      app.timer('broken', { schedule: '0 0 0 1 1 *', useMonitor: false, handler: () => { throw new Error('timer broke') } })
      app.http('all', { route: '{*rest}', methods: ['GET', 'POST'], handler: () => ({ body: 'app' }) })`,
  })
})

function post(name: string, body: string | undefined, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  return host.request(`/admin/functions/${name}`, body === undefined ? init : { ...init, body })
}

test('what the real host has besides is refused by name, and an app’s catch-all route does not reach it', async () => {
  for (const path of ['/admin', '/admin/', '/ADMIN/host/status/', '/admin/functions', '/admin/x/../y']) {
    const response = await host.request(path)
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining('/admin/host/ping and POST /admin/functions/'),
    ])
  }
  expect(await (await host.request('/administration')).text()).toBe('app')
})

test('ping says that the process is alive', async () => {
  const response = await host.request('/admin/host/ping')
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a timer runs by hand: 202 at once, with the payload of an unmonitored timer', async () => {
  const response = await post('SmokeTest', '{"input":""}')
  expect([response.status, await response.text()]).toEqual([202, ''])
  const line = await host.logged(({ name }) => name === 'smokeTest')
  expect(line.message).toBe('ran {"schedule":{"adjustForDST":true},"scheduleStatus":null,"isPastDue":false}')
})

test('a run that fails is logged', async () => {
  expect((await post('broken', '{}')).status).toBe(202)
  const line = await host.logged(({ name }) => name === 'broken')
  expect(line).toMatchObject({ level: 'error', message: 'Function "broken" failed: timer broke' })
})

test.each([
  ['a function that does not exist', 'none', '{}', {}, 404],
  ['a function with another trigger', 'all', '{}', {}, 202],
  ['a body that is no object', 'smokeTest', '[]', {}, 400],
  ['a body that is not JSON', 'smokeTest', '{', {}, 400],
  ['no body', 'smokeTest', undefined, {}, 400],
  ['a body over 64 KiB', 'smokeTest', `{"input":"${'x'.repeat(65_536)}"}`, {}, 413],
  ['a form', 'smokeTest', '{"input":""}', { 'content-type': 'text/plain' }, 415],
  ['a page of another site', 'smokeTest', '{}', { origin: 'http://evil.example' }, 403],
  ['a page of a file', 'smokeTest', '{}', { origin: 'null' }, 403],
  ['a page of another port', 'smokeTest', '{}', { origin: 'http://127.0.0.1:1' }, 403],
])('%s is refused', async (_, name, body, headers, status) => {
  const response = await post(name, body, headers)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('a body over 64 KiB that does not say its length is refused, long before its end', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(Buffer.alloc(65_536, ' '))
      if (sent > 50e6) controller.close()
    },
  })
  const headers = { 'content-type': 'application/json' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: endless, duplex: 'half' }
  const status = await host.request('/admin/functions/smokeTest', init).then(
    (response) => response.status,
    // The connection may be closed before its answer is read.
    () => 413,
  )
  expect(status).toBe(413)
  expect(sent).toBeLessThan(20e6)
})

test('a page of this host may run a timer', async () => {
  expect((await post('smokeTest', '{}', { origin: `http://127.0.0.1:${host.port}` })).status).toBe(202)
})
