import { generateKeyPairSync, getFips, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline'
import { ClientAssertionCredential, ClientCertificateCredential, type TokenCredential } from '@azure/identity'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  certificateAssertion,
  type ClientCertificate,
  readValidCertificate,
} from '../../../../src/lib/auth/client-certificate.ts'
import { useEnclave } from '../../../support/use-enclave.ts'

describe('a client assertion', () => {
  const running = useEnclave()
  const pem = () => readFileSync(running.files.clientCertificatePath, 'utf8')

  /** The assertion that a credential of the library sends to the enclave, which verifies it. */
  const sentBy = async (build: (clientId: string, options: object) => TokenCredential) => {
    const { cloud: enclave } = running
    let sent = ''
    const client = createDefaultHttpClient()
    const httpClient: HttpClient = {
      async sendRequest(request) {
        const body = typeof request.body === 'string' ? request.body : ''
        sent = new URLSearchParams(body).get('client_assertion') ?? sent
        return client.sendRequest(request)
      },
    }
    const { authorityHost } = enclave.profile
    const credential = build(enclave.clientId, { httpClient, authorityHost, disableInstanceDiscovery: true })
    await credential.getToken(`${enclave.profile.resourceManagerAudience}.default`)
    return sent
  }
  const read = () => {
    const path = running.files.clientCertificatePath
    return readValidCertificate({ certificateFile: { path, setting: 'clientCertificatePath', isOption: true } })
  }
  const sentByUs = (source: () => Promise<ClientCertificate> = read) =>
    sentBy((clientId, options) => {
      const assertion = certificateAssertion(clientId, source)
      return new ClientAssertionCredential(running.cloud.tenantId, clientId, assertion, options)
    })

  test('has the header and the claims that the certificate credential of the library sends, which FIPS mode refuses', async () => {
    const { cloud: enclave, files } = running
    const shapeOf = (assertion: string) => {
      const { exp = 0, nbf = 0, iat: _rounded, jti: _unique, ...claims } = decodeJwt(assertion)
      const names = Object.keys(decodeJwt(assertion)).toSorted()
      return { header: decodeProtectedHeader(assertion), claims, names, lifetime: exp - nbf }
    }
    const path = files.clientCertificatePath
    const theirs = await sentBy(
      (clientId, options) => new ClientCertificateCredential(enclave.tenantId, clientId, path, options),
    ).then(shapeOf, (error: unknown) => (/digest not allowed|invalid digest/i.test(String(error)) ? 'refused' : error))
    const ours = shapeOf(await sentByUs())
    expect(ours.claims).toMatchObject({ iss: enclave.clientId, sub: enclave.clientId })
    expect(theirs).toEqual(getFips() === 1 ? 'refused' : ours)
  })

  test('with a key that OpenSSL refuses to sign with ends in CREDENTIAL_KEY_UNUSABLE', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const source = async () => ({ certificate: new X509Certificate(pem()), key: publicKey })
    await expect(sentByUs(source)).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'CREDENTIAL_KEY_UNUSABLE' }) }) as Error,
    )
  })
})
