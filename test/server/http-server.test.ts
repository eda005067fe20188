import { beforeAll, describe, expect, test } from 'vitest'
import type { AppRequest } from '../../src/lib/base/app.ts'
import { httpFunction, sendLines, sendRaw, textResponse, useServers } from '../support/use-servers.ts'
import type { StartedServer } from '../support/use-servers.ts'

const start = useServers()
const seen: AppRequest[] = []
let server: StartedServer
beforeAll(async () => {
  const seeing = async (request: AppRequest) => {
    seen.push(request)
    return textResponse('seen')
  }
  server = await start({
    functions: [
      httpFunction('home', 'home', { path: '' }),
      httpFunction('f', 'fine'),
      httpFunction('seeing', seeing, { path: 'api/Seeing', methods: ['GET', 'POST'] }),
      httpFunction('broken', () => Promise.reject(new Error('secret reason'))),
    ],
  })
})
const ok = ['GET /f HTTP/1.1', 'Host: localhost']
const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1])

test.each([
  ['a host that is no host', ['GET /f HTTP/1.1', 'Host: ['], 400],
  ['a host with a path', ['GET /f HTTP/1.1', 'Host: localhost/evil'], 400],
  ['a host with user info', ['GET /f HTTP/1.1', 'Host: user@localhost'], 400],
  ['no host', ['GET /f HTTP/1.1'], 400],
  ['two hosts', [...ok, 'Host: localhost'], 400],
  ['a host that is another site', ['GET /f HTTP/1.1', 'Host: evil.example'], 400],
  ['a host that only begins like ours', ['GET /f HTTP/1.1', 'Host: localhost.evil.example'], 400],
  ['an address that is not ours', ['GET /f HTTP/1.1', 'Host: 10.0.0.1'], 400],
  ['two slashes', ['GET // HTTP/1.1', 'Host: localhost'], 404],
  ['two slashes and our path', ['GET //f HTTP/1.1', 'Host: localhost'], 200],
  ['two slashes at the end', ['GET /f// HTTP/1.1', 'Host: localhost'], 404],
  ['other letters and a final slash', ['GET /API/seeing/ HTTP/1.1', 'Host: localhost'], 200],
  ['dot segments', ['GET /x/%2e%2E/./f HTTP/1.1', 'Host: localhost'], 200],
  ['an unlisted method', ['DELETE /f HTTP/1.1', 'Host: localhost'], 404],
  ['an invalid escape', ['GET /%zz HTTP/1.1', 'Host: localhost'], 404],
  ['an escaped slash', ['GET /api%2Fseeing HTTP/1.1', 'Host: localhost'], 404],
  ['a garbled query', ['GET /f?%zz=%ff&&=&%00 HTTP/1.1', 'Host: localhost'], 200],
  ['a backslash', ['GET /x\\..\\f HTTP/1.1', 'Host: localhost'], 404],
  ['a request line of more than 8,192 bytes', [`GET /f?${'x'.repeat(8192)} HTTP/1.1`, 'Host: localhost'], 414],
  ['bytes beyond ASCII', ['GET /\u00ff HTTP/1.1', 'Host: localhost'], 400],
  ['a target that is no path', ['GET f HTTP/1.1', 'Host: localhost'], 400],
  ['an asterisk', ['OPTIONS * HTTP/1.1', 'Host: localhost'], 404],
  ['an absolute target of this host', ['GET http://localhost/f HTTP/1.1', 'Host: localhost'], 200],
  ['an absolute target of another host', ['GET http://evil.example/f HTTP/1.1', 'Host: localhost'], 400],
  ['an upgrade', [...ok, 'Upgrade: websocket', 'Connection: Upgrade'], 200],
  ['a header named __proto__', [...ok, '__proto__: x', 'constructor: y'], 200],
  ['two lengths', [...ok, 'Content-Length: 1', 'Content-Length: 2'], 400],
  ['a length and chunks', [...ok, 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
  ['100 headers', [...ok, ...Array.from({ length: 97 }, (_, index) => `x${index}: y`)], 200],
  ['101 headers', [...ok, ...Array.from({ length: 99 }, (_, index) => `x${index}: y`)], 431],
  ['one header of 40 KiB', [...ok, `x: ${'y'.repeat(40_960)}`], 431],
])('%s gets the status %i, and the server stays up', async (_, lines, status) => {
  expect(statusOf(await sendLines(server.port, ...lines))).toBe(status)
  expect(await (await server.request('/f')).text()).toBe('fine')
})

test('what is refused has an empty body: nothing of the request comes back', async () => {
  const response = await sendLines(server.port, 'GET /<script>alert(1)</script> HTTP/1.1', 'Host: <b>')
  expect(response).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n$/)
  expect(response).not.toMatch(/[<>]/)
})

test('requests for other names are reported once', () => {
  expect(server.logs.filter(({ message }) => message.startsWith('A request for the host "'))).toHaveLength(1)
})

describe('A function', () => {
  test('gets method, URL, headers and query: names in lower case, repeated ones joined by a comma, whatever their case', async () => {
    const lines = ['X-One: a', 'x-one: b', '__proto__: c']
    await sendLines(server.port, 'POST /api/x/../Seeing?a=1&A=2&__proto__=3 HTTP/1.1', 'Host: localhost', ...lines)
    const { method, url, headers, query } = seen.at(-1) ?? {}
    expect([method, url]).toEqual(['POST', 'http://localhost/api/Seeing?a=1&A=2&__proto__=3'])
    expect([headers?.['x-one'], Object.entries(headers ?? {}).at(-2)]).toEqual(['a,b', ['__proto__', 'c']])
    expect(JSON.stringify(query)).toBe('{"a":"1,2","__proto__":"3"}')
  })

  test('that throws is 500 with an empty body, and the log says why', async () => {
    const response = await server.request('/broken')
    expect([response.status, await response.text()]).toEqual([500, ''])
    const line = { level: 'error', name: 'broken', message: 'Function "broken" failed: secret reason' }
    expect(server.logs.at(-1)).toMatchObject({ ...line, invocationId: /^[\da-f-]{36}$/ })
  })

  test('responds to HEAD with the headers of GET and no body', async () => {
    const response = await sendLines(server.port, 'HEAD /f HTTP/1.1', 'Host: localhost')
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-length: 4\r\n[^]*\r\n\r\n$/)
  })

  test('gets no body: it is read and dropped, however long, and the connection goes on', async () => {
    const post = `POST /api/seeing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`
    const both = await sendRaw(server.port, `${post}GET /f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(both.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })
})

test.each(['plain', 'Grüße', '\u{1F512} locked', ''])('a text arrives whole, in UTF-8: "%s"', async (text) => {
  const server = await start({ functions: [httpFunction('text', text)] })
  const response = await server.request('/text')
  expect(Buffer.from(await response.arrayBuffer()).toString('utf8')).toBe(text)
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
})
