import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import type { ServerOptions } from '../../src/server/server.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { httpFunction, useServers } from '../support/use-servers.ts'

const startServer = useServers()
const functions = [httpFunction('hello')]
const start = (options: Partial<ServerOptions> = {}) => startServer({ functions }, options)
const key = 'k'.repeat(16)
const directory = useTemporaryDirectory()

test('the server says where it listens, and a port in use is refused with what to do', async () => {
  const { port, url } = await start()
  expect(url).toBe(`http://localhost:${port}`)
  expect(await (await fetch(`${url}/hello`)).text()).toBe('hello')
  await expect(start({ port })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: `Port ${port} of 127.0.0.1 is in use by another process. Stop that process, or choose another port.`,
  })
})

test('an address of another machine is refused by name', async () => {
  const refused = { code: 'ADDRESS_UNAVAILABLE', message: /listen on 192\.0\.2\.1, port/ }
  await expect(start({ hostname: '192.0.2.1', key })).rejects.toMatchObject(refused)
})

test.each([
  ['::', '0.0.0.0', 'EAFNOSUPPORT'],
  ['127.0.0.1', '::1', 'EADDRNOTAVAIL'],
])('where the machine has no %s, the server listens on %s', async (first, second, code) => {
  const server = createServer()
  const tried: (string | undefined)[] = []
  vi.spyOn(server, 'listen').mockImplementation(((options: { readonly host?: string }) => {
    tried.push(options.host)
    const error = Object.assign(new Error(code), { code })
    process.nextTick(() => (options.host === first ? server.emit('error', error) : server.emit('listening')))
    return server
  }) as typeof server.listen)
  vi.spyOn(server, 'address').mockReturnValue({ address: second, family: '', port: 3000 })
  const url = `http://${second.includes(':') ? `[${second}]` : second}:3000`
  expect(await listen(server, 0, first, 'http')).toEqual({ url, port: 3000 })
  expect(tried).toEqual([first, second])
})

describe('A port that is a path', () => {
  const ask = (socketPath: string) =>
    new Promise((resolve, reject) => {
      get({ socketPath, path: '/hello', agent: false }, (response) => {
        response.on('data', (chunk) => resolve(String(chunk)))
      }).once('error', reject)
    })

  test('is a Unix socket for the user and the group, which is gone after the stop', async () => {
    const port = join(directory.path, 'socket')
    const host = await start({ port, key })
    expect([host.url, host.port]).toEqual([`unix:${port}`, 0])
    expect(statSync(port).mode & 0o777).toBe(0o660)
    expect(await ask(port)).toBe('hello')
    await host.close()
    expect(existsSync(port)).toBe(false)
  })

  test('replaces a socket that nobody listens on, and no other', async () => {
    const port = join(directory.path, 'stale')
    const crash = `require('node:net').createServer().listen(${JSON.stringify(port)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', crash])
    expect(existsSync(port)).toBe(true)
    await start({ port, key })
    await expect(start({ port, key })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    expect(await ask(port)).toBe('hello')
  })

  test.each([
    ['in a folder that is missing', 'missing/socket', key, 'PORT_INVALID', /Create the folder/],
    ['below a file', 'file/socket', key, 'PORT_INVALID', /Create the folder/],
    ['of a file, which stays,', 'file', key, 'PORT_INVALID', /is not a socket/],
    ['of too many bytes', 'ü'.repeat(60), key, 'PORT_INVALID', /allows 10[37]\. Choose a shorter path/],
    ['without a key', 'keyless', undefined, 'KEY_REQUIRED', /other users can reach it/],
  ])('%s is refused by a message that says so', async (_what, name, given, code, message) => {
    const file = directory.write('file', 'precious')
    const started = start({ port: join(directory.path, name), key: given })
    await expect(started).rejects.toMatchObject({ code, message })
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })
})
