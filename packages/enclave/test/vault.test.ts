import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'

const enclave = useEnclave({ secrets: { Planted: 'by the test' } })
const send = async (method: string, path: string, content?: unknown) => {
  const { vaultEndpoint, audiences } = enclave.cloud
  const more = { method, ...(content === undefined ? {} : { body: JSON.stringify(content) }) }
  const { status, json } = await enclave.call(`${vaultEndpoint}${path}?api-version=7.4`, audiences.keyVault, more)
  return { status, body: json() as Readonly<Record<string, unknown>> }
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
  const { body: there } = await send('POST', `keys/example/1/${forth}`, { alg, value })
  expect(there['value']).not.toBe(value)
  const { body } = await send('POST', `keys/example/1/${back}`, { alg, value: there['value'] })
  expect(body).toMatchObject({ value })
})

test('a key signs a digest, and knows its signature', async () => {
  const { body: created } = await send('POST', 'keys/mine/create', { kty: 'RSA' })
  expect(created).toMatchObject({ key: { kty: 'RSA' } })
  const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
  const { body: signed } = await send('POST', 'keys/mine/1/sign', { alg: 'RS256', value: digestOf('text') })
  for (const text of ['text', 'other']) {
    const given = { alg: 'RS256', digest: digestOf(text), value: signed['value'] }
    expect(await send('POST', 'keys/mine/1/verify', given)).toMatchObject({ body: { value: text === 'text' } })
  }
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
  const created = await send('POST', 'certificates/tls/create', { policy })
  expect(created).toMatchObject({ status: 202, body: { status: 'inProgress' } })
  const { body: pending } = await send('GET', 'certificates/tls/pending')
  expect(pending).toMatchObject({ status: 'completed', target: /certificates\/tls$/ })
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
  expect((await send('DELETE', 'certificates/tls')).status).toBe(501)
  expect((await send('GET', 'certificates/tls/versions')).status).toBe(501)
  const pkcs12 = { ...policy, secret_props: {} }
  await send('POST', 'certificates/pfx/create', { policy: pkcs12 })
  expect(JSON.stringify(await send('GET', 'secrets/pfx'))).toContain('x-pem-file')
  const invalid = { ...policy, x509_props: { subject: 'a' } }
  expect(await send('POST', 'certificates/bad/create', { policy: invalid })).toMatchObject({ status: 400 })
})

test('the directory API knows the organization, the user and the application', async () => {
  const url = enclave.cloud.profile.services?.['microsoftGraph']?.url ?? ''
  const get = (path: string) => enclave.call(`${url}v1.0/${path}`, url)
  expect((await get('organization')).body).toContain(enclave.cloud.directoryId)
  expect((await get('servicePrincipals')).body).toContain(enclave.cloud.clientId)
  expect(await get('me')).toMatchObject({ status: 400 })
  expect(await get('sites')).toMatchObject({ status: 501, body: /GET \/v1\.0\/sites/ })
})

const actions = ['encrypt', 'decrypt', 'wrapkey', 'unwrapkey', 'sign', 'verify']

test.each<readonly [method: string, path: string, body: unknown, name: string]>([
  ...actions.map((each) => ['POST', `keys/example/1/${each}`, { alg: 'RS256', value: 5 }, 'value'] as const),
  ['POST', 'keys/example/1/sign', { alg: 'RS256', value: { length: 9 } }, 'value'],
  ['POST', 'keys/example/1/sign', { alg: ['RS256'], value: 'AA' }, 'alg'],
  ['POST', 'keys/example/1/sign', 'RS256', 'alg'],
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
