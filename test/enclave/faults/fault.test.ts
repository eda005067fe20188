import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent } from 'node:https'
import { type Socket, connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Enclave,
  type FaultChoice,
  type FaultKind,
  faultTable,
  startEnclave,
} from '../../../src/enclave/enclave.ts'
import { openRequest, sendRequest } from '../../support/send-request.ts'
import { tokenEndpoint, useEnclave } from '../../support/use-enclave.ts'

const documentOf = ({ authorityHost, tenantId }: Enclave): string =>
  `${authorityHost}${tenantId}/v2.0/.well-known/openid-configuration`
const portOf = (url: string): number => Number(new URL(url).port)

describe('a fault of the connection', () => {
  const enclave = useEnclave()

  test.each<[FaultKind, string]>([
    ['refused', 'ECONNREFUSED'],
    ['untrusted-ca', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['expired-certificate', 'CERT_HAS_EXPIRED'],
    ['not-yet-valid-certificate', 'CERT_NOT_YET_VALID'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['missing-intermediate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('%s fails with %s, and is gone when turned off', async (kind, code) => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind })
    await expect(send(documentOf(cloud))).rejects.toMatchObject({ code })
    await cloud.setFault(undefined, 'login')
    expect((await send(documentOf(cloud))).status).toBe(200)
  })

  test('reaches a client that keeps its connections open', async () => {
    const { cloud } = enclave
    const agent = new Agent({ keepAlive: true, ca: cloud.ca.certificatePem })
    const before = await openRequest(documentOf(cloud), { agent })
    await once(before.resume(), 'end')
    await cloud.setFault({ kind: 'untrusted-ca' })
    await expect(openRequest(documentOf(cloud), { agent })).rejects.toMatchObject({
      code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    })
    agent.destroy()
  })

  test('can be turned on and off without waiting in between', async () => {
    const { cloud, send } = enclave
    await Promise.all([
      cloud.setFault({ kind: 'refused' }),
      cloud.setFault(undefined),
      cloud.setFault({ kind: 'refused' }),
    ])
    await expect(send(documentOf(cloud))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await Promise.all([cloud.setFault(undefined), cloud.setFault({ kind: 'refused' }), cloud.setFault(undefined)])
    expect((await send(documentOf(cloud))).status).toBe(200)
  })

  test('does not affect the other roles', async () => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind: 'refused' }, 'login')
    expect((await send(`${cloud.metadataEndpoint}?api-version=2015-01-01`)).status).toBe(200)
  })

  test('can be on from the start', async () => {
    const cloud = await startEnclave({ ca: enclave.cloud.ca, faults: [{ fault: { kind: 'refused' } }] })
    await expect(sendRequest(documentOf(cloud), { ca: cloud.ca.certificatePem })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
    await cloud.close()
  })
})

describe('a fault that hangs', () => {
  let cloud: Enclave | undefined
  let socket: Socket | undefined
  afterEach(async () => {
    socket?.destroy()
    await cloud?.close()
  })

  test('silent takes the request and never answers, until the enclave closes', async () => {
    cloud = await startEnclave({ faults: [{ fault: { kind: 'silent' } }] })
    const pending = sendRequest(documentOf(cloud), { ca: cloud.ca.certificatePem })
    const request = await cloud.waitForRequest(({ path }) => path.endsWith('openid-configuration'))
    expect(request.status).toBeUndefined()
    await Promise.all([expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' }), cloud.close()])
  })

  test('silent on the token step does not affect the OpenID configuration', async () => {
    cloud = await startEnclave({ faults: [{ fault: { kind: 'silent' }, target: 'login/token' }] })
    const trusted = { ca: cloud.ca.certificatePem }
    expect((await sendRequest(documentOf(cloud), trusted)).status).toBe(200)
    const pending = sendRequest(tokenEndpoint(cloud), { ...trusted, form: { grant_type: 'client_credentials' } })
    await cloud.waitForRequest(({ method }) => method === 'POST')
    await Promise.all([expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' }), cloud.close()])
  })

  test('silent-tls accepts the connection and does not answer the handshake', async () => {
    cloud = await startEnclave({ faults: [{ fault: { kind: 'silent-tls' } }] })
    socket = connect(portOf(cloud.authorityHost), '127.0.0.1')
    await once(socket, 'connect')
    const handshake = once(connectSecurely({ socket, servername: 'localhost' }), 'secureConnect')
    await Promise.all([expect(handshake).rejects.toMatchObject({ code: 'ECONNRESET' }), cloud.close()])
    expect(cloud.requests).toEqual([])
  })

  test('closing ends what hangs', async () => {
    cloud = await startEnclave({
      faults: [{ fault: { kind: 'silent' } }, { fault: { kind: 'slow-drip' }, target: 'resource-manager' }],
    })
    const trusted = { ca: cloud.ca.certificatePem }
    const hanging = sendRequest(documentOf(cloud), trusted)
    const dripping = sendRequest(`${cloud.metadataEndpoint}?api-version=2015-01-01`, trusted)
    const ends = Promise.allSettled([hanging, dripping])
    await cloud.waitForRequest(({ role }) => role === 'resource-manager')
    await cloud.waitForRequest(({ role }) => role === 'login')
    await cloud.close()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('a fault of the answer', () => {
  const enclave = useEnclave()
  const fetchDocument = async (fault: FaultChoice) => {
    await enclave.cloud.setFault(fault, 'login/openid-configuration')
    return enclave.send(documentOf(enclave.cloud))
  }
  const open = async (fault: FaultChoice): Promise<IncomingMessage> => {
    await enclave.cloud.setFault(fault, 'login/openid-configuration')
    return openRequest(documentOf(enclave.cloud), { ca: enclave.cloud.ca.certificatePem })
  }

  test.each<[FaultKind, number]>([
    ['not-found', 404],
    ['html', 200],
    ['empty', 200],
    ['redirect', 302],
    ['status-429', 429],
    ['status-500', 500],
    ['status-503', 503],
  ])('%s responds with status %i', async (kind, status) => {
    const answer = await fetchDocument({ kind })
    expect(answer.status).toBe(status)
    expect(answer.body).not.toContain('token_endpoint')
  })

  test('redirect points to the same path on the foreign host', async () => {
    const { pathname } = new URL(documentOf(enclave.cloud))
    const { headers } = await fetchDocument({ kind: 'redirect' })
    expect(headers.location).toBe(enclave.cloud.foreign.origin + pathname)
  })

  test('status-429 asks for an hour, or for the given time', async () => {
    expect((await fetchDocument({ kind: 'status-429' })).headers['retry-after']).toBe('3600')
    expect((await fetchDocument({ kind: 'status-429', retryAfterSeconds: 7 })).headers['retry-after']).toBe('7')
  })

  test('invalid-json is complete and broken', async () => {
    const { body, headers } = await fetchDocument({ kind: 'invalid-json' })
    expect(Buffer.byteLength(body)).toBe(Number(headers['content-length']))
    expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError)
  })

  test('byte-order-mark precedes a good document', async () => {
    const { body } = await fetchDocument({ kind: 'byte-order-mark' })
    expect(body.codePointAt(0)).toBe(0xfeff)
    expect(JSON.parse(body.slice(1))).toHaveProperty('token_endpoint')
  })

  test('not-utf8 is UTF-16', async () => {
    expect((await fetchDocument({ kind: 'not-utf8' })).body.slice(0, 4)).toBe('{\0"\0')
  })

  test.each<[FaultKind]>([['reset'], ['truncated']])('%s breaks the connection within the body', async (kind) => {
    const response = await open({ kind })
    const [error] = (await once(response.resume(), 'error').catch((failure: unknown) => [failure])) as [
      { code: string },
    ]
    expect(response.statusCode).toBe(200)
    expect(response.complete).toBe(false)
    expect(error.code).toBe('ECONNRESET')
  })

  test('slow-drip sends one byte at a time, and more than the document has', async () => {
    const { cloud, send } = enclave
    const address = `${cloud.metadataEndpoint}?api-version=2015-01-01`
    const whole = (await send(address)).body
    await cloud.setFault({ kind: 'slow-drip', everyMilliseconds: 1 }, 'resource-manager/metadata')
    const response = await openRequest(address, { ca: cloud.ca.certificatePem })
    let received = ''
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.toString()
      if (received.length > whole.length + 5) break
    }
    expect(received).toBe(whole.padEnd(received.length))
    expect(response.complete).toBe(false)
  })

  test('huge-body does not end', async () => {
    const response = await open({ kind: 'huge-body' })
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > 4 * 1024 * 1024) break
    }
    expect(size).toBeGreaterThan(4 * 1024 * 1024)
  })
})

describe('a fault of the content', () => {
  const enclave = useEnclave({ tokenLifetimeSeconds: 600 })
  const tokenAnswer = async (fault: FaultChoice) => {
    await enclave.cloud.setFault(fault)
    const scope = `${enclave.cloud.resourceManagerAudience}.default`
    const answer = await enclave.postToken({ grant_type: 'client_credentials', scope })
    return answer.json() as { access_token: string; expires_in?: number }
  }
  const claims = async (fault: FaultChoice) => decodeJwt((await tokenAnswer(fault)).access_token)
  const document = async (fault: FaultChoice) => {
    await enclave.cloud.setFault(fault)
    return (await enclave.send(documentOf(enclave.cloud))).json() as Record<string, string>
  }

  test('foreign-issuer moves the issuer alone', async () => {
    const { issuer, token_endpoint: endpoint } = await document({ kind: 'foreign-issuer' })
    expect(new URL(issuer ?? '').origin).toBe(enclave.cloud.foreign.origin)
    expect(endpoint).toBe(tokenEndpoint(enclave.cloud))
  })

  test('foreign-token-endpoint leads a secret to the foreign host, which records it', async () => {
    const { issuer, token_endpoint: endpoint = '' } = await document({ kind: 'foreign-token-endpoint' })
    expect(issuer).toBe(`${enclave.cloud.authorityHost}${enclave.cloud.tenantId}/v2.0`)
    expect(enclave.cloud.foreign.received).toEqual([])
    await enclave.send(endpoint, { form: { client_secret: 'planted' } })
    expect(enclave.cloud.foreign.received).toEqual([
      { method: 'POST', path: new URL(tokenEndpoint(enclave.cloud)).pathname, body: 'client_secret=planted' },
    ])
    expect(JSON.stringify(enclave.cloud.requests)).not.toContain('planted')
  })

  test('missing-token-endpoint leaves it out', async () => {
    const answer = await document({ kind: 'missing-token-endpoint' })
    expect(answer).toHaveProperty('issuer')
    expect(answer).not.toHaveProperty('token_endpoint')
  })

  test('replaced-fields replaces fields of a good answer and omits undefined ones', async () => {
    expect(await tokenAnswer({ kind: 'replaced-fields' })).toMatchObject({ expires_in: 1e13, token_type: 'Bearer' })
    const given = await tokenAnswer({ kind: 'replaced-fields', fields: { expires_in: undefined, scope: 1 } })
    expect(given).toMatchObject({ scope: 1 })
    expect(given).not.toHaveProperty('expires_in')
    const refused = await enclave.postToken({ grant_type: 'client_credentials', scope: 'wrong' })
    expect(refused.json()).not.toHaveProperty('scope')
  })

  test('replaced-fields puts a line break into token_endpoint, and the device code below every limit', async () => {
    const { cloud, send } = enclave
    const odd = `${cloud.authorityHost}\ntoken`
    await cloud.setFault({ kind: 'replaced-fields', fields: { token_endpoint: odd } }, 'login/openid-configuration')
    expect((await send(documentOf(cloud))).json()).toMatchObject({ token_endpoint: odd })
    const fields = { interval: 0.001, expires_in: 2_147_484 }
    await cloud.setFault({ kind: 'replaced-fields', fields }, 'login/device-code')
    const form = { client_id: cloud.clientId, scope: `${cloud.resourceManagerAudience}.default` }
    const answer = await send(tokenEndpoint(cloud).replace(/token$/, 'devicecode'), { form })
    expect(answer.json()).toMatchObject(fields)
  })

  test('replaced-claims changes claims of the token', async () => {
    expect((await claims({ kind: 'replaced-claims' })).exp).toBe('tomorrow')
    const { keyVault: aud } = enclave.cloud.audiences
    expect(await claims({ kind: 'replaced-claims', claims: { aud, exp: undefined } })).toMatchObject({ aud })
    expect(await claims({ kind: 'replaced-claims', claims: { exp: undefined } })).not.toHaveProperty('exp')
  })

  test('replaced-status sends the token, or another body, with an error status', async () => {
    const { cloud, send } = enclave
    const scope = `${cloud.resourceManagerAudience}.default`
    await cloud.setFault({ kind: 'replaced-status' }, 'login/token')
    const refused = await enclave.postToken({ grant_type: 'client_credentials', scope })
    expect([refused.status, refused.json()]).toMatchObject([401, { token_type: 'Bearer' }])
    await cloud.setFault({ kind: 'replaced-status', status: 404, body: {} }, 'login/openid-configuration')
    const document = await send(documentOf(cloud))
    expect([document.status, document.body]).toEqual([404, '{}'])
  })

  test('short-lived-token has the same lifetime in the token and the answer', async () => {
    const answer = await tokenAnswer({ kind: 'short-lived-token' })
    const { iat = 0, exp } = decodeJwt(answer.access_token)
    expect([answer.expires_in, exp]).toEqual([5, iat + 5])
  })

  test('aadsts injects any number, with the error that belongs to a known one', async () => {
    expect(await tokenAnswer({ kind: 'aadsts', number: 53003 })).toMatchObject({
      error: 'interaction_required',
      error_codes: [53003],
    })
    expect(await tokenAnswer({ kind: 'aadsts', number: 123, error: 'custom' })).toMatchObject({
      error: 'custom',
      error_codes: [123],
    })
  })

  test('wrong-audience gives a token that another service would take', async () => {
    expect((await claims({ kind: 'wrong-audience' })).aud).toBe('https://another-service.enclave.test/')
    expect((await claims({ kind: 'wrong-audience', audience: 'x:y' })).aud).toBe('x:y')
  })

  test('audience-without-slash differs by the slash alone', async () => {
    const { resourceManagerAudience } = enclave.cloud
    expect(`${String((await claims({ kind: 'audience-without-slash' })).aud)}/`).toBe(resourceManagerAudience)
  })

  test('wrong-tenant changes tid and iss', async () => {
    const { tid, iss } = await claims({ kind: 'wrong-tenant' })
    expect(tid).not.toBe(enclave.cloud.tenantId)
    expect(iss).toBe(`${enclave.cloud.authorityHost}${String(tid)}/`)
  })

  test('expired-token expired an hour ago', async () => {
    const { exp = 0 } = await claims({ kind: 'expired-token' })
    expect(Math.abs(Date.now() / 1000 - 3600 - exp)).toBeLessThan(300)
  })

  test('opaque-token is no JWT, no-expires-in has no lifetime', async () => {
    expect((await tokenAnswer({ kind: 'opaque-token' })).access_token).not.toContain('.')
    expect((await tokenAnswer({ kind: 'opaque-token' })).expires_in).toBe(600)
    expect(await tokenAnswer({ kind: 'no-expires-in' })).not.toHaveProperty('expires_in')
  })

  test('clock-skew shifts the Date header and the token of the whole enclave, which still takes it', async () => {
    await enclave.cloud.setFault({ kind: 'clock-skew', seconds: -7200 })
    const token = await enclave.token()
    const answer = await enclave.send(`${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const shifted = Date.now() - 7_200_000
    expect(Math.abs(Date.parse(answer.headers.date ?? '') - shifted)).toBeLessThan(300_000)
    expect(Math.abs((decodeJwt(token).nbf ?? 0) * 1000 - shifted)).toBeLessThan(300_000)
    expect(answer.status).toBe(200)
  })
})

describe('the table of faults', () => {
  const enclave = useEnclave()

  test('every fault can be set on each of its targets and on no other', async () => {
    for (const [kind, { targets }] of Object.entries(faultTable)) {
      const fault = { kind: kind as FaultKind }
      for (const target of ['login', 'login/device-code', 'managed-identity', 'vault'] as const) {
        const outcome = enclave.cloud.setFault(fault, target).then(
          () => true,
          (error: unknown) => !(error instanceof RangeError),
        )
        expect([kind, target, await outcome]).toEqual([kind, target, (targets as readonly string[]).includes(target)])
      }
    }
  })

  test('a fault of a step overrides the fault of its role', async () => {
    const { cloud, send } = enclave
    await cloud.setFault({ kind: 'status-500' }, 'login')
    await cloud.setFault({ kind: 'not-found' }, 'login/openid-configuration')
    expect((await send(documentOf(cloud))).status).toBe(404)
    expect((await send(tokenEndpoint(cloud), { form: {} })).status).toBe(500)
  })
})
