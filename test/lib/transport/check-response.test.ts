import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isServiceError, type NetworkRole } from '../../../src/lib/errors.ts'
import type { TraceStepName } from '../../../src/lib/transport/attempt.ts'
import { createEgressPolicy } from '../../../src/lib/transport/egress.ts'
import {
  checkResponse,
  responseEvidence,
  retryAfterOf,
  retryAfterSeconds,
} from '../../../src/lib/transport/check-response.ts'
import { requestOf, type MemoryAnswer } from './memory-client.ts'

const authority = 'https://login.test/'
const egress = createEgressPolicy({ AUTHORITY: [authority] })

/** What an answer is judged to be: `ok`, with its body, or a code. */
async function judge(step: TraceStepName, answer: MemoryAnswer, role: NetworkRole = 'AUTHORITY') {
  const { status = 200, headers = {}, body = {} } = answer
  const bodyAsText = typeof body === 'string' ? body : JSON.stringify(body)
  const response: PipelineResponse = {
    request: requestOf(authority),
    status,
    headers: createHttpHeaders({ ...headers }),
    bodyAsText,
  }
  try {
    const judged = await checkResponse(response, { role, step, url: new URL('t/x', authority), egress })
    return { outcome: 'ok', body: JSON.parse(judged.bodyAsText ?? '') as Record<string, unknown> }
  } catch (error) {
    if (isServiceError(error)) return { outcome: error.code, message: error.message, evidence: error.evidence }
    throw error
  }
}

describe('a status that is not success', () => {
  const device = { user_code: 'U', device_code: 'D', verification_uri: 'https://x.test/' }
  const good = { access_token: 't', expires_in: 3600, ...device }
  const steps = ['openid-configuration', 'token', 'device-code', 'user-realm', 'instance-discovery', 'other'] as const

  test.each([
    [301, 'AUTHORITY_REDIRECTED'],
    [400, 'AUTHORITY_HTTP_ERROR'],
    [404, 'AUTHORITY_NOT_FOUND'],
    [429, 'AUTHORITY_THROTTLED'],
    [500, 'AUTHORITY_HTTP_ERROR'],
  ])('%d is %s, whatever its body, at every step of a sign-in', async (status, code) => {
    for (const step of steps)
      for (const body of [good, {}, [], 'null']) expect((await judge(step, { status, body })).outcome).toBe(code)
  })

  test('without JSON it is not what was asked', async () => {
    expect((await judge('token', { status: 403, body: '<html>' })).outcome).toBe('AUTHORITY_RESPONSE_INVALID')
  })

  test.each([
    [400, 'MANAGED_IDENTITY_REJECTED'],
    [404, 'IDENTITY_ENDPOINT_NOT_FOUND'],
    [500, 'IDENTITY_ENDPOINT_HTTP_ERROR'],
  ])('%d of an identity endpoint is %s, even with a token in it', async (status, code) => {
    expect((await judge('managed-identity', { status, body: good }, 'IDENTITY_ENDPOINT')).outcome).toBe(code)
  })

  test('the challenge of an agent is let through, without its body', async () => {
    const headers = { 'www-authenticate': 'Basic realm=/var/opt/azcmagent/tokens/x.key' }
    const judged = await judge('managed-identity', { status: 401, headers, body: good }, 'IDENTITY_ENDPOINT')
    expect(judged).toEqual({ outcome: 'ok', body: {} })
  })
})

describe('a page in place of a response', () => {
  const evidenceOf = (body: string, request = requestOf(authority), type = 'text/html') => {
    const headers = createHttpHeaders({ server: 'gateway/1.0', 'content-type': type })
    const response = { request, status: 403, headers, bodyAsText: body }
    const { title, words, supportId, server } = responseEvidence(response, new URL(authority))
    return { title, words, supportId, server }
  }
  const secretForm = 'client_id=c&client_secret=hunter2%2Fhunter3&scope=s'
  const form: PipelineRequest = { ...requestOf(authority), method: 'POST', body: secretForm }
  const page = '<title>Access denied</title>Your support ID is: 1234567890123. Code aHVudGVyMg== and more'

  test('is named by its title, its words, its support id and its server', () => {
    const words = 'Your support ID is: 1234567890123. Code aHVudGVyMg== and more'
    const found = { title: 'Access denied', words, supportId: '1234567890123', server: 'gateway/1.0' }
    expect(evidenceOf(page)).toEqual(found)
    expect(evidenceOf('Blocked by policy 12', undefined, 'text/plain').words).toBe('Blocked by policy 12')
    expect(evidenceOf('{"a":1}', undefined, 'application/json')).toEqual({})
  })

  test.each<[string, PipelineRequest]>([
    ['a token', requestOf(authority, { authorization: 'Bearer hunter2' })],
    ['a secret header', requestOf(authority, { 'x-identity-header': 'hunter2' })],
    ['a form', form],
  ])('is quoted in plain words if the request carried %s, which it could echo', (_what, request) => {
    expect(evidenceOf(page, request)).toEqual({ title: 'Access denied', words: 'Your support ID is:' })
  })

  test('is quoted without markup and scripts, on one line, bounded, and without hidden characters', () => {
    const long = `<html><script>let x</script><h1>Access\n\u202Elimited</h1><p>by ${'policy '.repeat(50)}</p>`
    const { words = '' } = evidenceOf(long)
    expect(words).toMatch(/^Access limited by policy policy /)
    expect(words.length).toBeLessThanOrEqual(100)
  })

  test.each(['hunter2/hunter3', 'hunter2%2Fhunter3', 'HUNTE', 'client_secret=hunter2'])(
    'is not quoted with %s',
    (echo) => {
      expect(evidenceOf(`<title>Access limited</title><p>Refused</p><!-- ${echo} -->`, form)).toEqual({})
    },
  )
})

test.each([
  [429, '7'],
  [503, '7'],
  [500, undefined],
])('the seconds to wait are evidence of %d: %s', async (status, expected) => {
  const { evidence } = await judge('token', { status, headers: { 'retry-after': '7' } })
  expect(evidence?.['retryAfterSeconds']).toBe(expected)
})

test.each([
  [{ error: 'invalid_request', error_description: 'Identity not found' }, 'invalid_request', 'Identity not found'],
  [{ error: 'invalid_request', error_description: 'AADSTS500011: no x' }, 'invalid_resource', 'AADSTS500011: no x'],
  [{ statusCode: 400, message: 'No identity found\nat all' }, undefined, 'No identity found'],
])('the words of an identity endpoint are evidence: %j', async (body, error, words) => {
  const { evidence } = await judge('managed-identity', { status: 400, body }, 'IDENTITY_ENDPOINT')
  expect(evidence).toMatchObject({ words, ...(error && { error }) })
})

test.each(['hunter2-hunter3', 'a b', `x${'y'.repeat(90)}`])('%s is not the name of an error', async (error) => {
  const { evidence, message } = await judge('managed-identity', { status: 400, body: { error } }, 'IDENTITY_ENDPOINT')
  expect([evidence?.['error'], message]).toEqual([undefined, expect.not.stringContaining(error)])
})

describe('an error answer of the login authority', () => {
  test.each([
    [7000215, 'CLIENT_SECRET_INVALID'],
    [900382, 'TENANT_OF_ANOTHER_CLOUD'],
    [999999, 'TOKEN_REJECTED'],
  ] as const)('with the number %d is %s, listed or described', async (number, code) => {
    const listed = { error: 'invalid_request', error_codes: [number], error_description: 'hunter2' }
    const described = { error: 'invalid_request', error_description: `AADSTS${number}: hunter2` }
    for (const body of [listed, described]) {
      const { outcome, message } = await judge('token', { status: 400, body })
      expect(outcome).toBe(code)
      expect(message).not.toContain('hunter2')
      expect(message).toContain(`AADSTS${number}`)
    }
  })

  test.each([
    ['invalid_client', 'CLIENT_SECRET_INVALID'],
    ['invalid_scope', 'SCOPE_INVALID'],
    ['interaction_required', 'CONDITIONAL_ACCESS'],
    ['authorization_declined', 'DEVICE_CODE_DECLINED'],
    ['expired_token', 'DEVICE_CODE_EXPIRED'],
    ['constructor', 'TOKEN_REJECTED'],
    ['hunter2', 'TOKEN_REJECTED'],
  ])('with the name %s alone is %s', async (error, code) => {
    const { outcome, message } = await judge('token', { status: 400, body: { error } })
    expect(outcome).toBe(code)
    expect(message).not.toContain('hunter2')
  })

  test('that asks to wait is let through at the token endpoint alone, as nothing but that', async () => {
    const pending = { error: 'authorization_pending' }
    const body = { ...pending, access_token: 'hunter2' }
    expect(await judge('token', { status: 400, body })).toEqual({ outcome: 'ok', body: pending })
    expect((await judge('device-code', { status: 400, body })).outcome).toBe('DEVICE_CODE_PENDING')
  })
})

test.each([
  [{}, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: '' }, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: 't' }, 'ok'],
  [{ access_token: 't', expires_in: '3600' }, 'ok'],
  [{ access_token: 't', expires_in: 0 }, 'ok'],
  [{ access_token: 't', expires_in: 36_525 * 86_400 }, 'ok'],
  [{ access_token: 't', expires_in: 36_525 * 86_400 + 1 }, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: 't', expires_in: -1 }, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: 't', expires_in: 'soon' }, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: 't', refresh_in: 1e300 }, 'TOKEN_RESPONSE_INVALID'],
  [{ access_token: 't', expires_on: '4102444800' }, 'ok'],
  [{ access_token: 't', expires_on: '12/31/2099 11:59:59 PM +00:00' }, 'ok'],
  [{ access_token: 't', expires_on: 1e17 }, 'TOKEN_RESPONSE_INVALID'],
])('a token answer: %j is %s', async (body, outcome) => {
  expect((await judge('token', { body })).outcome).toBe(outcome)
  const ofIdentity = outcome === 'ok' ? outcome : 'IDENTITY_ENDPOINT_RESPONSE_INVALID'
  expect((await judge('managed-identity', { body }, 'IDENTITY_ENDPOINT')).outcome).toBe(ofIdentity)
})

describe('a device code answer', () => {
  const good = { user_code: 'ABCD', device_code: 'D', verification_uri: 'https://x.test/device', expires_in: 900 }

  test.each([
    [{}, { interval: 5 }],
    [{ interval: 0 }, { interval: 5 }],
    [{ interval: 0.001 }, { interval: 1 }],
    [{ interval: '7' }, { interval: 7 }],
    [{ interval: 1e9 }, { interval: 60 }],
    [{ expires_in: 2_147_484 }, { expires_in: 2_147_483 }],
    [{ expires_in: 1e300 }, { expires_in: 2_147_483 }],
  ])('with %j is polled and waited for by %j', async (part, expected) => {
    expect((await judge('device-code', { body: { ...good, ...part } })).body).toMatchObject(expected)
  })

  test.each([
    ['user_code', ''],
    ['user_code', '\u202E\n'],
    ['device_code', undefined],
    ['verification_uri', 'javascript:alert(1)'],
    ['expires_in', 0],
  ])('whose %s is %j is DEVICE_CODE_RESPONSE_INVALID', async (name, value) => {
    const { outcome, message } = await judge('device-code', { body: { ...good, [name]: value } })
    expect(outcome).toBe('DEVICE_CODE_RESPONSE_INVALID')
    expect(message).toContain(name)
  })

  test('has only printable text, and no message of the other side', async () => {
    const sent = {
      user_code: 'AB\u001B[2J\u202ECD\u0000',
      verification_uri: 'https://x.test/\u200Bd\n',
      message: 'hunter2',
    }
    const shown = { user_code: 'AB[2JCD', verification_uri: 'https://x.test/d', message: '' }
    expect((await judge('device-code', { body: { ...good, ...sent } })).body).toMatchObject(shown)
  })
})

describe('an OpenID configuration', () => {
  const good = {
    issuer: `${authority}t/v2.0`,
    authorization_endpoint: `${authority}a`,
    token_endpoint: `${authority}token`,
    jwks_uri: `${authority}keys`,
  }

  const longest = `${authority}${'x'.repeat(2048 - authority.length)}`
  const invalid = 'OPENID_CONFIGURATION_INVALID'
  test.each([
    ['issuer', 'https://login.test:8443/t/v2.0', 'ISSUER_MISMATCH'],
    ['issuer', 'http://login.test/t/v2.0', 'ISSUER_MISMATCH'],
    ['token_endpoint', 'https://login.test:8443/token', 'TOKEN_ENDPOINT_FOREIGN'],
    ['token_endpoint', 'https://elsewhere.test/token', 'TOKEN_ENDPOINT_FOREIGN'],
    ['authorization_endpoint', 'https://elsewhere.test/authorize', 'ok'],
    ['token_endpoint', longest, 'ok'],
    ['token_endpoint', `${longest}x`, invalid],
    ...['\n', '\u0000', '\u202E', '\u2028'].map((hidden) => ['token_endpoint', `${authority}${hidden}x`, invalid]),
  ] as [string, string, string][])('whose %s is %j is %s', async (name, value, outcome) => {
    const body = { ...good, [name]: value }
    expect((await judge('openid-configuration', { body })).outcome).toBe(outcome)
  })
})

test.each([
  [undefined, undefined, undefined],
  ['1.5', 1500, '2'],
  ['-5', 0, '0'],
  ['</title>', undefined, undefined],
  ['Sat, 21 Nov 2026 00:00:30 GMT', 30_000, '30'],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 0, '0'],
])('Retry-After %j is %j ms, and as evidence %j seconds, never its own text', (value, milliseconds, seconds) => {
  vi.setSystemTime('2026-11-21T00:00:00Z')
  onTestFinished(() => void vi.useRealTimers())
  expect([retryAfterOf(value), retryAfterSeconds(value)]).toEqual([milliseconds, seconds])
})
