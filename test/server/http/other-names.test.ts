import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../../../src/server/server.ts'
import { sendLines } from '../../support/use-emulators.ts'

let server: RunningServer
beforeAll(async () => {
  const handle = () => Promise.resolve({ status: 200, headers: {}, body: 'fine' })
  const route = { name: 'f', path: 'f', methods: ['GET'], authLevel: 'anonymous', handle } as const
  server = await startServer({ functions: [route], timers: [] }, { port: 0, otherNames: ['login.known.test'] })
})
afterAll(() => server.close())

test.each([
  ['login.known.test', 200],
  ['LOGIN.known.test:443', 200],
  ['localhost', 200],
  ['known.test', 400],
  ['login.known.test.evil.test', 400],
])('on a loopback address a server with another name answers a request for %s with %i', async (name, status) => {
  const answer = await sendLines(server.port, 'GET /f HTTP/1.1', `Host: ${name}`, 'Connection: close')
  expect(Number(answer.split(' ')[1])).toBe(status)
})
