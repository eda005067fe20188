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
import { type EnclaveUnderTest, useEnclave } from '../../support/use-enclave.ts'

function options({ cloud }: EnclaveUnderTest) {
  return {
    authorityHost: cloud.authorityHost,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: cloud.ca.certificatePem },
    retryOptions: { maxRetries: 0 },
  }
}
const withSecret = (each: EnclaveUnderTest) =>
  new ClientSecretCredential(each.cloud.tenantId, each.cloud.clientId, each.cloud.clientSecret, options(each))
const withCertificate = (each: EnclaveUnderTest) => {
  const { tenantId, clientId, clientCertificatePem } = each.cloud
  return new ClientCertificateCredential(tenantId, clientId, { certificate: clientCertificatePem }, options(each))
}

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
  [
    'DeviceCodeCredential',
    'user',
    (each) => {
      const { tenantId, clientId } = each.cloud
      const userPromptCallback = ({ userCode }: { userCode: string }) => each.cloud.approveDeviceCode(userCode)
      return new DeviceCodeCredential({ tenantId, clientId, userPromptCallback, ...options(each) })
    },
  ],
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
})
