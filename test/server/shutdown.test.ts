import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { httpFunction, textResponse, useServers } from '../support/use-servers.ts'

const startServer = useServers()
let release: (text: string) => void

/** A function that responds when the test says so, and one that responds at once. */
const functions = [
  httpFunction('wait', async (_request, { log }) => {
    log('info', 'waiting')
    return textResponse(await new Promise((resolve) => (release = resolve)))
  }),
  httpFunction('f', 'fine'),
]
const start = (options: { gracePeriod?: number } = {}) => startServer({ functions }, options)

/** Longer than the limit of a test. */
const longer = 600_000

/** Resolves when the server accepts no further connection. */
async function untilRefused(port: number): Promise<void> {
  const attempt = () =>
    new Promise<string | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve('connected')
      }).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    })
  await expect.poll(attempt, { interval: 10 }).toBe('ECONNREFUSED')
}

test('close lets an invocation finish, sends its response in full, and accepts nothing more', async () => {
  const host = await start({ gracePeriod: longer })
  const pending = host.request('/wait')
  await host.logged(({ message }) => message === 'waiting')
  const closing = host.close()
  // A request that was on its way when the stop began still arrives.
  await sleep(20)
  expect((await host.request('/f')).status).toBe(200)
  await untilRefused(host.port)
  const text = 'x'.repeat(5_000_000)
  release(text)
  const response = await pending
  expect(response.headers.get('connection')).toBe('close')
  expect(await response.text()).toBe(text)
  await closing
})

test('a request on a connection that was open before the stop gets its response, and the connection is closed', async () => {
  const host = await start()
  const socket = connect(host.port, '127.0.0.1')
  await once(socket, 'connect')
  const pending = host.request('/wait')
  await host.logged(({ message }) => message === 'waiting')
  const closing = host.close()
  await untilRefused(host.port)
  socket.write('GET /f HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [response] = (await once(socket, 'data')) as [Buffer]
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close\r\n/i)
  release('done')
  expect(await (await pending).text()).toBe('done')
  await closing
})

test('an invocation that does not end within the grace period gets 503', async () => {
  const host = await start({ gracePeriod: 50 })
  const pending = host.request('/wait').catch((error: unknown) => error)
  await host.logged(({ message }) => message === 'waiting')
  await host.close()
  expect(await pending).toMatchObject({ status: 503 })
  const message = 'The server stops with running invocations, which did not finish within 50 ms.'
  expect(host.logs.at(-1)).toMatchObject({ message })
})

test('close does not wait for idle connections, or for those that never sent a request', async () => {
  const host = await start({ gracePeriod: longer })
  await host.request('/f')
  const socket = connect(host.port, '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  await expect(host.close()).resolves.toBeUndefined()
  await ended
})

test('close does not wait for responses whose connection has closed', async () => {
  const host = await start({ gracePeriod: longer })
  const socket = connect(host.port, '127.0.0.1')
  const one = 'GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n'
  socket.write(one + one.replace('wait', 'f'))
  await host.logged(({ message }) => message === 'waiting')
  await host.request('/f')
  socket.destroy()
  await once(socket, 'close')
  release('too late')
  await expect(host.close()).resolves.toBeUndefined()
})

test('close may be called again, and twice at once', async () => {
  const host = await start()
  await Promise.all([host.close(), host.close()])
  await expect(host.close()).resolves.toBeUndefined()
})
