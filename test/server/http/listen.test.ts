import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEmulators } from '../../support/use-emulators.ts'

const { start } = useEmulators()
const directory = useTemporaryDirectory()

test('the host says where it listens', async () => {
  const host = await start()
  expect(host.port).toBeGreaterThan(0)
  expect(host.url).toBe(`http://localhost:${host.port}`)
  expect(await (await fetch(`${host.url}/api/hello`)).text()).toBe('hello')
})

test('a port in use is refused, with what to do, and appTerminate hooks run', async () => {
  const { port } = await start()
  const code = `app.get('f', () => {}); app.hook.appTerminate(() => { globalThis.ended = true })`
  await expect(start({ port, code })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: `Port ${port} of 127.0.0.1 is in use by another process. Stop that process, or choose another port.`,
  })
  expect(globalThis).toHaveProperty('ended', true)
})

test.each([-1, 65_536, 1.5, Number.NaN])('port %d is refused', async (port) => {
  await expect(start({ port })).rejects.toMatchObject({
    code: 'PORT_INVALID',
    message: expect.stringMatching(/^Port .* is not valid: use a whole number from 1 to 65535/),
  })
})

test('an address of another machine is refused', async () => {
  await expect(start({ hostname: '192.0.2.1', key: 'k' })).rejects.toMatchObject({
    code: 'ADDRESS_UNAVAILABLE',
    message: expect.stringContaining('192.0.2.1'),
  })
})

test('the port of local.settings.json is used when no other is given', async () => {
  const { port } = await start()
  const localSettings = { IsEncrypted: false, Host: { LocalHttpPort: port } }
  await expect(start({ localSettings })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`)
})

describe('A port that is a path', () => {
  const ask = (socketPath: string) =>
    new Promise((resolve, reject) => {
      const send = get({ socketPath, path: '/api/hello', agent: false }, (response) => {
        response.on('data', (chunk) => resolve(String(chunk)))
      })
      send.once('error', reject)
    })

  test('is a Unix socket for the user and the group, which is gone after the stop', async () => {
    const port = join(directory.path, 'socket')
    const host = await start({ port, key: 'k' })
    expect([host.url, host.port]).toEqual([`unix:${port}`, 0])
    expect(statSync(port).mode & 0o777).toBe(0o660)
    expect(await ask(port)).toBe('hello')
    await host.close()
    expect(existsSync(port)).toBe(false)
  })

  test('needs a key, because other users can reach it', async () => {
    await expect(start({ port: join(directory.path, 'keyless') })).rejects.toMatchObject({ code: 'KEY_REQUIRED' })
  })

  test('replaces a socket that nobody listens on', async () => {
    const port = join(directory.path, 'stale')
    const crash = `require('node:net').createServer().listen(${JSON.stringify(port)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', crash])
    expect(existsSync(port)).toBe(true)
    await start({ port, key: 'k' })
    expect(await ask(port)).toBe('hello')
  })

  test.each([
    ['a folder that is missing', () => join(directory.path, 'missing', 'socket'), 'missing is not a folder'],
    ['a file in place of the folder', () => join(directory.write('a file', ''), 'socket'), 'a file is not a folder'],
    ['more bytes than a socket has', () => join(directory.path, 'ü'.repeat(60)), 'a Unix socket takes 10'],
  ])('in %s is refused by a message that says so', async (_what, portOf, message) => {
    await expect(start({ port: portOf(), key: 'k' })).rejects.toMatchObject({
      code: 'PORT_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })

  test('is refused where another process listens, and where a file is', async () => {
    const port = join(directory.path, 'used')
    await start({ port, key: 'k' })
    await expect(start({ port, key: 'k' })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    expect(await ask(port)).toBe('hello')
    const file = directory.write('file', 'precious')
    await expect(start({ port: file, key: 'k' })).rejects.toMatchObject({ code: 'PORT_INVALID' })
    expect(existsSync(file)).toBe(true)
  })
})
