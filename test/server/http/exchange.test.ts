import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { sendLines, sendRaw, useEmulators } from '../../support/use-emulators.ts'

const { start } = useEmulators()

/** Answers with what the function saw. */
const echo = `
  app.http('echo', {
    methods: ['GET', 'HEAD', 'POST', 'PUT'],
    authLevel: 'anonymous',
    handler: async (request) => ({
      jsonBody: {
        method: request.method,
        url: request.url,
        query: [...request.query],
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      },
    }),
  })`

interface Seen {
  method: string
  url: string
  query: [string, string][]
  headers: Record<string, string>
  body: string
}

const bodyOf = (answer: string): Seen => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Seen

describe('request', () => {
  test('header names are lower-cased and repeated headers comma-joined', async () => {
    const host = await start({ code: echo })
    const lines = [
      'GET /api/echo HTTP/1.1',
      'HOST: localhost',
      'X-Thing: a',
      'x-thing: b',
      'Cookie: c=1',
      'Cookie: d=2',
    ]
    expect(bodyOf(await sendLines(host.port, ...lines)).headers).toEqual({
      host: 'localhost',
      'x-thing': 'a,b',
      cookie: 'c=1,d=2',
      connection: 'close',
    })
  })

  test('repeated query keys are comma-joined whatever their case, and escapes are decoded', async () => {
    const host = await start({ code: echo })
    const seen = (await (await host.request('/api/echo?a=1&A=2&b=x+y&c=%26&d&a=3&__proto__=z')).json()) as Seen
    expect(seen.query).toEqual([
      ['a', '1,2,3'],
      ['b', 'x y'],
      ['c', '&'],
      ['d', ''],
    ])
  })

  test('the URL is that of the Host header, escapes kept', async () => {
    const host = await start({ code: echo })
    const answer = await sendLines(host.port, 'GET /api/echo?q=%20a HTTP/1.1', 'Host: 127.0.0.1:1234')
    expect(bodyOf(answer).url).toBe('http://127.0.0.1:1234/api/echo?q=%20a')
  })

  test('a body with a length arrives whole, and a chunked one is dropped', async () => {
    const host = await start({ code: echo })
    const text = 'ü'.repeat(30_000)
    const whole = (await (await host.request('/api/echo', { method: 'POST', body: text })).json()) as Seen
    expect(whole.body).toBe(text)
    const head = ['POST /api/echo HTTP/1.1', 'Host: localhost', 'Connection: close']
    const chunked = [...head, 'Transfer-Encoding: chunked', '', '5', 'hello', '0', '', ''].join('\r\n')
    expect(bodyOf(await sendRaw(host.port, chunked)).body).toBe('')
  })

  test.each(['GET', 'HEAD'])(
    'a body on %s is read and dropped, however long, and the connection goes on',
    async (method) => {
      const host = await start({ code: echo })
      const head = [`${method} /api/echo HTTP/1.1`, 'Host: localhost', 'Content-Length: 3000000', '', '']
      const last = ['HEAD /api/echo?last HTTP/1.1', 'Host: localhost', 'Connection: close', '', '']
      const before = process.memoryUsage.rss()
      const answer = await sendRaw(host.port, head.join('\r\n') + 'x'.repeat(3_000_000) + last.join('\r\n'))
      expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
      expect(answer).not.toContain('xxx')
      expect(process.memoryUsage.rss() - before).toBeLessThan(100e6)
    },
  )

  test.each([
    [65_536, 200],
    [65_537, 413],
  ])('a body of %d bytes is answered with %d', async (length, status) => {
    const host = await start({ code: echo })
    const response = await host.request('/api/echo', { method: 'PUT', body: 'x'.repeat(length) })
    expect(response.status).toBe(status)
  })

  test('a body that is too long is refused before it is read', async () => {
    const host = await start({ code: echo })
    const head = ['PUT /api/echo HTTP/1.1', 'Host: localhost', 'Connection: close', 'Content-Length: 104857601', '', '']
    expect(await sendRaw(host.port, head.join('\r\n'))).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a caller’s trace context reaches the function', async () => {
    const host = await start({
      code: `app.get('f', (request, context) => ({ jsonBody: context.traceContext ?? 'none' }))`,
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const response = await host.request('/api/f', { headers: { traceparent, tracestate: 'a=1' } })
    expect(await response.json()).toEqual({ traceParent: traceparent, traceState: 'a=1', attributes: {} })
    expect(await (await host.request('/api/f')).json()).toBe('none')
  })
})

describe('response', () => {
  test.each([
    ['nothing', 'undefined', 204, ''],
    ['null', 'null', 204, ''],
    ['an empty object', '{}', 200, ''],
    ['a status', '{ status: 418 }', 418, ''],
    ['text', '{ body: "text" }', 200, 'text'],
    ['bytes', '{ body: Buffer.from([195, 188]) }', 200, 'ü'],
    ['a stream', '{ body: new Blob(["a", "b"]).stream() }', 200, 'ab'],
    ['JSON', '{ jsonBody: [1] }', 200, '[1]'],
    ['a redirect', '{ status: 302, headers: { location: "/x" } }', 302, ''],
    ['a 205', '{ status: 205 }', 205, ''],
    ['a string', '"text"', 500, ''],
    ['an invalid status', '{ status: 99 }', 500, ''],
  ])('%s is answered as the real host does', async (_, result, status, body) => {
    const host = await start({ code: `app.get('f', () => (${result}))` })
    const response = await host.request('/api/f')
    expect([response.status, await response.text()]).toEqual([status, body])
    await host.close()
  })

  test('a handler that throws is 500 with an empty body, and the log has the error', async () => {
    const host = await start({ code: `app.get('f', () => { throw new Error('secret reason') })` })
    const response = await host.request('/api/f')
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([500, '', null])
    expect(host.logs).toEqual([
      expect.objectContaining({
        level: 'error',
        name: 'f',
        callId: expect.stringMatching(/^[\da-f-]{36}$/),
        message: 'Function "f" failed: secret reason',
        error: expect.objectContaining({ message: 'secret reason' }),
      }),
    ])
  })

  test('anything can be thrown', async () => {
    const host = await start({ code: `app.get('f', () => { throw { a: 1 } })` })
    expect((await host.request('/api/f')).status).toBe(500)
    expect(host.logs[0]?.message).toBe('Function "f" failed: { a: 1 }')
  })

  test('a HEAD answer has the headers of GET and no body', async () => {
    const host = await start({ code: echo })
    const answer = await sendLines(host.port, 'HEAD /api/echo HTTP/1.1', 'Host: localhost')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toMatch(/content-type: application\/json\r\n/)
    expect(answer).toMatch(/content-length: [1-9]\d+\r\n/)
    expect(answer).toMatch(/\r\n\r\n$/)
  })

  test('a HEAD handler may tell the length of a body that it leaves out', async () => {
    const code = `app.http('f', { methods: ['HEAD'], handler: () => ({ headers: { 'content-length': '42' } }) })`
    const response = await (await start({ code })).request('/api/f', { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('42')
  })

  test('the framing of the message is the host’s: an app cannot break it', async () => {
    const headers = `{ 'content-length': '1', 'transfer-encoding': 'chunked', connection: 'x', 'x-own': 'kept' }`
    const host = await start({ code: `app.get('f', () => ({ body: 'four', headers: ${headers} }))` })
    const answer = await sendLines(host.port, 'GET /api/f HTTP/1.1', 'Host: localhost')
    expect(answer).toMatch(/content-length: 4\r\n/)
    expect(answer).not.toMatch(/transfer-encoding|connection: x/i)
    expect(answer).toMatch(/x-own: kept\r\n[^]*four$/)
  })

  test('cookies are refused by name', async () => {
    const host = await start({ code: `app.get('f', () => ({ cookies: [{ name: 'a', value: 'b' }] }))` })
    expect((await host.request('/api/f')).status).toBe(500)
    expect(host.logs.at(-1)?.message).toContain('cookies of a response are not supported')
  })

  test('a client that leaves while the answer is sent harms nobody', async () => {
    const host = await start({ code: `app.get('big', () => ({ body: Buffer.alloc(20e6) })); app.get('f', () => ({}))` })
    await new Promise((resolve) => {
      const socket = connect(host.port, '127.0.0.1', () => {
        socket.write('GET /api/big HTTP/1.1\r\nHost: localhost\r\n\r\n')
      })
      socket.once('data', () => socket.destroy())
      socket.once('close', resolve)
    })
    expect((await host.request('/api/f')).status).toBe(200)
    expect(host.logs).toEqual([])
  })
})
