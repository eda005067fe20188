import { once } from 'node:events'
import { connect } from 'node:net'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createActivity } from '../../../src/server/activity.ts'
import { trackConnections } from '../../../src/server/http/connections.ts'
import { createHttpServer } from '../../../src/server/http/http-server.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { fc, few } from '../../support/properties.ts'

const activity = createActivity()
const limit = 24
let server: Server
let port: number

beforeAll(async () => {
  server = createHttpServer({
    findRoute: (method, path) => ({ route: routes[path] ?? small, params: { method } }),
    call: (_name, work) => work({ id: 'x', log: () => undefined }),
    hasKey: () => true,
    isKnownHost: () => true,
    handleAdmin: async ({ response }) => void response.end('pong'),
    log: () => undefined,
    isClosing: () => false,
  })
  trackConnections(server, activity, { limit, isSecure: false, writeTimeout: 200 })
  port = await listen(server, 0, '127.0.0.1')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const answer = (body: string) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })
const route = (name: string, handle: () => Promise<ReturnType<typeof answer>>) => ({
  name,
  path: name,
  methods: undefined,
  authLevel: 'anonymous' as const,
  handle,
})
const small = route('small', async () => answer('small'))
const routes: Readonly<Record<string, ReturnType<typeof route>>> = {
  '/small': small,
  '/large': route('large', async () => answer('large '.repeat(500_000))),
  '/late': route('late', async () => {
    await sleep(2)
    return answer('late')
  }),
  '/broken': route('broken', () => Promise.reject(new Error('broken'))),
}

const path = fc.constantFrom('/small', '/large', '/late', '/broken', '/admin/host/ping')
const expectation = fc.constantFrom('', '', '', 'Expect: miracles\r\n', 'Expect: 100-continue\r\n')
const request = fc
  .tuple(path, expectation)
  .map(([each, header]) => `GET ${each} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`)
const oddity = fc.oneof(
  fc.constantFrom(
    '',
    'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
    '\0\0\0',
    'POST /small HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const client = fc.record({
  requests: fc.array(request, { maxLength: 70 }),
  end: oddity,
  reads: fc.constantFrom('all', 'nothing', 'a part', 'late'),
  goes: fc.constantFrom('destroys', 'ends', 'stays'),
  /** Bytes of each write. */
  piece: fc.integer({ min: 1, max: 5000 }),
})

/** @returns What it has read. */
async function behave({
  requests,
  end,
  reads,
  goes,
  piece,
}: typeof client extends fc.Arbitrary<infer T> ? T : never): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  socket.on('error', () => undefined)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    if (reads === 'a part') socket.pause()
  })
  if (reads === 'nothing' || reads === 'late') socket.pause()
  const text = requests.join('') + end
  for (let at = 0; at < text.length && !socket.destroyed; at += piece) {
    socket.write(text.slice(at, at + piece))
    if (at % (piece * 8) === 0) await sleep(0)
  }
  await sleep(5)
  if (reads === 'late') socket.resume()
  if (goes === 'ends') socket.end()
  await sleep(5)
  if (goes === 'stays') setTimeout(() => socket.destroy(), 400)
  else socket.destroy()
  if (!socket.closed) await once(socket, 'close')
  return received
}

test('whatever clients send and however they read, others are answered and nothing of them stays open', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 40 }), async (clients) => {
      const behaving = Promise.all(clients.map(behave))
      // 127.0.0.1 has the crowd, and so the probe comes from there too.
      const ping = await fetch(`http://127.0.0.1:${port}/admin/host/ping`, { headers: { connection: 'close' } })
      expect([ping.status, await ping.text()]).toEqual([200, 'pong'])
      for (const received of await behaving) {
        const statuses = received.match(/HTTP\/1\.1 \d{3}/g) ?? []
        for (const status of statuses) expect(status).toMatch(/ (100|200|400|408|413|417|431|500)$/)
        expect(received === '' || received.startsWith('HTTP/1.1 ')).toBe(true)
      }
      const count = () => new Promise((resolve) => server.getConnections((_error, found) => resolve(found)))
      await expect.poll(count).toBe(0)
      await activity.idle()
    }),
    few(8),
  )
})
