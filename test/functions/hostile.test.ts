import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { serveApp, type ServedApp } from '../support/use-service.ts'

let service: ServedApp
beforeAll(async () => {
  service = await serveApp(offline)
})
afterAll(() => service.close())

/** Sends bytes on a separate connection. @returns All that comes back. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    // A refused upload may end in a reset after the answer.
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

const request = (target: string, ...headers: readonly string[]) =>
  send([`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
const host = 'Host: localhost'
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const isUp = async () => (await service.request('/api/profile')).status === 200

describe('A hostile request is answered below 500, and the process stays up', () => {
  test.each([
    '//',
    '//evil.example/api/profile',
    '///',
    '/%',
    '/%zz',
    '/api/%E0%A4%A',
    '/api/profile/%00',
    '/api/..%2f..%2fetc/passwd',
    '/..%5c..%5c',
    '/../../../../etc/passwd',
    '/api/profile?%',
    '/api/diagnostics?explain=%E0%A4%A&explain=true',
    '/?<script>alert(1)</script>',
    '/api/profile?__proto__[x]=1&constructor=1',
    'http://evil.example/api/profile',
    'http://[/',
    '*',
  ])('to %s', async (target) => {
    const status = statusOf(await request(target, host))
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
    expect(await isUp()).toBe(true)
  })

  test.each([
    ['a path', `/${'a'.repeat(20_000)}`],
    ['a query', `/?${'a&'.repeat(10_000)}`],
  ])('to %s of 20,000 characters', async (_what, target) => {
    expect(statusOf(await request(target, host))).toBeLessThan(500)
    expect(await isUp()).toBe(true)
  })

  test.each([
    'Host: [',
    'Host: ]',
    'Host: a b',
    'Host: localhost:99999',
    'Host: evil.example',
    'Host: localhost@evil',
    'Host:',
    'X: y',
  ])('with the header "%s"', async (header) => {
    expect(statusOf(await request('/api/profile', header))).toBe(400)
    expect(await isUp()).toBe(true)
  })

  test.each([
    ['10,000 headers', Array.from({ length: 10_000 }, (_, index) => `x-${index}: y`)],
    ['one header of 100,000 characters', [`x: ${'y'.repeat(100_000)}`]],
    ['200 small headers', Array.from({ length: 200 }, () => 'x:y')],
  ])('with %s', async (_what, headers) => {
    expect(statusOf(await request('/api/profile', host, ...headers))).toBe(431)
    expect(await isUp()).toBe(true)
  })

  test.each([
    ['no HTTP at all', '\u0000\u0001\u0002\r\n\r\n'],
    ['a TLS hello', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n'],
    ['two lengths', `GET /api/profile HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    [
      'a length and chunks',
      `POST /api/profile HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative length', `POST /api/profile HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`],
  ])('that is %s', async (_what, bytes) => {
    expect(statusOf(await send(bytes))).toBe(400)
    expect(await isUp()).toBe(true)
  })

  test('whose sender goes away in the middle', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => {
        socket.write(`GET /api/diagnostics HTTP/1.1\r\n${host}\r\n\r\n`)
        socket.destroy()
        resolve()
      })
    })
    expect(await isUp()).toBe(true)
  })

  test('no response contains a part of a request', async () => {
    const answers = await Promise.all(
      ['/hunter2', '/?hunter2=hunter2', '/api/diagnostics?hunter2', '/api/health?hunter2'].map((target) =>
        request(target, host, 'x-hunter2: hunter2', 'User-Agent: hunter2', 'Cookie: hunter2'),
      ),
    )
    expect(answers.join('')).not.toContain('hunter2')
  })
})
