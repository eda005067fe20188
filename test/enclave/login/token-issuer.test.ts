import {
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  type TokenCredential,
  UsernamePasswordCredential,
  WorkloadIdentityCredential,
} from '@azure/identity'
import { type JSONWebKeySet, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from '../../../src/enclave/enclave.ts'
import { type EnclaveUnderTest, useEnclave } from '../../support/use-enclave.ts'

function options({ cloud }: EnclaveUnderTest) {
  return {
    authorityHost: cloud.authorityHost,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: cloud.ca.certificatePem },
    retryOptions: { maxRetries: 0 },
  }
}
const withSecret = (each: EnclaveUnderTest, secret = each.cloud.clientSecret) =>
  new ClientSecretCredential(each.cloud.tenantId, each.cloud.clientId, secret, options(each))
const withCertificate = (each: EnclaveUnderTest) => {
  const { tenantId, clientId, clientCertificatePem } = each.cloud
  return new ClientCertificateCredential(tenantId, clientId, { certificate: clientCertificatePem }, options(each))
}
const withDeviceCode = (each: EnclaveUnderTest, decide: (cloud: Enclave, userCode: string) => void) =>
  new DeviceCodeCredential({
    tenantId: each.cloud.tenantId,
    clientId: each.cloud.clientId,
    userPromptCallback: ({ userCode }) => decide(each.cloud, userCode),
    ...options(each),
  })

const credentials: readonly (readonly [string, 'app' | 'user', (enclave: EnclaveUnderTest) => TokenCredential])[] = [
  ['ClientSecretCredential', 'app', withSecret],
  ['ClientCertificateCredential', 'app', withCertificate],
  [
    'WorkloadIdentityCredential',
    'app',
    (each) => {
      const { tenantId, clientId } = each.cloud
      const tokenFilePath = each.files.federatedTokenPath
      return new WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath, ...options(each) })
    },
  ],
  [
    'UsernamePasswordCredential',
    'user',
    (each) => {
      const { tenantId, clientId, username, password } = each.cloud
      return new UsernamePasswordCredential(tenantId, clientId, username, password, options(each))
    },
  ],
  ['DeviceCodeCredential', 'user', (each) => withDeviceCode(each, (cloud, code) => cloud.approveDeviceCode(code))],
]

describe.each([
  ['a tenanted authority', false],
  ['a federation service', true],
])('the real credential library against %s', (_, federationService) => {
  const enclave = useEnclave({ federationService, deviceCode: { intervalSeconds: 0.02 } })
  const scope = () => `${enclave.cloud.resourceManagerAudience}.default`

  test.each(credentials)('%s gets a token that the published keys verify', async (_, kind, create) => {
    const { cloud, send } = enclave
    const token = await create(enclave).getToken(scope())
    const base = federationService ? cloud.authorityHost : `${cloud.authorityHost}${cloud.tenantId}/v2.0/`
    const document = (await send(`${base}.well-known/openid-configuration`)).json() as { jwks_uri: string }
    const keys = createLocalJWKSet((await send(document.jwks_uri)).json() as JSONWebKeySet)
    const { payload } = await jwtVerify(token?.token ?? '', keys, { audience: cloud.resourceManagerAudience })
    const tenanted = federationService ? {} : { tid: cloud.tenantId, idtyp: kind }
    expect(payload).toMatchObject({ appid: cloud.clientId, ver: '1.0', ...tenanted })
    expect(payload['upn']).toBe(kind === 'user' ? cloud.username : undefined)
  })

  test('a certificate credential may reuse its assertion for ten minutes', async () => {
    const { audiences } = enclave.cloud
    const credential = withCertificate(enclave)
    await credential.getToken(`${audiences.storage}.default`)
    const second = await credential.getToken(`${audiences.keyVault}.default`)
    expect(decodeJwt(second.token).aud).toBe(audiences.keyVault)
  })

  test('no credential asks for instance discovery', async () => {
    await withSecret(enclave).getToken(scope())
    expect(enclave.cloud.requests).toMatchObject([
      { method: 'GET', path: expect.stringContaining('openid-configuration') as string, status: 200 },
      { method: 'POST', status: 200 },
    ])
  })

  test('a wrong secret is refused with the number people search for', async () => {
    const number = federationService ? /MSIS9622/ : /AADSTS7000215/
    await expect(withSecret(enclave, 'wrong').getToken(scope())).rejects.toThrow(number)
  })
})

describe('the real device code flow', () => {
  const enclave = useEnclave({ deviceCode: { intervalSeconds: 0.02 } })

  test.each([
    ['declined', /authorization_declined/, (cloud: Enclave, code: string) => cloud.declineDeviceCode(code)],
    ['expired', /expired_token/, (cloud: Enclave, code: string) => cloud.expireDeviceCode(code)],
  ] as const)('ends when the sign-in is %s after a first pending poll', async (_, message, decide) => {
    const credential = withDeviceCode(enclave, (cloud, code) => {
      const polled = cloud.waitForRequest(({ path, status }) => path.endsWith('/token') && status === 400)
      void polled.then(() => decide(cloud, code))
    })
    await expect(credential.getToken(`${enclave.cloud.resourceManagerAudience}.default`)).rejects.toThrow(message)
  })
})
