import { once, type EventEmitter } from 'node:events'
import { createServer, get } from 'node:https'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'

import { afterAll, describe, expect, test } from 'vitest'

import { createActivity } from '../../../src/server/activity.ts'
import { connectionLimit, trackConnections } from '../../../src/server/http/connections.ts'
import { createHttpServer, type HttpServerParts } from '../../../src/server/http/http-server.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { issueCertificate } from '../../support/issue-certificate.ts'
import { useEmulators } from '../../support/use-emulators.ts'

const temp = useTemporaryDirectory()
const { start } = useEmulators()
const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** A host whose server keeps at most `limit` connections. */
async function serve(
  limit: number,
  tls?: { cert: string; key: string },
  handleAdmin: HttpServerParts['handleAdmin'] = async () => {},
) {
  const activity = createActivity()
  const server = createHttpServer({
    findRoute: () => undefined,
    call: () => Promise.reject(new Error('unused')),
    hasKey: () => true,
    isKnownHost: () => true,
    handleAdmin,
    log: () => undefined,
    isClosing: () => false,
    tls,
  })
  trackConnections(server, activity, { limit, isSecure: tls !== undefined, writeTimeout: 500 })
  const port = await listen(server, 0, '127.0.0.1')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, port }
}

test('the number of connections fits into the limit of open files', () => {
  expect(connectionLimit(64)).toBe(24)
  expect(connectionLimit(10)).toBe(8)
  expect(connectionLimit(1_000_000)).toBe(512)
  expect(connectionLimit(Infinity)).toBe(512)
  expect(connectionLimit()).toBeGreaterThan(8)
})

test('many idle connections shut nobody out: the one that has been idle longest makes room', async () => {
  const { server, port } = await serve(12)
  const idle = await Promise.all(Array.from({ length: 40 }, () => open(port)))
  const answered = await fetch(`http://127.0.0.1:${port}/`)
  expect(answered.status).toBe(404)
  expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBeLessThanOrEqual(12)
  await expect.poll(() => idle[0]?.destroyed).toBe(true)
})

test('connections that never finish their handshake do not block others', async () => {
  const { certificate, key } = await issueCertificate('localhost')
  const { port } = await serve(12, { cert: certificate, key })
  await Promise.all(Array.from({ length: 40 }, () => open(port)))
  const status = await new Promise((resolve, reject) => {
    const options = { port, host: 'localhost', ca: certificate, agent: false }
    get(options, (response) => resolve(response.resume().statusCode)).once('error', reject)
  })
  expect(status).toBe(404)
})

test('one connection may not send more than 64 requests ahead of their answers', async () => {
  const host = await start({ code: `app.get('f', () => new Promise(() => {}))`, gracePeriod: 10 })
  const one = 'GET /api/f HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const patient = await open(host.port)
  patient.write(one.repeat(64))
  const greedy = await open(host.port)
  greedy.write(one.repeat(65))
  await once(greedy, 'close')
  expect(patient.destroyed).toBe(false)
})

test('nor if Node would answer them itself, because it does not know what they expect', async () => {
  const host = await start({ code: `app.get('f', () => new Promise(() => {}))`, gracePeriod: 10 })
  const greedy = await open(host.port)
  greedy.write(
    `GET /api/f HTTP/1.1\r\nHost: localhost\r\n\r\n${'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n'.repeat(64)}`,
  )
  await once(greedy, 'close')
  expect(greedy.bytesRead).toBe(0)
})

test('of the requests that a connection sends ahead, one is handled at a time', async () => {
  const begun: (() => void)[] = []
  const { port } = await serve(12, undefined, async ({ response }) => void begun.push(() => void response.end('x')))
  const socket = await open(port)
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  socket.write('GET /admin/a HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5))
  for (let count = 1; count <= 5; count++) {
    await expect.poll(() => begun.length).toBe(count)
    begun.at(-1)?.()
  }
  await expect.poll(() => received.match(/200 OK/g)?.length).toBe(5)
})

test('all connections together may not send more than 1,024 requests ahead', async () => {
  const { port } = await serve(100, undefined, () => new Promise(() => {}))
  const opened = await Promise.all(Array.from({ length: 30 }, () => open(port)))
  for (const socket of opened) socket.write('GET /admin/hangs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
  await expect.poll(() => opened.filter(({ closed }) => closed).length).toBe(10)
})

test.each([
  ['\0'.repeat(70_000), '400 Bad Request'],
  [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}`, '431 Request Header Fields Too Large'],
  [
    `POST /admin/hangs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'y'.repeat(20_000)}`,
    '413 Payload Too Large',
  ],
])('what is no request is refused, and its bytes are not kept (%#)', async (bytes, status) => {
  const { server, port } = await serve(12, undefined, () => new Promise(() => {}))
  const refused = once(server, 'clientError') as Promise<[Error & { rawPacket?: unknown }]>
  const socket = await open(port)
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  socket.write(bytes)
  const [error] = await refused
  expect(error.rawPacket).toBeUndefined()
  await expect.poll(() => socket.closed).toBe(true)
  expect(received).toContain(status)
})

test('who sends nothing, or too slowly, is told so within the limits and loses the connection', async () => {
  const { server, port } = await serve(12)
  // The limits themselves would take the test 30 seconds.
  expect(server.headersTimeout).toBe(10_000)
  expect(server.requestTimeout).toBe(20_000)
  expect(server.keepAliveTimeout).toBe(65_000)
  server.headersTimeout = 100
  server.requestTimeout = 200
  const answers = await Promise.all(
    [
      '',
      'GET / HTT',
      'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx',
    ].map(async (text) => {
      const socket = await open(port)
      socket.write(text)
      let received = ''
      socket.on('data', (chunk) => (received += String(chunk)))
      await once(socket, 'close')
      return received.slice(0, 12)
    }),
  )
  expect(answers).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408', 'HTTP/1.1 408', 'HTTP/1.1 404'])
})

test('connections that all wait for an answer are no more than the limit either', async () => {
  const { server, port } = await serve(12, undefined, () => new Promise(() => {}))
  for (let index = 0; index < 24; index++) {
    const socket = await open(port)
    const answered = Promise.race([once(server, 'request'), once(socket, 'close')])
    socket.write('GET /admin/hangs HTTP/1.1\r\nHost: x\r\n\r\n')
    await answered
  }
  const count = await new Promise((resolve) => server.getConnections((_error, found) => resolve(found)))
  expect(count).toBeLessThanOrEqual(12)
})

describe('Clients that ask and do not read', () => {
  /** More than the buffers of a connection hold. */
  const body = Buffer.alloc(8_000_000)
  const large: HttpServerParts['handleAdmin'] = async ({ response }) => void response.end(body)
  const ask = 'GET /admin/large HTTP/1.1\r\nHost: x\r\n\r\n'

  async function openUnread({ server, port }: Awaited<ReturnType<typeof serve>>): Promise<Socket> {
    const socket = await open(port)
    const asked = Promise.race([once(server, 'request'), once(socket, 'close')])
    socket.pause().write(ask)
    await asked
    return socket
  }

  test('do not block others: each of ten requests gets its response at once', async () => {
    const served = await serve(12, undefined, large)
    const { server, port } = served
    for (let index = 0; index < 12; index++) await openUnread(served)
    for (let index = 0; index < 10; index++) {
      expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).status).toBe(404)
      await openUnread(served)
    }
    const count = await new Promise((resolve) => server.getConnections((_error, found) => resolve(found)))
    expect(count).toBeLessThanOrEqual(12)
  })

  test('lose the connection after the write timeout; who reads slowly keeps it', async () => {
    const served = await serve(12, undefined, large)
    const { server, port } = served
    const gone = new Promise((resolve) => server.once('connection', (socket: Socket) => socket.once('close', resolve)))
    const unread = await openUnread(served)
    const slow = await open(port)
    let received = 0
    slow.on('data', ({ length }) => (received += length))
    slow.write(ask)
    await gone
    expect(received).toBeGreaterThan(7_000_000)
    expect(unread.destroyed).toBe(false)
  })
})

test('one peer address gets three quarters of the places, and the others keep theirs', async () => {
  const { server, port } = await serve(16)
  const others = await Promise.all(Array.from({ length: 3 }, () => open(port, '127.0.0.2')))
  for (let index = 0; index < 40; index++) await open(port, '127.0.0.3')
  const count = async () => new Promise((resolve) => server.getConnections((_error, found) => resolve(found)))
  await expect.poll(count).toBeLessThanOrEqual(15)
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
})

function onEvents(emitter: EventEmitter, name: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0
    emitter.on(name, () => {
      seen += 1
      if (seen === count) resolve()
    })
  })
}

test('TLS over a Unix socket: handshakes at the same time belong to different connections', async () => {
  const path = join(temp.path, 'tls.sock')
  const { certificate, key } = await issueCertificate('localhost')
  const server = createServer({ cert: certificate, key })
  const connections = trackConnections(server, createActivity(), { limit: 64, isSecure: true })
  server.listen(path)
  await once(server, 'listening')
  const clients = [connect(path), connect(path)]
  const asked = onEvents(server, 'request', 2)
  sockets.push(...clients)
  await Promise.all(clients.map((client) => once(client, 'connect')))
  for (const socket of clients) {
    const secure = connectSecurely({ socket, rejectUnauthorized: false })
    secure.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  }
  await asked
  const answered = new Set<unknown>()
  connections.forEachUnanswered((response) => answered.add(response))
  expect(answered.size).toBe(2)
  server.closeAllConnections()
  server.close()
})
