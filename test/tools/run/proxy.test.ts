import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { DiscoveryResponder, Target } from '../../../src/tools/run/discovery.ts'
import { createUpstream, startProxy } from '../../../src/tools/run/proxy.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import { listen } from '../../support/free-port.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that sends bytes as they are. @returns Its port, and all requests as text. */
async function startRaw(respond: (socket: Socket, request: string) => void) {
  const requests: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      requests.push(chunk.toString('latin1'))
      respond(socket, chunk.toString('latin1'))
    })
  })
  closing.push(() => server.close())
  return { port: await listen(server), requests }
}

const responder: DiscoveryResponder = { accept: async () => {}, respond: () => {}, close: () => {} }

async function startHere(env: Env = {}, onFailure: (target: Target) => void = () => {}): ReturnType<typeof startProxy> {
  const options = { responder, upstream: createUpstream(env), onFailure }
  const proxy = await startProxy({ ...options, decide: () => ({ kind: 'pass' }) })
  closing.push(() => proxy.close())
  return proxy
}

/** Sends bytes to a proxy, and resolves with all that it returns until it closes the connection. */
async function exchange(
  { url }: Awaited<ReturnType<typeof startProxy>>,
  request: string,
  then?: (socket: Socket, text: string) => void,
) {
  const socket = connect(Number(url.port), url.hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    then?.(socket, text)
  })
  socket.on('error', () => {})
  socket.write(request)
  await once(socket, 'close')
  return text
}

const get = (port: number, { method = 'GET', headers = '' } = {}) =>
  `${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\n${headers}connection: close\r\n\r\n`

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])

describe('a response of a host', () => {
  test('arrives with any status from 000 to 999, or as 502 where no final response has it', async () => {
    const { port } = await startRaw((socket, request) => {
      const status = /x-status: (\d{3})/.exec(request)?.[1]
      socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
    })
    const proxy = await startHere()
    const statuses = [0, 99, 100, 103, 199, 200, 204, 304, 404, 407, 500, 600, 999]
    const found: number[] = []
    for (const status of statuses) {
      const headers = `x-status: ${String(status).padStart(3, '0')}\r\n`
      found.push(statusOf(await exchange(proxy, get(port, { headers }))))
    }
    expect(found).toEqual(statuses.map((status) => (status < 200 || status === 407 ? 502 : status)))
  })

  const hopByHop = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection']
  test.each([...hopByHop, 'proxy-authentication-info', 'te', 'trailer', 'upgrade', 'x-named'])(
    'arrives without the header %s, in either direction',
    async (name) => {
      const lines = `${name}: some-value\r\nconnection: x-named\r\nx-kept: yes\r\n`
      const { port, requests } = await startRaw((socket) => {
        socket.end(`HTTP/1.1 200 OK\r\n${lines}content-length: 2\r\n\r\nok`)
      })
      const text = await exchange(await startHere(), get(port, { headers: lines }))
      for (const each of [text, requests.join('')]) {
        expect(each).toMatch(/^x-kept: yes\r$/m)
        expect(each).not.toContain('some-value')
      }
      expect(text).toMatch(/\r\n\r\nok$/)
    },
  )

  const ok = 'HTTP/1.1 200 OK\r\n'
  test.each([
    [
      'chunks',
      `${ok}transfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n2\r\nok\r\n0\r\nx-sum: 1\r\n\r\n`,
      200,
      /\nok/,
    ],
    ['no length', `${ok}\r\nok`, 200, /\nok/],
    ['a coding that this proxy cannot remove', `${ok}transfer-encoding: gzip\r\n\r\nok`, 502, /invalid response/],
    ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nok`, 502, /no connection/],
    ['a chunk without its end', `${ok}transfer-encoding: chunked\r\n\r\n9\r\nok`, 200, /(?<!\r\n0\r\n\r\n)$/],
    ['a head without its end', `${ok}content-le`, 502, /no connection/],
    ['nothing', '', 502, /no connection/],
    ['another protocol', 'SSH-2.0-OpenSSH\r\n', 502, /no connection/],
  ])('with %s gives $2', async (_, bytes, status, text) => {
    const { port } = await startRaw((socket) => socket.end(bytes))
    const received = await exchange(await startHere(), get(port))
    expect([statusOf(received), received]).toEqual([status, expect.stringMatching(text)])
  })

  test.each(['upgrade: websocket\r\nconnection: upgrade\r\n', ''])('101 (%j) gives 502', async (headers) => {
    const { port, requests } = await startRaw((socket) => socket.write(`HTTP/1.1 101 Switching\r\n${headers}\r\n`))
    const request = get(port, { headers }).replace('connection: close\r\n', '')
    const proxy = await startHere()
    const text = await exchange(proxy, request, (socket) => socket.end())
    expect(statusOf(text)).toBe(502)
    expect(requests.join('')).not.toMatch(/upgrade/i)
  })
})

describe('a request of the program', () => {
  test.each([
    ['TRACE', 405, 'TRACE http://far.test/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['CONNECT to a suffix', 400, 'CONNECT .blob.core.windows.net:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a suffix', 400, 'GET http://.blob.core.windows.net/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['an empty label', 400, 'CONNECT a..test:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['port 0', 400, 'CONNECT a.test:0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an account in CONNECT', 400, 'CONNECT user:pa55@a.test:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a path', 400, 'GET /trace HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('%s is refused with %i, and reaches nobody', async (_, status, request) => {
    const { port, requests } = await startRaw((socket) => socket.end())
    const proxy = await startHere({ HTTPS_PROXY: `http://user:pa55word@127.0.0.1:${port}` })
    const text = await exchange(proxy, request)
    expect(statusOf(text)).toBe(status)
    expect(text).not.toContain('pa55')
    expect(requests).toEqual([])
  })

  const local = ['169.254.169.254', '2852039166', '[::ffff:169.254.169.254]', '168.63.129.16', '[::ffff:127.0.0.2]']
  test.each(local)('for %s never goes to the proxy of the operator', async (host) => {
    const { port, requests } = await startRaw((socket) => socket.end())
    const proxy = await startHere({ ALL_PROXY: `http://user:pa55word@127.0.0.1:${port}` })
    const requested = [`GET http://${host}:9/ HTTP/1.1\r\n`, `CONNECT ${host}:9 HTTP/1.1\r\n`]
    for (const line of requested) {
      const socket = connect(Number(proxy.url.port), proxy.url.hostname)
      socket.on('error', () => {})
      socket.write(`${line}host: x\r\nmetadata: true\r\n\r\n`)
      // A response, or none from an address without a route.
      await Promise.race([once(socket, 'data'), new Promise((resolve) => setTimeout(resolve, 300))])
      socket.destroy()
    }
    expect(requests).toEqual([])
  })

  test('with an account in its address reaches the host and the proxy of the operator without it', async () => {
    const { port, requests } = await startRaw((socket) => socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n'))
    const proxy = await startHere({ HTTP_PROXY: `http://127.0.0.1:${port}` })
    const lines = ['host: x', 'proxy-authorization: Basic pa55', 'connection: close', '', '']
    const text = await exchange(proxy, `GET http://user:pa55@far.test/a?b HTTP/1.1\r\n${lines.join('\r\n')}`)
    expect(statusOf(text)).toBe(503)
    expect(requests[0]).toMatch(/^GET http:\/\/far\.test\/a\?b HTTP\/1\.1\r\n/)
    expect(requests[0]).not.toContain('pa55')
  })

  test('goes to its host where NO_PROXY exempts it as in other tools, and to a loopback host', async () => {
    const operator = await startRaw((socket) => socket.end())
    const { port } = await startRaw((socket) => socket.end('HTTP/1.1 204 No\r\n\r\n'))
    const failed: string[] = []
    const env = { HTTP_PROXY: `http://127.0.0.1:${operator.port}`, NO_PROXY: 'near.test' }
    const proxy = await startHere(env, ({ host }) => failed.push(host))
    const near = 'GET http://x.near.test/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    expect([await exchange(proxy, near), await exchange(proxy, get(port))].map(statusOf)).toEqual([502, 204])
    expect([failed, operator.requests]).toEqual([['x.near.test'], []])
  })

  test('keeps the framing of its body, whatever Connection names', async () => {
    const { port, requests } = await startRaw((socket) =>
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 50),
    )
    const headers = 'transfer-encoding: chunked\r\nconnection: transfer-encoding, host\r\n'
    await exchange(await startHere(), `${get(port, { method: 'DELETE', headers })}2\r\nok\r\n0\r\n\r\n`)
    expect(requests.join('')).toMatch(/transfer-encoding: chunked\r\n[^]*\r\n\r\n2\r\nok\r\n0\r\n\r\n$/i)
  })
})

describe('a tunnel', () => {
  const opened = 'HTTP/1.1 200 Connection established\r\n\r\n'

  test.each([
    ['', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['an informational response and ', 'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ])('through a proxy that sends %sthe first bytes of the host with its response loses none', async (_, head) => {
    const { port } = await startRaw((socket, request) => {
      if (request.startsWith('CONNECT')) socket.write(`${head}220 mail\r\n`)
      else socket.end(`got ${request}`)
    })
    const proxy = await startHere({ HTTPS_PROXY: `http://127.0.0.1:${port}` })
    const text = await exchange(proxy, 'CONNECT far.test:25 HTTP/1.1\r\nhost: x\r\n\r\nEHLO')
    expect(text).toBe(`${opened}220 mail\r\ngot EHLO`)
  })

  test('that the proxy of the operator refuses gives 502 with the reason, and no password', async () => {
    const { port } = await startRaw((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    const proxy = await startHere({ HTTPS_PROXY: `http://user:pa55word@127.0.0.1:${port}` })
    const text = await exchange(proxy, 'CONNECT far.test:443 HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n[^]*no connection to far\.test:443 \(.*407/)
    expect(text).not.toContain('pa55word')
  })
})
