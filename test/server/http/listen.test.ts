import { expect, test } from 'vitest'

import { useEmulators } from '../../support/use-emulators.ts'

const { start } = useEmulators()

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
