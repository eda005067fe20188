import { X509Certificate, createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT, decodeJwt, exportPKCS8, generateKeyPair, importPKCS8 } from 'jose'
import { describe, expect, test } from 'vitest'
import { repository } from '../../../../test/support/project-copy.ts'
import { tokenEndpoint, useEnclave } from '../../../../test/support/use-enclave.ts'

interface Changes {
  readonly algorithm?: 'RS256' | 'PS256'
  readonly thumbprint?: 'x5t' | 'x5t#S256' | 'padded x5t' | 'unknown'
  readonly claims?: Readonly<Record<string, unknown>>
  readonly keyPem?: string
}

const now = (): number => Math.floor(Date.now() / 1000)

function thumbprintHeader(kind: Changes['thumbprint']) {
  const { raw } = new X509Certificate(enclave.cloud.clientCertificatePem)
  const hash = (algorithm: string) => createHash(algorithm).update(raw).digest('base64url')
  if (kind === 'unknown') return { x5t: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' }
  if (kind === 'x5t#S256') return { [kind]: hash('sha256') }
  return { x5t: `${hash('sha1')}${kind === 'x5t' ? '' : '='}` }
}

const enclave = useEnclave()

/** Presents an assertion to the token endpoint. */
const present = (assertion: string) =>
  enclave.postToken({
    grant_type: 'client_credentials',
    client_secret: '',
    scope: `${enclave.cloud.resourceManagerAudience}.default`,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  })

/** An assertion of the application's certificate, changed or not. */
async function ofCertificate({ algorithm = 'PS256', thumbprint = 'x5t#S256', claims, keyPem }: Changes = {}) {
  const { clientId, clientCertificatePem } = enclave.cloud
  const pem = keyPem ?? clientCertificatePem.slice(clientCertificatePem.indexOf('-----BEGIN PRIVATE KEY-----'))
  const own = { iss: clientId, sub: clientId, aud: tokenEndpoint(enclave.cloud), jti: randomUUID() }
  return new SignJWT({ ...own, nbf: now(), exp: now() + 600, ...claims })
    .setProtectedHeader({ alg: algorithm, ...thumbprintHeader(thumbprint) })
    .sign(await importPKCS8(pem, algorithm))
}

describe('a certificate assertion', () => {
  test.each<[string, Changes]>([
    ['PS256 and the SHA-256 thumbprint', {}],
    ['RS256 and the SHA-1 thumbprint', { algorithm: 'RS256', thumbprint: 'x5t' }],
    ['a padded thumbprint', { algorithm: 'RS256', thumbprint: 'padded x5t' }],
    ['times as strings, as MSAL.NET writes them', { claims: { nbf: String(now()), exp: String(now() + 3600) } }],
  ])('is accepted with %s', async (_, changes) => {
    expect((await present(await ofCertificate(changes))).status).toBe(200)
  })

  test.each<[string, number, Changes]>([
    ['expired, with times as strings', 700024, { claims: { exp: String(now() - 60) } }],
    ['without a valid expiry', 700024, { claims: { exp: 'tomorrow' } }],
    ['expired', 700024, { claims: { exp: now() - 60 } }],
    ['not valid yet', 700024, { claims: { nbf: now() + 600, exp: now() + 1200 } }],
    ['for an audience that is no text', 700023, { claims: { aud: 5 } }],
    ['for another authority', 700023, { claims: { aud: 'https://login.neighbor.test/' } }],
    ['of another application', 700021, { claims: { iss: 'someone-else' } }],
    ['with the thumbprint of another certificate', 700027, { thumbprint: 'unknown' }],
  ])('that is %s is refused with AADSTS%i', async (_, number, changes) => {
    const answer = await present(await ofCertificate(changes))
    expect([answer.status, answer.json()]).toMatchObject([401, { error: 'invalid_client', error_codes: [number] }])
  })

  test('signed with another key, or no JWT, is refused', async () => {
    const { privateKey } = await generateKeyPair('PS256', { extractable: true })
    const forged = await ofCertificate({ keyPem: await exportPKCS8(privateKey) })
    expect((await present(forged)).json()).toMatchObject({ error_codes: [700027] })
    expect((await present('not.a.jwt')).json()).toMatchObject({ error_codes: [50027] })
  })
})

describe('a federated assertion', () => {
  test('of the trusted service account is accepted, with aud as Kubernetes writes it', async () => {
    const token = await enclave.cloud.issueFederatedToken()
    expect(decodeJwt(token)).toMatchObject({ aud: ['api://AzureADTokenExchange'] })
    const audience = ['https://kubernetes.default.svc', 'api://AzureADTokenExchange']
    for (const each of [token, await enclave.cloud.issueFederatedToken({ audience })])
      expect((await present(each)).status).toBe(200)
  })

  const invalid = [{ aud: 5 }, { aud: null }, { aud: {} }, { aud: [null] }, { iss: { toString: 1 } }, { sub: [] }]
  test.each(invalid)('with %j is refused, and no defect of the enclave', async (change) => {
    const token = await enclave.cloud.issueFederatedToken()
    const changed = Buffer.from(JSON.stringify({ ...decodeJwt(token), ...change })).toString('base64url')
    const answer = await present(token.replace(/\..*\./, `.${changed}.`))
    expect(answer.json()).toMatchObject({ error: 'invalid_client', error_codes: [70021] })
  })

  test('names the service account of the manifests', async () => {
    const read = (name: string) => readFileSync(join(repository, 'deploy/kubernetes/base', name), 'utf8')
    const [, name] = /^ {2}name: (\S+)$/m.exec(read('service-account.yaml')) ?? []
    const [, namespace] = /^namespace: (\S+)$/m.exec(read('kustomization.yaml')) ?? []
    expect(decodeJwt(await enclave.cloud.issueFederatedToken()).sub).toBe(`system:serviceaccount:${namespace}:${name}`)
  })

  test.each([
    ['another issuer', 70021, { issuer: 'https://another-cluster.test/' }],
    ['another service account', 70021, { subject: 'system:serviceaccount:default:another' }],
    ['another audience', 70021, { audience: 'https://kubernetes.default.svc' }],
    ['yesterday', 700024, { lifetimeSeconds: -86_400 }],
  ])('of %s is refused with AADSTS%i', async (_, number, options) => {
    const answer = await present(await enclave.cloud.issueFederatedToken(options))
    expect(answer.json()).toMatchObject({ error: 'invalid_client', error_codes: [number] })
  })

  test('with a forged signature is refused', async () => {
    const [header, claims] = (await enclave.cloud.issueFederatedToken()).split('.')
    const answer = await present(`${header}.${claims}.${(await ofCertificate()).split('.')[2]}`)
    expect(answer.json()).toMatchObject({ error_codes: [50013] })
  })
})
