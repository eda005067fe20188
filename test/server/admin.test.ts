import { beforeAll, expect, test } from 'vitest'
import { httpFunction, useServers, type StartedServer } from '../support/use-servers.ts'

const start = useServers()
const never = '0 0 0 1 1 *'
let server: StartedServer
beforeAll(async () => {
  const timers = [
    {
      name: 'smokeTest',
      schedule: never,
      run: async ({ log }: { log: (level: 'info', line: string) => void }) => log('info', 'ran'),
    },
    { name: 'broken', schedule: never, run: () => Promise.reject(new Error('timer broke')) },
  ]
  server = await start({ functions: [httpFunction('all')], timers })
})

function post(name: string, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"input":""}' }
  return server.request(`/admin/functions/${name}`, init)
}

test.each(['/admin', '/ADMIN/host/status/', '/admin/functions', '/admin/functions/smokeTest', '/admin/x/../y'])(
  'the rest of the API of the Functions host is 404: GET %s',
  async (path) => {
    expect((await server.request(path)).status).toBe(404)
  },
)

test('a timer runs by hand: 202 at once; a run that fails is logged', async () => {
  const response = await post('SmokeTest')
  expect([response.status, await response.text()]).toEqual([202, ''])
  await server.logged(({ name, message }) => name === 'smokeTest' && message === 'ran')
  expect((await post('broken')).status).toBe(202)
  const line = await server.logged(({ name }) => name === 'broken')
  expect(line).toMatchObject({ level: 'error', message: 'Function "broken" failed: timer broke' })
})

test.each([
  ['a function that does not exist', 'none', {}, 404],
  ['an HTTP function, which the Functions host accepts', 'all', {}, 202],
  ['a form', 'smokeTest', { 'content-type': 'text/plain' }, 415],
  ['a page of another site', 'smokeTest', { origin: 'http://evil.example' }, 403],
  ['a page of a file', 'smokeTest', { origin: 'null' }, 403],
  ['a page of another port', 'smokeTest', { origin: 'http://127.0.0.1:1' }, 403],
])('%s gets its status and no body', async (_, name, headers, status) => {
  const response = await post(name, headers)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('a page of this server may run a timer', async () => {
  expect((await post('smokeTest', { origin: `http://127.0.0.1:${server.port}` })).status).toBe(202)
})
