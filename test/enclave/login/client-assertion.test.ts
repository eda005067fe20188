import { X509Certificate, createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JWTPayload, SignJWT, decodeJwt, exportPKCS8, generateKeyPair, importPKCS8 } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from '../../../src/enclave/enclave.ts'
import { repository } from '../../support/project-copy.ts'
import { tokenEndpoint, useEnclave } from '../../support/use-enclave.ts'

interface AssertionOptions {
  readonly algorithm?: 'RS256' | 'PS256'
  readonly header?: Readonly<Record<string, string>>
  readonly claims?: JWTPayload
  readonly keyPem?: string
}

const now = (): number => Math.floor(Date.now() / 1000)

function thumbprint(cloud: Enclave, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(new X509Certificate(cloud.clientCertificatePem).raw).digest('base64url')
}

async function certificateAssertion(cloud: Enclave, options: AssertionOptions = {}): Promise<string> {
  const { algorithm = 'PS256', keyPem = cloud.clientCertificatePem } = options
  const pkcs8 = keyPem.slice(keyPem.indexOf('-----BEGIN PRIVATE KEY-----'))
  const claims = {
    iss: cloud.clientId,
    sub: cloud.clientId,
    aud: tokenEndpoint(cloud),
    jti: randomUUID(),
    exp: now() + 600,
  }
  return new SignJWT({ ...claims, nbf: now(), ...options.claims })
    .setProtectedHeader({ alg: algorithm, ...(options.header ?? { 'x5t#S256': thumbprint(cloud, 'sha256') }) })
    .sign(await importPKCS8(pkcs8, algorithm))
}

function form(cloud: Enclave, assertion: string): Record<string, string> {
  return {
    grant_type: 'client_credentials',
    client_secret: '',
    scope: `${cloud.resourceManagerAudience}.default`,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
}

describe('a certificate assertion', () => {
  const enclave = useEnclave()
  const present = async (assertion: string) => enclave.postToken(form(enclave.cloud, assertion))

  test.each<[string, AssertionOptions, (cloud: Enclave) => Record<string, string>]>([
    ['PS256 and the SHA-256 thumbprint', { algorithm: 'PS256' }, (c) => ({ 'x5t#S256': thumbprint(c, 'sha256') })],
    ['RS256 and the SHA-1 thumbprint', { algorithm: 'RS256' }, (c) => ({ x5t: thumbprint(c, 'sha1') })],
    ['a padded thumbprint', { algorithm: 'RS256' }, (c) => ({ x5t: `${thumbprint(c, 'sha1')}=` })],
  ])('is accepted with %s', async (_, options, header) => {
    const assertion = await certificateAssertion(enclave.cloud, { ...options, header: header(enclave.cloud) })
    expect((await present(assertion)).status).toBe(200)
  })

  test('is accepted with times as strings, as MSAL.NET writes them', async () => {
    const times = { nbf: String(now()), exp: String(now() + 600) } as unknown as JWTPayload
    expect((await present(await certificateAssertion(enclave.cloud, { claims: times }))).status).toBe(200)
  })

  test('is accepted with several audiences', async () => {
    const claims = { aud: ['https://other.test/', tokenEndpoint(enclave.cloud)] }
    expect((await present(await certificateAssertion(enclave.cloud, { claims }))).status).toBe(200)
  })

  test.each<[string, number, AssertionOptions]>([
    ['expired, with times as strings', 700024, { claims: { exp: String(now() - 60) as unknown as number } }],
    ['without a valid expiry', 700024, { claims: { exp: 'tomorrow' as unknown as number } }],
    ['expired', 700024, { claims: { exp: now() - 60 } }],
    ['not valid yet', 700024, { claims: { nbf: now() + 600, exp: now() + 1200 } }],
    ['for an audience that is no text', 700023, { claims: { aud: 5 as unknown as string } }],
    ['for another authority', 700023, { claims: { aud: 'https://login.neighbor.test/' } }],
    ['of another application', 700021, { claims: { iss: 'someone-else' } }],
    ['with the thumbprint of another certificate', 700027, { header: { x5t: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' } }],
  ])('that is %s is refused with AADSTS%i', async (_, number, options) => {
    const answer = await present(await certificateAssertion(enclave.cloud, options))
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({ error: 'invalid_client', error_codes: [number] })
  })

  test('signed with another key is refused, with any thumbprint', async () => {
    const { privateKey } = await generateKeyPair('PS256', { extractable: true })
    const assertion = await certificateAssertion(enclave.cloud, { keyPem: await exportPKCS8(privateKey) })
    expect((await present(assertion)).json()).toMatchObject({ error_codes: [700027] })
  })

  test('that is no JWT is refused', async () => {
    expect((await present('not.a.jwt')).json()).toMatchObject({ error_codes: [50027] })
  })
})

describe('an enclave that takes an assertion once', () => {
  const enclave = useEnclave({ assertionsOnce: true })

  test('refuses its replay', async () => {
    const request = form(enclave.cloud, await certificateAssertion(enclave.cloud))
    expect((await enclave.postToken(request)).status).toBe(200)
    expect((await enclave.postToken(request)).json()).toMatchObject({ error_codes: [50013] })
  })
})

describe('a federated assertion', () => {
  const enclave = useEnclave()
  const present = async (assertion: string) => enclave.postToken(form(enclave.cloud, assertion))

  test('of the trusted service account is accepted, with aud as Kubernetes writes it', async () => {
    const token = await enclave.cloud.issueFederatedToken()
    expect(decodeJwt(token)).toMatchObject({ aud: ['api://AzureADTokenExchange'] })
    expect((await present(token)).status).toBe(200)
  })

  test('for several audiences is accepted', async () => {
    const audience = ['https://kubernetes.default.svc', 'api://AzureADTokenExchange']
    expect((await present(await enclave.cloud.issueFederatedToken({ audience }))).status).toBe(200)
  })

  test.each([{ aud: 5 }, { aud: null }, { aud: {} }, { aud: [null] }, { iss: { toString: 1 } }, { sub: [] }])(
    'with %j is refused, and no defect of the enclave',
    async (change) => {
      const [header, claims = '', signature] = (await enclave.cloud.issueFederatedToken()).split('.')
      const own = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
      const changed = Buffer.from(JSON.stringify({ ...own, ...change })).toString('base64url')
      const answer = await present([header, changed, signature].join('.'))
      expect(answer.json()).toMatchObject({ error: 'invalid_client', error_codes: [70021] })
    },
  )

  test('names the service account of the manifests', async () => {
    const overlay = readFileSync(join(repository, 'deploy/kubernetes/base/service-account.yaml'), 'utf8')
    const [, name] = /^ {2}name: (\S+)$/m.exec(overlay) ?? []
    const [, namespace] =
      /^namespace: (\S+)$/m.exec(readFileSync(join(repository, 'deploy/kubernetes/base/kustomization.yaml'), 'utf8')) ??
      []
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
    const other = await certificateAssertion(enclave.cloud)
    const answer = await present(`${header}.${claims}.${other.split('.')[2]}`)
    expect(answer.json()).toMatchObject({ error_codes: [50013] })
  })
})
