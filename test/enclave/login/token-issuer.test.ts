import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  DeviceCodeCredential,
  type TokenCredential,
  UsernamePasswordCredential,
  WorkloadIdentityCredential,
} from '@azure/identity'
import { type JSONWebKeySet, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Enclave, writeEnclaveFiles } from '../../../src/enclave/enclave.ts'
import { useEnclave } from '../../support/use-enclave.ts'

interface Shared {
  readonly cloud: Enclave
  readonly tokenFilePath: string
}

function options({ cloud }: Shared) {
  return {
    authorityHost: cloud.authorityHost,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: cloud.ca.certificatePem },
    retryOptions: { maxRetries: 0 },
  }
}

const credentials: readonly (readonly [string, 'app' | 'user', (shared: Shared) => TokenCredential])[] = [
  [
    'ClientSecretCredential',
    'app',
    (s) => new ClientSecretCredential(s.cloud.tenantId, s.cloud.clientId, s.cloud.clientSecret, options(s)),
  ],
  [
    'ClientCertificateCredential',
    'app',
    (s) => {
      const certificate = { certificate: s.cloud.clientCertificatePem }
      return new ClientCertificateCredential(s.cloud.tenantId, s.cloud.clientId, certificate, options(s))
    },
  ],
  [
    'WorkloadIdentityCredential',
    'app',
    (s) => {
      const { tenantId, clientId } = s.cloud
      return new WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath: s.tokenFilePath, ...options(s) })
    },
  ],
  [
    'UsernamePasswordCredential',
    'user',
    ({ cloud, ...rest }) => {
      const { tenantId, clientId, username, password } = cloud
      return new UsernamePasswordCredential(tenantId, clientId, username, password, options({ cloud, ...rest }))
    },
  ],
  [
    'DeviceCodeCredential',
    'user',
    (s) =>
      new DeviceCodeCredential({
        tenantId: s.cloud.tenantId,
        clientId: s.cloud.clientId,
        userPromptCallback: ({ userCode }) => s.cloud.approveDeviceCode(userCode),
        ...options(s),
      }),
  ],
]

describe.each([
  ['a tenanted authority', false],
  ['a federation service', true],
])('the real credential library against %s', (_, federationService) => {
  const enclave = useEnclave({ federationService, deviceCode: { intervalSeconds: 0.02 } })
  let directory = ''
  let shared: Shared

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'enclave-'))
    const files = await writeEnclaveFiles(enclave.cloud, directory)
    shared = { cloud: enclave.cloud, tokenFilePath: files.federatedTokenPath }
  })
  afterAll(() => rm(directory, { recursive: true }))

  test.each(credentials)('%s gets a token that the published keys verify', async (_, kind, create) => {
    const { cloud, send } = enclave
    const token = await create(shared).getToken(`${cloud.resourceManagerAudience}.default`)
    const document = federationService
      ? `${cloud.authorityHost}.well-known/openid-configuration`
      : `${cloud.authorityHost}${cloud.tenantId}/v2.0/.well-known/openid-configuration`
    const { jwks_uri: keysAddress } = (await send(document)).json() as { jwks_uri: string }
    const keys = createLocalJWKSet((await send(keysAddress)).json() as JSONWebKeySet)
    const { payload } = await jwtVerify(token?.token ?? '', keys, { audience: cloud.resourceManagerAudience })
    const tenanted = federationService ? {} : { tid: cloud.tenantId, idtyp: kind }
    expect(payload).toMatchObject({ appid: cloud.clientId, ver: '1.0', ...tenanted })
    expect(payload['upn']).toBe(kind === 'user' ? cloud.username : undefined)
  })

  test('a certificate credential may reuse its assertion for ten minutes', async () => {
    const { cloud } = enclave
    const certificate = { certificate: cloud.clientCertificatePem }
    const credential = new ClientCertificateCredential(cloud.tenantId, cloud.clientId, certificate, options(shared))
    await credential.getToken(`${cloud.audiences.storage}.default`)
    const second = await credential.getToken(`${cloud.audiences.keyVault}.default`)
    expect(decodeJwt(second.token).aud).toBe(cloud.audiences.keyVault)
  })

  test('no credential asks for instance discovery', async () => {
    await credentials[0]?.[2](shared).getToken(`${enclave.cloud.resourceManagerAudience}.default`)
    expect(enclave.cloud.requests.map(({ path }) => path)).not.toContain('/common/discovery/instance')
    expect(enclave.cloud.requests.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 200],
      ['POST', 200],
    ])
  })

  test('a wrong secret is refused with the number people search for', async () => {
    const { cloud } = enclave
    const credential = new ClientSecretCredential(cloud.tenantId, cloud.clientId, 'wrong', options(shared))
    await expect(credential.getToken(`${cloud.resourceManagerAudience}.default`)).rejects.toThrow(
      federationService ? /MSIS9622/ : /AADSTS7000215/,
    )
  })
})

describe('the real device code flow', () => {
  const enclave = useEnclave({ deviceCode: { intervalSeconds: 0.02 } })

  test.each([
    ['declined', /authorization_declined/, (cloud: Enclave, code: string) => cloud.declineDeviceCode(code)],
    ['expired', /expired_token/, (cloud: Enclave, code: string) => cloud.expireDeviceCode(code)],
  ] as const)('ends when the sign-in is %s after a first pending poll', async (_, message, decide) => {
    const { cloud } = enclave
    const credential = new DeviceCodeCredential({
      tenantId: cloud.tenantId,
      clientId: cloud.clientId,
      userPromptCallback: ({ userCode }) => {
        void cloud
          .waitForRequest(({ path, status }) => path.endsWith('/token') && status === 400)
          .then(() => {
            decide(cloud, userCode)
          })
      },
      ...options({ cloud, tokenFilePath: '' }),
    })
    await expect(credential.getToken(`${cloud.resourceManagerAudience}.default`)).rejects.toThrow(message)
  })
})
