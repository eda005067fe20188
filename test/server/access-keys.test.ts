import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ServerOptions } from '../../src/server/server.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { httpFunction, sendLines, useServers, type StartedServer } from '../support/use-servers.ts'
import type { App } from '../../src/lib/base/app.ts'
import { isSameOrigin } from '../../src/server/routes.ts'

const startServer = useServers()
const directory = useTemporaryDirectory()
const readKey = (path: string): string => {
  const text = readFileSync(path, 'utf8')
  if (text === '') throw new Error(`${path} is empty`)
  return text
}
const key = 'k&y+/=0123456789'
const functions = (['anonymous', 'function', 'admin'] as const).map((authLevel) =>
  httpFunction(authLevel, 'open', { path: `api/${authLevel}`, authLevel, methods: ['GET', 'POST'] }),
)
const start = (options: Partial<ServerOptions>) => startServer({ functions }, options)

describe('on a loopback address', () => {
  test.each([undefined, ''])('no key is needed if there is none (%j), as under func start', async (none) => {
    const server = await start({ key: none })
    for (const path of ['/api/anonymous', '/api/function', '/api/admin'])
      expect((await server.request(path)).status).toBe(200)
  })

  test('a key that is set is needed, however short it is', async () => {
    const server = await start({ key: 'k' })
    expect((await server.request('/api/anonymous')).status).toBe(200)
    const headers = { 'x-functions-key': 'k' }
    for (const path of ['/api/function', '/api/admin', '/admin/functions/x']) {
      expect((await server.request(path, { method: 'POST' })).status).toBe(401)
      expect((await server.request(path, { method: 'POST', headers })).status).not.toBe(401)
    }
  })
})

describe('on any other address', () => {
  let host: StartedServer
  beforeAll(async () => {
    host = await start({ key, hostname: '0.0.0.0' })
  })

  test.each([undefined, ''])('the server does not start with the key %j', async (missing) => {
    const message = 'The server needs a key to listen on 0.0.0.0, because other machines can reach it.'
    const started = start({ key: missing, hostname: '0.0.0.0' })
    await expect(started).rejects.toMatchObject({ code: 'KEY_REQUIRED', message })
  })

  test('the server does not start with a key of fewer than 16 characters, and says how to make one', async () => {
    const tooShort = { code: 'KEY_TOO_SHORT', message: /openssl rand -hex 32/ }
    await expect(start({ key: key.slice(1), hostname: '0.0.0.0' })).rejects.toMatchObject(tooShort)
    const path = directory.write('short', key.slice(1))
    const file = { path, read: () => readKey(path) }
    await expect(start({ key: file, port: `${directory.path}/socket` })).rejects.toMatchObject(tooShort)
  })

  test('function and admin need the key, anonymous does not', async () => {
    expect((await host.request('/api/anonymous')).status).toBe(200)
    for (const path of ['/api/function', '/api/admin']) {
      const refused = await host.request(path)
      expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
      expect(await refused.json()).toMatchObject({ status: 401, code: 'KEY_INVALID', detail: /x-functions-key/ })
      expect((await host.request(path, { headers: { 'x-functions-key': key } })).status).toBe(200)
    }
  })

  test.each([
    [200, 'the key in the query', {}, `?code=${encodeURIComponent(key)}`],
    [200, 'the key as a bearer token', { authorization: `Bearer ${key}` }, ''],
    [401, 'a wrong key', { 'x-functions-key': 'k' }, ''],
    [401, 'an empty key', { 'x-functions-key': '' }, ''],
    [401, 'a longer key', { 'x-functions-key': `${key}x` }, ''],
    [401, 'a wrong header with a right code', { 'x-functions-key': 'k' }, `?code=${encodeURIComponent(key)}`],
    [401, 'the key as another header', { 'x-api-key': key }, ''],
    [401, 'a wrong bearer token', { authorization: 'Bearer k' }, ''],
    [401, 'the key without its scheme', { authorization: key }, ''],
    [401, 'a wrong code with a right bearer token', { authorization: `Bearer ${key}` }, '?code=k'],
    [401, 'the key as the second of two headers', { 'x-functions-key': `k,${key}` }, ''],
    [200, 'the key as the first of two headers', { 'x-functions-key': `${key},k` }, ''],
    [200, 'a name in another letter case', {}, `?Code=${encodeURIComponent(key)}`],
    [200, 'a + that is not escaped', {}, `?code=${encodeURIComponent(key).replaceAll('%2B', '+')}`],
  ] as const)('%i for %s', async (status, _, headers, query) => {
    expect((await host.request(`/api/function${query}`, { headers: { ...headers } })).status).toBe(status)
  })

  test('a browser without the key gets a page that says how to pass it', async () => {
    const refused = await host.request('/api/function', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect(await refused.clone().text()).toContain('<meta name="color-scheme" content="light dark">')
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await refused.text()).toContain('<code>?code=KEY</code>')
  })

  test('a key in a file is read again when the file changes, and a file without a key leaves the key in force', async () => {
    const path = directory.write('key', 'first')
    const host = await start({ key: { path, read: () => readKey(path) } })
    const accepts = async (given: string) =>
      (await host.request('/api/function', { headers: { 'x-functions-key': given } })).status === 200
    expect([await accepts('first'), await accepts('second')]).toEqual([true, false])
    writeFileSync(path, 'second')
    const line = await host.logged(({ message }) => message.includes(path))
    expect(line.message).toBe(`The key in ${path} has changed. The old key is no longer accepted.`)
    expect([await accepts('first'), await accepts('second')]).toEqual([false, true])
    writeFileSync(path, '')
    await host.logged(({ level }) => level === 'error')
    expect(await accepts('second')).toBe(true)
    await host.close()
  })

  test('a function that does not exist is 404 with or without a key; below /admin only with it', async () => {
    const headers = { 'x-functions-key': key }
    expect((await host.request('/api/none')).status).toBe(404)
    expect((await host.request('/admin/host/ping')).status).toBe(200)
    for (const path of ['/admin', '/admin/host/status', '/admin/functions/x']) {
      expect((await host.request(path)).status).toBe(401)
      expect((await host.request(path, { headers })).status).toBe(404)
    }
  })

  test('a request may call the machine by any name', async () => {
    const { port } = host
    expect(await sendLines(port, 'GET /api/anonymous HTTP/1.1', 'Host: my.host.test:80')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sendLines(port, 'GET /api/anonymous HTTP/1.1', 'Host: [')).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('the administration of the Functions host', () => {
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
    ])('%s for %s', (isAllowed, _, headers) => {
      expect(isSameOrigin({ host, ...headers })).toBe(isAllowed)
    })
  })
})
