import { describe, expect, test } from 'vitest'
import { sendLines } from '../support/use-servers.ts'
import { useEmulators } from '../support/use-emulators.ts'

const { start } = useEmulators()

describe('the request of a function', () => {
  test('is that of the worker: URL, query, headers and trace context', async () => {
    const host = await start({
      code: `app.http('f', { route: 'Echo', methods: ['GET'], handler: (request, context) => ({ jsonBody: {
        url: request.url, query: [...request.query], one: request.headers.get('x-one'), trace: context.traceContext ?? 'none',
      } }) })`,
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const headers = { 'x-one': 'a', traceparent, tracestate: 'a=1' }
    expect(await (await host.request('/api/echo?a=1&A=2', { headers })).json()).toEqual({
      url: `http://127.0.0.1:${host.port}/api/echo?a=1&A=2`,
      query: [['a', '1,2']],
      one: 'a',
      trace: { traceParent: traceparent, traceState: 'a=1', attributes: {} },
    })
    expect(await (await host.request('/api/echo')).json()).toMatchObject({ trace: 'none', one: null })
  })

  test('has an empty route as its name, and / with no prefix as the root', async () => {
    const hostJson = { version: '2.0', extensions: { http: { routePrefix: '' } } }
    const code = `app.get('home', { route: '/', handler: () => ({ body: 'home' }) }); app.get('Named', () => ({ body: 'named' }))`
    const host = await start({ hostJson, code })
    expect(await (await host.request('/')).text()).toBe('home')
    expect(await (await host.request('/named/')).text()).toBe('named')
  })
})

describe('the response of a function', () => {
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
  ])('with %s is that of the real host', async (_, result, status, body) => {
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

test('a timer gets the payload of an unmonitored timer', async () => {
  const code = `app.timer('tick', { schedule: '0 0 0 1 1 *', useMonitor: false, handler: (timer, context) => context.log(JSON.stringify(timer)) })`
  const host = await start({ code })
  const headers = { 'content-type': 'application/json' }
  expect((await host.request('/admin/functions/tick', { method: 'POST', headers, body: '{}' })).status).toBe(202)
  const line = await host.logged(({ name }) => name === 'tick')
  expect(line.message).toBe('{"schedule":{"adjustForDST":true},"scheduleStatus":null,"isPastDue":false}')
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
