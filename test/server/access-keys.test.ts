import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ServerOptions } from '../../src/server/server.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { httpFunction, sendLines, useServers, type StartedServer } from '../support/use-servers.ts'

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
      expect((await host.request(`${path}?code=${encodeURIComponent(key)}`)).status).toBe(200)
      expect((await host.request(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    }
  })

  test.each([
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
