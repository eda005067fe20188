import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/lib/base/app.ts'
import { isSameOrigin } from '../../src/server/routes.ts'
import { httpFunction, useServers, type StartedServer } from '../support/use-servers.ts'

const start = useServers()
const never = '0 0 0 1 1 *'
let server: StartedServer
beforeAll(async () => {
  const timers: App['timers'] = [
    { name: 'smokeTest', schedule: never, run: async ({ log }) => log('info', 'ran') },
    { name: 'broken', schedule: never, run: () => Promise.reject(new Error('timer broke')) },
  ]
  server = await start({ functions: [httpFunction('all')], timers })
})

function post(name: string, more: Record<string, string> = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...more }
  return server.request(`/admin/functions/${name}`, { method: 'POST', headers, body: '{"input":""}' })
}

test('the rest of the API of the Functions host is 404', async () => {
  for (const path of ['', '/host/status/', '/functions', '/functions/smokeTest', '/x/../y'])
    expect([path, (await server.request(`/ADMIN${path}`)).status]).toEqual([path, 404])
})

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
  ['a page of another site', 'smokeTest', { 'sec-fetch-site': 'cross-site' }, 403],
])('%s gets its status and no body', async (_, name, headers, status) => {
  const response = await post(name, headers)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

describe('Who may run a timer', () => {
  const host = '127.0.0.1:3000'
  const own = `http://${host}`
  test.each([
    [true, 'a program', {}],
    [true, 'a person who typed the address', { 'sec-fetch-site': 'none' }],
    [true, 'a page of this server', { origin: own, 'sec-fetch-site': 'same-origin' }],
    [true, 'a page of this server in a browser without fetch metadata', { origin: own }],
    [false, 'a page of another site', { origin: 'http://evil.example' }],
    [false, 'a page of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    [false, 'a page of the same site', { 'sec-fetch-site': 'same-site' }],
    [false, 'a page of the same site that claims this origin', { origin: own, 'sec-fetch-site': 'same-site' }],
    [false, 'a page of another port', { origin: 'http://127.0.0.1:1' }],
    [false, 'another port that claims this site', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-origin' }],
    [false, 'a page of a file', { origin: 'null' }],
    [false, 'an origin that is no URL', { origin: ':' }],
  ])('%s for %s', (isAllowed, _, headers) => {
    expect(isSameOrigin({ host, ...headers })).toBe(isAllowed)
  })
})
