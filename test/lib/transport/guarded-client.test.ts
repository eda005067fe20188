import type { HttpClient } from '@azure/core-rest-pipeline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isServiceError, type ServiceError } from '../../../src/lib/errors.ts'
import { Attempt, responseTimeoutMs, type TraceStep } from '../../../src/lib/transport/attempt.ts'
import { createEgressPolicy } from '../../../src/lib/transport/egress.ts'
import { createGuardedClient, type GuardedClientOptions } from '../../../src/lib/transport/guarded-client.ts'
import { lookUp } from '../../../src/lib/transport/host-lookup.ts'
import { connectionOptions, Tunnel } from '../../../src/lib/transport/proxy-connection.ts'
import { memoryClient, nodeError, requestOf, type MemoryAnswer } from './memory-client.ts'

const authority = 'https://login.test/'
const tokenUrl = `${authority}t/oauth2/v2.0/token`
const token = { body: { access_token: 't', expires_in: 3600 } }

const egress = createEgressPolicy({
  AUTHORITY: [authority],
  RESOURCE_MANAGER: ['https://arm.test/', 'http://arm.test/'],
})

/** One request through the guarded client, and what became of it. */
async function send(url: string, answers: readonly MemoryAnswer[], options: Partial<GuardedClientOptions> = {}) {
  const inner = memoryClient(...answers)
  const attempt = new Attempt({ timeoutMs: 120_000 })
  const client = createGuardedClient({ egress, inner, attempt, ...options })
  const outcome = await attempt.run(() =>
    client.sendRequest(requestOf(url)).then(
      ({ status }) => String(status),
      (error: unknown) => (isServiceError(error) ? error.code : `foreign: ${String(error)}`),
    ),
  )
  return { outcome, asked: inner.requests.length, attempt }
}

describe('a request', () => {
  test('to a host that the policy does not name is refused before anything is sent', async () => {
    const foreign = 'https://login.microsoftonline.com/common/discovery/instance'
    expect(await send(foreign, [{}])).toMatchObject({ outcome: 'EGRESS_BLOCKED', asked: 0 })
  })

  test.each([
    [{ error: nodeError('ECONNRESET') }, '200', 2],
    [{ status: 503, headers: { 'retry-after': '1' } }, '200', 2],
    [{ status: 429, headers: { 'retry-after': '0' } }, '200', 2],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 'AUTHORITY_THROTTLED', 1],
    // The longest Retry-After that is waited for is 2 s.
    [{ status: 429, headers: { 'retry-after': '3' } }, 'AUTHORITY_THROTTLED', 1],
    [{ status: 418 }, 'AUTHORITY_HTTP_ERROR', 1],
    [{ status: 407 }, 'AUTHORITY_PROXY_FAILED', 1],
    [{ error: nodeError('ECONNREFUSED') }, 'AUTHORITY_REFUSED', 1],
  ] satisfies [MemoryAnswer, string, number][])('after %j ends in %s with %d tries', async (first, outcome, asked) => {
    expect(await send(tokenUrl, [first, token])).toMatchObject({ outcome, asked })
  })

  test('leaves a step without query, body or header', async () => {
    const { attempt } = await send(`${tokenUrl}?secret=hunter2`, [token])
    const request = { step: 'token', method: 'GET', host: 'login.test', path: '/t/oauth2/v2.0/token' }
    const durationMs = expect.any(Number) as number
    expect(attempt.steps).toEqual([{ ...request, outcome: 'ok', status: 200, durationMs }])
  })
})

test.each([
  ['https://arm.test/', 'RESOURCE_MANAGER', 'sent through the proxy'],
  ['http://arm.test/', 'RESOURCE_MANAGER', 'PLAIN_HTTP'],
  // Never through a proxy.
  ['http://localhost:1/', 'RESOURCE_MANAGER', 'sent'],
  ['http://127.8.9.10:1/', 'RESOURCE_MANAGER', 'sent'],
  ['http://[::1]:1/', 'RESOURCE_MANAGER', 'sent'],
  ['https://localhost:1/', 'RESOURCE_MANAGER', 'sent'],
  ['https://identity.test/', 'IDENTITY_ENDPOINT', 'sent'],
])('a token for %s as %s is %s', async (url, role, expected) => {
  const inner = memoryClient(token)
  const own = createEgressPolicy({ [role]: [url] })
  const client = createGuardedClient({ egress: own, inner, proxies: { HTTPS_PROXY: 'http://proxy.test:1' } })
  const outcome = await client.sendRequest(requestOf(`${url}path`, { authorization: 'Bearer hunter2' })).then(
    () => (inner.requests[0]?.agent instanceof Tunnel ? 'sent through the proxy' : 'sent'),
    (error: unknown) => (isServiceError(error) ? error.code : String(error)),
  )
  expect(outcome).toBe(expected)
})

test('an address of IPv6 is connected to without its brackets', async () => {
  const inner = memoryClient({})
  const client = createGuardedClient({ egress: createEgressPolicy({ METADATA: ['https://[fd00::1]/'] }), inner })
  await client.sendRequest(requestOf('https://[fd00::1]/metadata/endpoints'))
  expect(inner.requests[0]?.requestOverrides).toMatchObject({ hostname: 'fd00::1' })
})

test('a response that does not come ends with its part of the deadline', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const attempt = new Attempt({ timeoutMs: 60_000 })
  const silent: HttpClient = {
    sendRequest: async ({ abortSignal }) => {
      await new Promise((resolve) => abortSignal?.addEventListener('abort', resolve))
      throw new Error('aborted')
    },
  }
  const client = createGuardedClient({ egress, inner: silent, attempt })
  let code: string | undefined
  void attempt.run(() => client.sendRequest(requestOf(tokenUrl))).catch((error: ServiceError) => (code = error.code))
  await vi.advanceTimersByTimeAsync(responseTimeoutMs(60_000) - 1)
  expect(code).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(code).toBe('AUTHORITY_TIMEOUT')
})

test.each([
  ['https://login.chinacloudapi.cn/', 'https://login.partner.microsoftonline.cn/t/oauth2/v2.0/token'],
  ['https://login.microsoftonline.com/', 'https://login.windows.net/t/oauth2/v2.0/token'],
])('the aliases of a well-known authority: %s may be asked at %s, and others may not', async (host, url) => {
  const own = createEgressPolicy({ AUTHORITY: [host] })
  expect((await send(url, [token], { egress: own })).outcome).toBe('200')
  expect(await send(url, [token])).toMatchObject({ outcome: 'EGRESS_BLOCKED', asked: 0 })
})

test('a request that is repeated as often as a poll stands once in the trace', async () => {
  const attempt = new Attempt({ timeoutMs: 1000 })
  const place = { method: 'POST', host: 'login.test', path: '/token' }
  const poll: TraceStep = { step: 'token', ...place, outcome: 'ok', durationMs: 1 }
  await attempt.run(async () => {
    attempt.record({ ...poll, step: 'device-code' })
    for (let durationMs = 0; durationMs < 10_000; durationMs++) attempt.record({ ...poll, durationMs })
    attempt.record({ ...poll, outcome: 'DEVICE_CODE_DECLINED' })
  })
  expect(attempt.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'device-code ok',
    'token ok',
    'token DEVICE_CODE_DECLINED',
  ])
})

// So that a slow link needs one setting. Where a round trip takes 400 ms, the 250 ms of Node connect to no host whose other family is silent.
test.each([
  [2000, 5000, 1000],
  [9000, 5000, 1500],
  [60_000, 30_000, 1500],
])(
  'within %i ms one response has %i ms, and each address of a name %i ms to connect',
  (timeoutMs, response, address) => {
    const { autoSelectFamilyAttemptTimeout } = connectionOptions(new Attempt({ timeoutMs }))
    expect([responseTimeoutMs(timeoutMs), autoSelectFamilyAttemptTimeout]).toEqual([response, address])
  },
)

test('the addresses of a name are shared for five seconds, and then looked up again', async () => {
  let now = 0
  const clock = () => now
  const addresses = await lookUp('127.0.0.77', clock)
  now = 4999
  expect(await lookUp('127.0.0.77', clock)).toBe(addresses)
  now = 5001
  expect(await lookUp('127.0.0.77', clock)).not.toBe(addresses)
})
