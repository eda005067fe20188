import { describe, expect, test } from 'vitest'
import { sendLines } from '../support/use-servers.ts'
import { useEmulators } from '../support/use-emulators.ts'

const { start } = useEmulators()

// test/azure-functions/platforms.test.ts compares requests and responses of the service with the server's and the library's.
describe('The response of a function', () => {
  test.each([
    ['nothing', 'undefined', 204, ''],
    ['a status', '{ status: 418 }', 418, ''],
    ['text', '{ body: "text" }', 200, 'text'],
    ['bytes', '{ body: Buffer.from([195, 188]) }', 200, 'ü'],
    ['a stream', '{ body: new Blob(["a", "b"]).stream() }', 200, 'ab'],
    ['JSON', '{ jsonBody: [1] }', 200, '[1]'],
    ['a string', '"text"', 500, ''],
    ['an invalid status', '{ status: 99 }', 500, ''],
    ['a cookie, which is refused by name', '{ cookies: [{ name: "a", value: "b" }] }', 500, ''],
  ])('with %s is the response of the real host', async (_, result, status, body) => {
    const host = await start({ code: `app.get('f', () => (${result}))` })
    const response = await host.request('/api/f')
    expect([response.status, await response.text()]).toEqual([status, body])
    await host.close()
  })

  test('cannot break the framing of the message', async () => {
    const headers = `{ 'content-length': '1', 'transfer-encoding': 'chunked', connection: 'x', 'x-own': 'kept' }`
    const host = await start({ code: `app.get('f', () => ({ body: 'four', headers: ${headers} }))` })
    const response = await sendLines(host.port, 'GET /api/f HTTP/1.1', 'Host: localhost')
    expect(response).toMatch(/content-length: 4\r\n/)
    expect(response).not.toMatch(/transfer-encoding|connection: x/i)
    expect(response).toMatch(/x-own: kept\r\n[^]*four$/)
  })
})

test('a log line of a function has its name, its invocation and its level', async () => {
  const host = await start({
    code: `
      app.get('f', (request, context) => {
        for (const level of ['trace', 'debug', 'info', 'log', 'warn', 'error']) context[level](level, { a: 1 })
        return { body: context.invocationId }
      })`,
  })
  const invocationId = await (await host.request('/api/f')).text()
  const common = { category: 'app', name: 'f', invocationId }
  expect(host.logs).toEqual([
    { ...common, level: 'verbose', message: 'trace { a: 1 }' },
    { ...common, level: 'verbose', message: 'debug { a: 1 }' },
    { ...common, level: 'info', message: 'info { a: 1 }' },
    { ...common, level: 'info', message: 'log { a: 1 }' },
    { ...common, level: 'warning', message: 'warn { a: 1 }' },
    { ...common, level: 'error', message: 'error { a: 1 }' },
  ])
})
