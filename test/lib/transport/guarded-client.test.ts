import { getFips } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isServiceError, type NetworkFault, type ServiceError } from '../../../src/lib/errors.ts'
import { Attempt } from '../../../src/lib/transport/attempt.ts'
import { createEgressPolicy } from '../../../src/lib/transport/egress.ts'
import { createGuardedClient, type GuardedClientOptions } from '../../../src/lib/transport/guarded-client.ts'
import { createSharedDocuments } from '../../../src/lib/transport/shared-documents.ts'
import { Tunnel } from '../../../src/lib/transport/tunnel.ts'
import { memoryClient, nodeError, requestOf, type MemoryAnswer } from './memory-client.ts'

const authority = 'https://login.test/'
const tokenUrl = `${authority}t/oauth2/v2.0/token`
const documentUrl = `${authority}t/v2.0/.well-known/openid-configuration`
const token = { body: { access_token: 't', expires_in: 3600 } }
const document = {
  body: {
    issuer: `${authority}t/v2.0`,
    authorization_endpoint: `${authority}authorize`,
    token_endpoint: tokenUrl,
    jwks_uri: `${authority}keys`,
  },
}

const egress = createEgressPolicy({
  AUTHORITY: [authority],
  RESOURCE_MANAGER: ['https://arm.test/', 'http://arm.test/'],
})

/** One request through the guarded client, and what became of it. */
async function send(url: string, answers: readonly MemoryAnswer[], options: Partial<GuardedClientOptions> = {}) {
  const inner = memoryClient(...answers)
  const client = createGuardedClient({ egress, inner, ...options })
  const attempt = new Attempt({ timeoutMs: 120_000 })
  const outcome = await attempt.run(() =>
    client.sendRequest(requestOf(url)).then(
      ({ status }) => String(status),
      (error: unknown) => (isServiceError(error) ? error.code : `foreign: ${String(error)}`),
    ),
  )
  return { outcome, asked: inner.requests.length, attempt }
}

describe('a network error', () => {
  const faults: Readonly<Record<string, NetworkFault>> = {
    ENOTFOUND: 'DNS_FAILED',
    EAI_AGAIN: 'DNS_UNAVAILABLE',
    EAI_FAIL: 'DNS_UNAVAILABLE',
    EAI_NODATA: 'DNS_FAILED',
    EAI_NONAME: 'DNS_FAILED',
    ECONNREFUSED: 'REFUSED',
    EHOSTUNREACH: 'UNREACHABLE',
    ENETUNREACH: 'UNREACHABLE',
    EHOSTDOWN: 'UNREACHABLE',
    EADDRNOTAVAIL: 'UNREACHABLE',
    EACCES: 'UNREACHABLE',
    EPERM: 'UNREACHABLE',
    ETIMEDOUT: 'TIMEOUT',
    ESOCKETTIMEDOUT: 'TIMEOUT',
    ECONNRESET: 'RESET',
    EPIPE: 'RESET',
    ECONNABORTED: 'RESET',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'UNTRUSTED',
    UNABLE_TO_GET_ISSUER_CERT: 'UNTRUSTED',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UNTRUSTED',
    SELF_SIGNED_CERT_IN_CHAIN: 'UNTRUSTED',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'UNTRUSTED',
    CERT_UNTRUSTED: 'UNTRUSTED',
    CERT_REJECTED: 'UNTRUSTED',
    CERT_SIGNATURE_FAILURE: getFips() === 1 ? 'CERTIFICATE_WEAK' : 'CERTIFICATE_INVALID',
    UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'CERTIFICATE_INVALID',
    UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'CERTIFICATE_INVALID',
    ERROR_IN_CERT_NOT_BEFORE_FIELD: 'CERTIFICATE_INVALID',
    ERROR_IN_CERT_NOT_AFTER_FIELD: 'CERTIFICATE_INVALID',
    CERT_CHAIN_TOO_LONG: 'CERTIFICATE_INVALID',
    PATH_LENGTH_EXCEEDED: 'CERTIFICATE_INVALID',
    INVALID_CA: 'CERTIFICATE_INVALID',
    INVALID_PURPOSE: 'CERTIFICATE_INVALID',
    CERT_REVOKED: 'CERTIFICATE_INVALID',
    UNSPECIFIED: 'CERTIFICATE_INVALID',
    ERR_SSL_CA_KEY_TOO_SMALL: 'CERTIFICATE_WEAK',
    ERR_SSL_CA_MD_TOO_WEAK: 'CERTIFICATE_WEAK',
    ERR_SSL_EE_KEY_TOO_SMALL: 'CERTIFICATE_WEAK',
    ERR_SSL_INVALID_KEY_LENGTH: 'CERTIFICATE_WEAK',
    CERT_HAS_EXPIRED: 'CERTIFICATE_EXPIRED',
    CERT_NOT_YET_VALID: 'CERTIFICATE_NOT_YET_VALID',
    ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_NAME_MISMATCH',
    HOSTNAME_MISMATCH: 'CERTIFICATE_NAME_MISMATCH',
    EPROTO: 'TLS_FAILED',
    ERR_SSL_WRONG_VERSION_NUMBER: 'TLS_FAILED',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'TLS_FAILED',
    HPE_INVALID_CONSTANT: 'RESPONSE_INVALID',
    SOMETHING_ELSE: 'RESPONSE_INVALID',
  }

  test.each(Object.entries(faults))('%s is %s, by itself, as a cause and among several', async (code, fault) => {
    const error = nodeError(code)
    const wrapped = new Error('outer', { cause: error })
    const several = new AggregateError([error, nodeError('OTHER')])
    for (const each of [error, wrapped, several]) {
      expect((await send(tokenUrl, [{ error: each }])).outcome).toBe(`AUTHORITY_${fault}`)
    }
  })

  test('keeps its code and nothing of its text or of the request', async () => {
    const { attempt } = await send(tokenUrl, [
      { error: Object.assign(nodeError('ECONNRESET'), { request: { body: 'hunter2' } }) },
    ])
    const cause = attempt.failure?.cause as Error & { readonly code?: string }
    expect(cause.code).toBe('ECONNRESET')
    expect(Object.keys(cause)).not.toContain('request')
    expect(`${cause.message}${String(cause.stack)}`).not.toContain('hunter2')
  })
})

describe('a request', () => {
  test('to a host that the policy does not name is refused before anything is sent', async () => {
    expect(await send('https://login.microsoftonline.com/common/discovery/instance', [{}])).toMatchObject({
      outcome: 'EGRESS_BLOCKED',
      asked: 0,
    })
  })

  test.each([
    [{ error: nodeError('ECONNRESET') }, '200', 2],
    [{ status: 500 }, '200', 2],
    [{ status: 503, headers: { 'retry-after': '1' } }, '200', 2],
    [{ status: 429, headers: { 'retry-after': '0' } }, '200', 2],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 'AUTHORITY_THROTTLED', 1],
    [{ status: 403, body: { message: 'Forbidden' } }, 'AUTHORITY_HTTP_ERROR', 1],
    [{ error: nodeError('ECONNREFUSED') }, 'AUTHORITY_REFUSED', 1],
    [{ status: 404 }, 'AUTHORITY_NOT_FOUND', 1],
  ] satisfies [MemoryAnswer, string, number][])('after %j ends in %s with %d tries', async (first, outcome, asked) => {
    expect(await send(tokenUrl, [first, token])).toMatchObject({ outcome, asked })
  })

  test('leaves a step without query, body or header', async () => {
    const { attempt } = await send(`${tokenUrl}?secret=hunter2`, [token])
    expect(attempt.steps).toEqual([
      {
        step: 'token',
        method: 'GET',
        host: 'login.test',
        path: '/t/oauth2/v2.0/token',
        outcome: 'ok',
        status: 200,
        durationMs: expect.any(Number) as number,
      },
    ])
  })
})

describe('a token on its way', () => {
  const carry = async (url: string, policy = egress) => {
    const inner = memoryClient({})
    const client = createGuardedClient({ egress: policy, inner, proxies: { HTTPS_PROXY: 'http://proxy.test:1' } })
    const request = requestOf(url, { authorization: 'Bearer hunter2' })
    const outcome = await client.sendRequest(request).then(
      () => 'sent',
      (error: unknown) => (isServiceError(error) ? error.code : String(error)),
    )
    return { outcome, proxied: inner.requests[0]?.agent instanceof Tunnel }
  }

  test('is not sent over plain http', async () => {
    expect(await carry('http://arm.test/subscriptions')).toEqual({ outcome: 'PLAIN_HTTP', proxied: false })
  })

  test.each([
    'http://localhost:1/',
    'http://127.0.0.1:1/',
    'http://127.8.9.10:1/',
    'http://[::1]:1/',
    'https://localhost:1/',
  ])('goes to %s directly, never through a proxy', async (url) => {
    const policy = createEgressPolicy({ RESOURCE_MANAGER: [url] })
    expect(await carry(`${url}subscriptions`, policy)).toEqual({ outcome: 'sent', proxied: false })
  })

  test('goes over https through the proxy of the variables', async () => {
    expect(await carry('https://arm.test/subscriptions')).toEqual({ outcome: 'sent', proxied: true })
  })
})

describe('an address of IPv6', () => {
  test('is connected to without its brackets', async () => {
    const inner = memoryClient({})
    const client = createGuardedClient({ egress: createEgressPolicy({ METADATA: ['https://[fd00::1]/'] }), inner })
    await client.sendRequest(requestOf('https://[fd00::1]/metadata/endpoints'))
    expect(inner.requests[0]?.requestOverrides).toMatchObject({ hostname: 'fd00::1' })
  })
})

describe('a slow answer', () => {
  afterEach(() => vi.useRealTimers())

  test.each([
    ['8 s with the deadline of 10 s that is the default', 8000, 10_000, 'AUTHORITY_TIMEOUT'],
    ['4 s with that deadline', 4000, 10_000, 200],
    ['8 s with a deadline of 60 s', 8000, 60_000, 200],
    ['31 s with that deadline', 31_000, 60_000, 'AUTHORITY_TIMEOUT'],
  ])('of %s', async (_name, answerMs, timeoutMs, outcome) => {
    vi.useFakeTimers()
    const inner = memoryClient(document)
    const slow = {
      sendRequest: (request: Parameters<typeof inner.sendRequest>[0]) =>
        new Promise<Awaited<ReturnType<typeof inner.sendRequest>>>((resolve, reject) => {
          request.abortSignal?.addEventListener('abort', () => reject(new Error('aborted')))
          setTimeout(() => resolve(inner.sendRequest(request)), answerMs)
        }),
    }
    const attempt = new Attempt({ timeoutMs })
    const client = createGuardedClient({ egress, inner: slow, documents: createSharedDocuments() })
    const answer = attempt
      .run(() => client.sendRequest(requestOf(documentUrl)))
      .then(
        ({ status }) => status,
        ({ code }: ServiceError) => code,
      )
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(await answer).toBe(outcome)
  })
})

describe('a shared document', () => {
  test('is not taken from the others by one who gives up', async () => {
    const documents = createSharedDocuments()
    let answer: () => void = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    const inner = memoryClient(document)
    const slow = {
      sendRequest: async (request: Parameters<typeof inner.sendRequest>[0]) =>
        held.then(() => inner.sendRequest(request)),
    }
    const client = () => createGuardedClient({ egress, inner: slow, documents })
    const impatient = new Attempt({ timeoutMs: 20 })
    const patient = new Attempt({ timeoutMs: 120_000 })
    const first = impatient.run(() => client().sendRequest(requestOf(documentUrl)))
    const second = patient.run(() => client().sendRequest(requestOf(documentUrl)))
    await expect(first).rejects.toMatchObject({ code: 'AUTHORITY_TIMEOUT' })
    answer()
    expect(await second).toMatchObject({ status: 200 })
    expect(inner.requests).toHaveLength(1)
  })
})

describe('the aliases of a well-known authority', () => {
  test.each([
    ['https://login.chinacloudapi.cn/', 'https://login.partner.microsoftonline.cn/t/oauth2/v2.0/token'],
    ['https://login.microsoftonline.com/', 'https://login.windows.net/t/oauth2/v2.0/token'],
  ])('%s may be asked at %s, and others may not', async (host, url) => {
    expect(await send(url, [token], { egress: createEgressPolicy({ AUTHORITY: [host] }) })).toMatchObject({
      outcome: '200',
    })
    expect(await send(url, [token])).toMatchObject({ outcome: 'EGRESS_BLOCKED', asked: 0 })
  })
})
