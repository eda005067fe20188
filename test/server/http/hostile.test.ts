import { connect } from 'node:net'

import { beforeAll, expect, test } from 'vitest'

import { sendLines, sendRaw, useEmulators } from '../../support/use-emulators.ts'
import type { StartedEmulator } from '../../support/use-emulators.ts'

const { start } = useEmulators()
let host: StartedEmulator

beforeAll(async () => {
  host = await start({
    hostJson: { version: '2.0', extensions: { http: { routePrefix: '' } } },
    code: `
      app.get('home', { route: '/', handler: (request) => ({ body: 'home ' + request.url }) })
      app.get('f', () => ({ body: 'fine' }))`,
  })
})

/** Sends a request line and headers, and makes sure that the host then answers another. */
async function send(...lines: readonly string[]): Promise<string> {
  const answer = await sendLines(host.port, ...lines)
  expect(await (await host.request('/f')).text()).toBe('fine')
  return answer
}

const ok = ['GET /f HTTP/1.1', 'Host: localhost']

test.each([
  ['a host that is no host', ['GET /f HTTP/1.1', 'Host: ['], 400],
  ['a host with a path', ['GET /f HTTP/1.1', 'Host: localhost/evil'], 400],
  ['a host with user info', ['GET /f HTTP/1.1', 'Host: user@localhost'], 400],
  ['a host with a bad port', ['GET /f HTTP/1.1', 'Host: localhost:99999'], 400],
  ['an empty host', ['GET /f HTTP/1.1', 'Host:'], 400],
  ['no host', ['GET /f HTTP/1.1'], 400],
  ['two hosts', [...ok, 'Host: localhost'], 400],
  ['a host that is another site', ['GET /f HTTP/1.1', 'Host: evil.example'], 400],
  ['a host that only begins like ours', ['GET /f HTTP/1.1', 'Host: localhost.evil.example'], 400],
  ['an address that is not ours', ['GET /f HTTP/1.1', 'Host: 10.0.0.1'], 400],
  ['two slashes', ['GET // HTTP/1.1', 'Host: localhost'], 404],
  ['two slashes and a name', ['GET //evil.example/ HTTP/1.1', 'Host: localhost'], 404],
  ['an invalid escape', ['GET /%zz HTTP/1.1', 'Host: localhost'], 404],
  ['an escape that is no UTF-8', ['GET /%ff HTTP/1.1', 'Host: localhost'], 404],
  ['an escaped null', ['GET /%00 HTTP/1.1', 'Host: localhost'], 404],
  ['a garbled query', ['GET /f?%zz=%ff&&=&%00 HTTP/1.1', 'Host: localhost'], 200],
  ['a backslash', ['GET /x\\..\\f HTTP/1.1', 'Host: localhost'], 404],
  ['a request line of more than 8,192 bytes', [`GET /f?${'x'.repeat(8192)} HTTP/1.1`, 'Host: localhost'], 414],
  ['bytes beyond ASCII', ['GET /\u00ff HTTP/1.1', 'Host: localhost'], 400],
  ['a target that is no path', ['GET f HTTP/1.1', 'Host: localhost'], 400],
  ['an asterisk', ['OPTIONS * HTTP/1.1', 'Host: localhost'], 404],
  ['an absolute target of this host', ['GET http://localhost/f HTTP/1.1', 'Host: localhost'], 200],
  ['an absolute target of another host', ['GET http://evil.example/f HTTP/1.1', 'Host: localhost'], 400],
  ['an absolute target that is no URL', ['GET http://[/f HTTP/1.1', 'Host: localhost'], 400],
  ['an upgrade', [...ok, 'Upgrade: websocket', 'Connection: Upgrade'], 200],
  ['an expectation', [...ok, 'Expect: miracles'], 417],
  ['an unknown method', ['BREW /f HTTP/1.1', 'Host: localhost'], 400],
  ['no HTTP at all', ['\u0016\u0003\u0001\u0002'], 400],
  ['a header named __proto__', [...ok, '__proto__: x', 'constructor: y'], 200],
  ['two lengths', [...ok, 'Content-Length: 1', 'Content-Length: 2'], 400],
  ['a length and chunks', [...ok, 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
  ['an invalid length', [...ok, 'Content-Length: -1'], 400],
  ['100 headers', [...ok, ...Array.from({ length: 97 }, (_, index) => `x${index}: y`)], 200],
  ['101 headers', [...ok, ...Array.from({ length: 99 }, (_, index) => `x${index}: y`)], 431],
  ['10,000 headers', [...ok, ...Array.from({ length: 10_000 }, (_, index) => `x${index}: y`)], 431],
  ['one header of 40 KiB', [...ok, `x: ${'y'.repeat(40_960)}`], 431],
  ['a path of 40 KiB', [`GET /${'y'.repeat(40_960)} HTTP/1.1`, 'Host: localhost'], 431],
])('%s is answered, and the host stays up', async (_, lines, status) => {
  expect(await send(...lines)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('CONNECT is not served', async () => {
  expect(await send('CONNECT localhost:80 HTTP/1.1', 'Host: localhost')).not.toMatch(/^HTTP\/1\.1 2/)
})

test('what is refused has an empty body: nothing of the request comes back', async () => {
  const answer = await sendLines(host.port, 'GET /<script>alert(1)</script> HTTP/1.1', 'Host: <b>')
  expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n$/)
  expect(answer).not.toMatch(/[<>]/)
})

test('a socket that is half closed still gets its answer', async () => {
  const answer = await new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port: host.port, host: '127.0.0.1' }, () => socket.end([...ok, '', ''].join('\r\n')))
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*fine$/)
})

test('a body that ends too soon is nobody’s failure', async () => {
  await new Promise((resolve) => {
    const socket = connect(host.port, '127.0.0.1', () => {
      socket.write('POST /admin/functions/f HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
      socket.write('Content-Length: 10\r\n\r\n{', () => socket.destroy())
    })
    socket.once('close', resolve)
  })
  expect(host.logs.filter(({ level }) => level === 'error')).toEqual([])
})

test('requests in one packet are answered in turn', async () => {
  const one = 'GET /f HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const last = 'GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const statuses = (await sendRaw(host.port, one + one + last)).match(/HTTP\/1\.1 \d+/g)
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
})

test('requests for other names are reported once', () => {
  const refusals = host.logs.filter(({ message }) => message.startsWith('Refused a request for "'))
  expect(refusals).toHaveLength(1)
})

test.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.1.2.3:5', '[::1]', '[::1]:3000'])(
  'this machine may be called %s',
  async (name) => {
    expect(await sendLines(host.port, 'GET /f HTTP/1.1', `Host: ${name}`)).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test('Node’s time-outs for slow requests are on', async () => {
  const { createHttpServer } = await import('../../../src/server/http/http-server.ts')
  const server = createHttpServer({} as Parameters<typeof createHttpServer>[0])
  expect(server.headersTimeout).toBeGreaterThan(0)
  expect(server.requestTimeout).toBeGreaterThan(0)
})
