import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'

const enclave = useEnclave({ secrets: { Planted: 'by the test' } })
const send = async (method: string, path: string, body?: unknown) => {
  const token = await enclave.token(enclave.cloud.audiences.keyVault)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `${enclave.cloud.vaultEndpoint}${path}?api-version=7.4`
  const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(url, options)
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

test('a secret can be seeded, written, read by version, listed and deleted', async () => {
  expect(await send('GET', 'secrets/planted')).toMatchObject({ status: 200, body: { value: 'by the test' } })
  const first = await send('PUT', 'secrets/written', { value: 'one', contentType: 'text/plain', tags: { a: 'b' } })
  await send('PUT', 'secrets/written', { value: 'two' })
  const version = String(first.body['id']).split('/').at(-1)
  expect(await send('GET', 'secrets/written')).toMatchObject({ body: { value: 'two' } })
  expect(await send('GET', `secrets/written/${version}`)).toMatchObject({ body: { value: 'one', tags: { a: 'b' } } })
  expect((await send('GET', 'secrets/written/versions')).body['value']).toHaveLength(2)
  expect(JSON.stringify(await send('GET', 'secrets'))).toMatch(/example.*planted.*written/)
  expect((await send('DELETE', 'secrets/written')).status).toBe(200)
  expect((await send('GET', 'secrets/written')).status).toBe(404)
})

test('each list names what GET finds', async () => {
  for (const kind of ['secrets', 'keys', 'certificates']) {
    const { body } = await send('GET', kind)
    for (const { id, kid } of body['value'] as readonly { id?: string; kid?: string }[]) {
      expect((await send('GET', new URL(id ?? kid ?? '').pathname.slice(1))).status).toBe(200)
    }
  }
})

test.each([
  ['encrypt', 'decrypt', 'RSA-OAEP-256'],
  ['wrapkey', 'unwrapkey', 'RSA-OAEP'],
])('a key can %s and %s', async (forth, back, alg) => {
  const value = Buffer.from('a key of 32 bytes, or almost so').toString('base64url')
  const there = await send('POST', `keys/example/1/${forth}`, { alg, value })
  expect(there.body['value']).not.toBe(value)
  expect(await send('POST', `keys/example/1/${back}`, { alg, value: there.body['value'] })).toMatchObject({
    body: { value },
  })
})

test('a key signs a digest, and knows its signature', async () => {
  const { body: created } = await send('POST', 'keys/mine/create', { kty: 'RSA' })
  expect(created).toMatchObject({ key: { kty: 'RSA' } })
  const digest = createHash('sha256').update('text').digest('base64url')
  const { body } = await send('POST', 'keys/mine/1/sign', { alg: 'RS256', value: digest })
  const verify = (changed: string) =>
    send('POST', 'keys/mine/1/verify', { alg: 'RS256', digest: changed, value: body['value'] })
  expect(await verify(digest)).toMatchObject({ body: { value: true } })
  expect(await verify(createHash('sha256').update('other').digest('base64url'))).toMatchObject({
    body: { value: false },
  })
})

test('what the vault lacks is refused by name', async () => {
  expect(await send('POST', 'keys/example/1/encrypt', { alg: 'RSA1_5', value: 'eA' })).toMatchObject({ status: 400 })
  expect(await send('POST', 'keys/ec/create', { kty: 'EC' })).toMatchObject({ status: 501 })
  const unknown = { issuer: { name: 'Unknown' }, x509_props: { subject: 'CN=a' } }
  expect(await send('POST', 'certificates/new/create', { policy: unknown })).toMatchObject({ status: 501 })
  expect(JSON.stringify(await send('POST', 'certificates/new/import', {}))).toContain('POST /certificates/new/import')
})

test('a certificate is created, polled, and read with its key and its secret', async () => {
  const sans = { dns_names: ['a.example'] }
  const policy = {
    issuer: { name: 'Self' },
    key_props: { kty: 'RSA', key_size: 2048 },
    secret_props: { contentType: 'application/x-pem-file' },
    x509_props: { subject: 'cn=a.example, O=Own', sans, validity_months: 6 },
  }
  expect(await send('POST', 'certificates/tls/create', { policy })).toMatchObject({
    status: 202,
    body: { status: 'inProgress' },
  })
  const { body: pending } = await send('GET', 'certificates/tls/pending')
  expect(pending).toMatchObject({ status: 'completed', target: expect.stringMatching(/certificates\/tls$/) as string })
  const { body } = await send('GET', 'certificates/tls')
  const { cer, kid, sid } = body as Record<'cer' | 'kid' | 'sid', string>
  const certificate = new X509Certificate(Buffer.from(cer, 'base64'))
  expect([certificate.subject, certificate.checkHost('a.example')]).toEqual(['CN=a.example\nO=Own', 'a.example'])
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  const { body: secret } = await send('GET', new URL(sid).pathname.slice(1))
  expect(certificate.checkPrivateKey(createPrivateKey(String(secret['value'])))).toBe(true)
  const { n } = certificate.publicKey.export({ format: 'jwk' })
  expect((await send('GET', new URL(kid).pathname.slice(1))).body).toMatchObject({ key: { n } })
  expect(body).toMatchObject({ policy: { x509_props: { sans } } })
  expect((await send('GET', 'certificates/none')).status).toBe(404)
  for (const [method, path] of [
    ['DELETE', 'tls'],
    ['GET', 'tls/versions'],
  ] as const)
    expect((await send(method, `certificates/${path}`)).status).toBe(501)
  const pkcs12 = { ...policy, secret_props: {} }
  await send('POST', 'certificates/pfx/create', { policy: pkcs12 })
  expect(JSON.stringify(await send('GET', 'secrets/pfx'))).toContain('x-pem-file')
  const invalid = { ...policy, x509_props: { subject: 'a' } }
  expect(await send('POST', 'certificates/bad/create', { policy: invalid })).toMatchObject({ status: 400 })
})

test('the directory API knows the organization, the user and the application', async () => {
  const url = enclave.cloud.profile.services?.['microsoftGraph']?.url ?? ''
  const token = await enclave.token(url)
  const get = async (path: string) => {
    const response = await fetch(`${url}v1.0/${path}`, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, text: await response.text() }
  }
  expect((await get('organization')).text).toContain(enclave.cloud.directoryId)
  expect((await get('servicePrincipals')).text).toContain(enclave.cloud.clientId)
  expect(await get('me')).toMatchObject({ status: 400 })
  expect(await get('sites')).toMatchObject({ status: 501, text: expect.stringContaining('GET /v1.0/sites') as string })
})

test.each<readonly [method: string, path: string, body: unknown, name: string]>([
  ...['encrypt', 'decrypt', 'wrapkey', 'unwrapkey', 'sign', 'verify'].flatMap(
    (action): (readonly [string, string, unknown, string])[] => [
      ['POST', `keys/example/1/${action}`, { alg: 'RS256', value: 5, digest: 'AA' }, 'value'],
      ['POST', `keys/example/1/${action}`, { alg: 'RS256', value: { length: 9 }, digest: 'AA' }, 'value'],
      ['POST', `keys/example/1/${action}`, { alg: ['RS256'], value: 'AA', digest: 'AA' }, 'alg'],
      ['POST', `keys/example/1/${action}`, ['RS256'], 'alg'],
      ['POST', `keys/example/1/${action}`, 'RS256', 'alg'],
    ],
  ),
  ['POST', 'keys/example/1/verify', { alg: 'RS256', value: 'AA', digest: null }, 'digest'],
  ['POST', 'keys/mine/create', { kty: 2 }, 'kty'],
  ['POST', 'keys/mine/create', null, 'kty'],
  ['PUT', 'secrets/mine', { value: 5 }, 'value'],
  ['PUT', 'secrets/mine', { value: null }, 'value'],
  ['PUT', 'secrets/mine', ['text'], 'value'],
  ['PUT', 'secrets/mine', 5, 'value'],
  ['PUT', 'secrets/mine', { value: 'text', contentType: 5 }, 'contentType'],
])('%s %s of %j is a bad parameter: %s', async (method, path, body, name) => {
  const error = { code: 'BadParameter', message: `The parameter ${name} must be a text.` }
  expect(await send(method, path, body)).toEqual({ status: 400, body: { error } })
})
