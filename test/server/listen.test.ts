import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { ServerOptions } from '../../src/server/server.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { httpFunction, useServers } from '../support/use-servers.ts'

const startServer = useServers()
const functions = [httpFunction('hello')]
const start = (options: Partial<ServerOptions> = {}) => startServer({ functions }, options)
const key = 'k'.repeat(16)
const directory = useTemporaryDirectory()

test('the host says where it listens', async () => {
  const host = await start()
  expect(host.port).toBeGreaterThan(0)
  expect(host.url).toBe(`http://localhost:${host.port}`)
  expect(await (await fetch(`${host.url}/hello`)).text()).toBe('hello')
})

test('a port in use is refused, with what to do', async () => {
  const { port } = await start()
  await expect(start({ port })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: `Port ${port} of 127.0.0.1 is in use by another process. Stop that process, or choose another port.`,
  })
})

test.each([-1, 65_536, 1.5, Number.NaN])('port %d is refused', async (port) => {
  await expect(start({ port })).rejects.toMatchObject({
    code: 'PORT_INVALID',
    message: /^Port .* is not valid: use a whole number from 1 to 65535/,
  })
})

test('an address of another machine is refused', async () => {
  await expect(start({ hostname: '192.0.2.1', key })).rejects.toMatchObject({
    code: 'ADDRESS_UNAVAILABLE',
    message: expect.stringContaining('192.0.2.1'),
  })
})

describe('A port that is a path', () => {
  const ask = (socketPath: string) =>
    new Promise((resolve, reject) => {
      const send = get({ socketPath, path: '/hello', agent: false }, (response) => {
        response.on('data', (chunk) => resolve(String(chunk)))
      })
      send.once('error', reject)
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

  test('needs a key, because other users can reach it', async () => {
    await expect(start({ port: join(directory.path, 'keyless') })).rejects.toMatchObject({ code: 'KEY_REQUIRED' })
  })

  test('replaces a socket without a listener', async () => {
    const port = join(directory.path, 'stale')
    const crash = `require('node:net').createServer().listen(${JSON.stringify(port)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', crash])
    expect(existsSync(port)).toBe(true)
    await start({ port, key })
    expect(await ask(port)).toBe('hello')
  })

  test('has one owner if two processes find the stale socket at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const port = join(directory.path, `race-${round}`)
      const crash = `require('node:net').createServer().listen(${JSON.stringify(port)}, () => process.kill(process.pid, 'SIGKILL'))`
      spawnSync(process.execPath, ['-e', crash])
      const started = await Promise.allSettled(Array.from({ length: 4 }, () => start({ port, key })))
      const codes = started.map((each) =>
        each.status === 'fulfilled' ? 'running' : (each.reason as { code: string }).code,
      )
      expect(codes.sort()).toEqual(['PORT_IN_USE', 'PORT_IN_USE', 'PORT_IN_USE', 'running'])
      expect(await ask(port)).toBe('hello')
      expect(readdirSync(directory.path).filter((name) => name.startsWith(`race-${round}.`))).toEqual([])
    }
  })

  test.each([
    ['a folder that is missing', () => join(directory.path, 'missing', 'socket'), 'Create the folder'],
    ['a file in place of the folder', () => join(directory.write('a file', ''), 'socket'), 'Create the folder'],
    ['more bytes than a socket has', () => join(directory.path, 'ü'.repeat(60)), 'a Unix socket allows 10'],
  ])('in %s is refused by a message that says so', async (_what, portOf, message) => {
    await expect(start({ port: portOf(), key })).rejects.toMatchObject({
      code: 'PORT_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })

  test('is refused where another process listens, and where a file is', async () => {
    const port = join(directory.path, 'used')
    await start({ port, key })
    await expect(start({ port, key })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    expect(await ask(port)).toBe('hello')
    const file = directory.write('file', 'precious')
    await expect(start({ port: file, key })).rejects.toMatchObject({ code: 'PORT_INVALID' })
    expect(existsSync(file)).toBe(true)
  })
})
