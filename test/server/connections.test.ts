import { once } from 'node:events'
import { Agent as HttpAgent, get as getHttp, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent, get as getHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { AppResponse, HttpFunction } from '../../src/lib/base/app.ts'
import { connectionLimit, longestIdle } from '../../src/server/connections.ts'
import { createHttpServer } from '../../src/server/http-server.ts'
import { createInvocations } from '../../src/server/invocations.ts'
import { listen } from '../../src/server/listen.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { httpFunction, textResponse } from '../support/use-servers.ts'

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** A server that keeps at most `limit` connections, with half a second for a client to read. */
async function serve(limit: number, each: HttpFunction = httpFunction('f'), tls?: { cert: string; key: string }) {
  const invocations = createInvocations(60_000, () => undefined)
  const parts = {
    findFunction: () => each,
    invocations,
    hasKey: () => true,
    isKnownHost: () => true,
    log: () => undefined,
    isClosing: () => false,
    tls,
  }
  const { server, responses } = createHttpServer(parts, { limit, readTimeout: 500 })
  const { port } = await listen(server, 0, '127.0.0.1', 'http')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, found) => resolve(found)))
  return { server, port, responses, invocations, count }
}

const one = 'GET /f HTTP/1.1\r\nHost: x\r\n\r\n'
const hangs = () => httpFunction('hangs', () => new Promise(() => {}))

test('the number of connections fits into the limit of open files', () => {
  expect([64, 10, 1_000_000, Infinity].map(connectionLimit)).toEqual([24, 8, 512, 512])
  expect(connectionLimit()).toBeGreaterThan(8)
})

test('connections that all wait for a response are no more than the limit', async () => {
  const { port, count } = await serve(12, hangs())
  // At once: the server accepts several in one turn, before the sockets that it closes report their end.
  await Promise.all(Array.from({ length: 24 }, async () => (await open(port)).write(one)))
  await sleep(50)
  expect(await count()).toBeLessThanOrEqual(12)
})

/** Requests of a client with a connection each, over http or https. */
function client(port: number, ca: string | undefined, keepAlive = false) {
  const isPlain = ca === undefined
  const agent = isPlain ? new HttpAgent({ keepAlive }) : new HttpsAgent({ keepAlive, ca, servername: 'localhost' })
  const get = isPlain ? getHttp : getHttps
  return () =>
    new Promise<string>((resolve) => {
      const request = get({ port, host: '127.0.0.1', agent }, (response) => {
        response.resume().once('end', () => resolve(`${response.statusCode}${request.reusedSocket ? ' again' : ''}`))
      }).once('error', ({ message }) => resolve(message))
    })
}

/** Keeps `count` silent connections, and opens another for each that is closed. @returns Ends the flood. */
function flood(port: number, count: number) {
  const mine = new Set<Socket>()
  let isOver = false
  const add = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    mine.add(socket)
    socket.once('close', () => {
      mine.delete(socket)
      if (!isOver) add()
    })
  }
  for (let index = 0; index < count; index += 1) add()
  return () => {
    isOver = true
    for (const socket of mine) socket.destroy()
  }
}

test('idle clients on every place make room for new ones, the one whose last request is oldest first', async () => {
  const { port } = await serve(8)
  const idle = Array.from({ length: 8 }, () => client(port, undefined, true))
  for (const request of idle) expect(await request()).toBe('200')
  expect(await idle[0]?.()).toBe('200 again')
  for (let index = 0; index < 4; index += 1) expect(await client(port, undefined)()).toBe('200')
  expect(await Promise.all([0, 7, 1].map(async (index) => idle[index]?.()))).toEqual(['200 again', '200 again', '200'])
})

test('connections that never finish their handshake lock nobody out, and close no client that has finished one', async () => {
  const { certificate, key } = await issueCertificate('localhost')
  const { port } = await serve(24, httpFunction('f'), { cert: certificate, key })
  const early = connectTls({ port, host: '127.0.0.1', ca: certificate, servername: 'localhost' })
  sockets.push(early)
  await once(early, 'secureConnect')
  const end = flood(port, 60)
  for (let index = 0; index < 6; index += 1) expect(await client(port, certificate)()).toBe('200')
  end()
  early.write(one)
  expect(String((await once(early, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
})

describe('The connection that a new one replaces', () => {
  const quiet = { isPending: false, current: undefined }
  const made = { isPending: true, current: undefined }
  const pending = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...made, name: `pending ${index}`, idleSince: 10 + index }))
  const busy = { ...quiet, name: 'busy', idleSince: 0, current: {} as ServerResponse }
  const idle = [3, 2].map((idleSince) => ({ ...quiet, name: `idle since ${idleSince}`, idleSince }))

  test.each([
    ['is the longest idle one', [busy, ...idle], 'idle since 2'],
    ['is never one with a request', [busy], undefined],
    ['is the idle one while few are pending', [...pending(2), { ...quiet, name: 'idle', idleSince: 99 }], 'idle'],
    ['is the oldest pending one of a flood', [...idle, ...pending(3).toReversed()], 'pending 0'],
    ['is the oldest pending one if none is idle', [busy, ...pending(2).toReversed()], 'pending 0'],
  ])('%s', (_, open, name) => {
    expect(longestIdle(open, 12)?.name).toBe(name)
  })

  test('belongs to a flood beyond an eighth of the places', () => {
    expect(longestIdle([...idle, ...pending(64)], 512)?.name).toBe('idle since 2')
    expect(longestIdle([...idle, ...pending(65)], 512)?.name).toBe('pending 0')
  })
})

test('one connection may not send more than 64 requests ahead of their responses', async () => {
  const { port } = await serve(12, hangs())
  const patient = await open(port)
  patient.write(one.repeat(64))
  const greedy = await open(port)
  greedy.write(one.repeat(65))
  await once(greedy, 'close')
  expect(patient.destroyed).toBe(false)
})

test('of the requests that a connection sends ahead, one is handled at a time', async () => {
  const begun: (() => void)[] = []
  const waiting = () => new Promise<void>((resolve) => begun.push(resolve)).then(() => textResponse('x'))
  const { port } = await serve(12, httpFunction('waiting', waiting))
  const socket = await open(port)
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  socket.write(one.repeat(5))
  for (let count = 1; count <= 5; count++) {
    await expect.poll(() => begun.length).toBe(count)
    begun.at(-1)?.()
  }
  await expect.poll(() => received.match(/200 OK/g)?.length).toBe(5)
})

test('a client that sends nothing, or too slowly, gets 408 within the limits and loses the connection', async () => {
  const { server, port } = await serve(12)
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([10_000, 20_000, 65_000])
  expect(server.timeout).toBe(240_000)
  // The limit itself would take the test ten seconds.
  server.headersTimeout = 100
  for (const text of ['', 'GET / HTT']) {
    const socket = await open(port)
    socket.write(text)
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 408/)
    await once(socket, 'close')
  }
})

test('a client that does not read its response loses the connection; one that reads slowly keeps it', async () => {
  // More than the buffers of a connection take.
  const { port, count } = await serve(12, httpFunction('large', 'x'.repeat(8_000_000)))
  ;(await open(port)).pause().write(one)
  const slow = await open(port)
  let received = 0
  slow.on('data', ({ length }) => (received += length))
  slow.write(one)
  await expect.poll(() => received).toBeGreaterThan(7_000_000)
  await expect.poll(count, { timeout: 20_000 }).toBe(1)
  expect(slow.destroyed).toBe(false)
})

test.each([
  ['amid its requests', one.repeat(5)],
  ['amid a header', `${one}GET / HTTP/1.1\r\nX: `],
  ['after bytes that are not HTTP', `${one}\0\0`],
])('a client that leaves %s leaves nothing open', async (_, text) => {
  const begun = vi.fn<() => Promise<AppResponse>>(() => sleep(300, textResponse('x')))
  const { port, responses, invocations, count } = await serve(12, httpFunction('slow', begun))
  const socket = await open(port)
  socket.write(text)
  await expect.poll(() => invocations.count()).toBe(1)
  socket.destroy()
  const left = async () => [await count(), responses.count(), invocations.count()]
  await expect.poll(left).toEqual([0, 0, 0])
  // The requests that were sent ahead never begin.
  expect(begun).toHaveBeenCalledTimes(1)
})
