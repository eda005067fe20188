import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Enclave } from '../../src/enclave/enclave.ts'
import { bundledCommand } from '../support/build.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { useEnclave } from '../support/use-enclave.ts'

interface Outcome {
  readonly token?: string
  readonly expiresOnTimestamp?: number
  readonly error?: string
}

const script = bundledCommand('acquire-managed-identity-token')

async function acquire(env: Record<string, string>, scope: string, clientId = ''): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, scope, clientId], {
    env: cleanEnvironment(env),
  })
  return JSON.parse(stdout) as Outcome
}

const variants: readonly (readonly [string, (cloud: Enclave) => Record<string, string>])[] = [
  [
    'App Service',
    ({ managedIdentity: { appService } }) => ({
      IDENTITY_ENDPOINT: appService.endpoint,
      IDENTITY_HEADER: appService.header,
    }),
  ],
  [
    'instance metadata',
    ({ managedIdentity }) => ({ AZURE_POD_IDENTITY_AUTHORITY_HOST: managedIdentity.instanceMetadataHost }),
  ],
]

describe.concurrent.each(variants)('the real managed identity over %s', (_, env) => {
  const enclave = useEnclave()

  test('gets a token of its identity that is valid for an hour', async ({ expect }) => {
    const { cloud } = enclave
    const outcome = await acquire(
      env(cloud),
      `${cloud.resourceManagerAudience}.default`,
      cloud.managedIdentity.clientId,
    )
    const claims = decodeJwt(outcome.token ?? '')
    // The library drops the slash; the endpoint echoes what it is asked for.
    expect(claims.aud).toBe(cloud.resourceManagerAudience.replace(/\/$/, ''))
    expect(claims['appid']).toBe(cloud.managedIdentity.clientId)
    expect(Math.abs((outcome.expiresOnTimestamp ?? 0) / 1000 - (claims.exp ?? 0))).toBeLessThan(5)
  })

  test('is refused for an unknown resource', async ({ expect }) => {
    const outcome = await acquire(env(enclave.cloud), 'https://management.azure.com/.default')
    expect(outcome.error).toContain('AADSTS500011')
  })
})

describe('the managed-identity endpoints', () => {
  const enclave = useEnclave()
  const appService = async (query: string, header?: string) => {
    const { endpoint, header: own } = enclave.cloud.managedIdentity.appService
    return enclave.send(`${endpoint}?${query}`, { headers: { 'x-identity-header': header ?? own } })
  }
  const instance = async (query: string, headers: Record<string, string> = { metadata: 'true' }) =>
    enclave.send(`${enclave.cloud.managedIdentity.instanceMetadataHost}/metadata/identity/oauth2/token?${query}`, {
      headers,
    })
  const resource = (): string => `resource=${encodeURIComponent(enclave.cloud.audiences.keyVault)}`

  test('send their numbers as strings', async () => {
    const answer = (await appService(`api-version=2019-08-01&${resource()}`)).json()
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_on: expect.stringMatching(/^\d{10}$/) as string })
  })

  test.each([
    [401, 'a wrong header', async () => appService(`api-version=2019-08-01&${resource()}`, 'wrong')],
    [400, 'another api-version', async () => appService(`api-version=2017-09-01&${resource()}`)],
    [400, 'no resource', async () => appService('api-version=2019-08-01')],
    [400, 'another identity', async () => appService(`api-version=2019-08-01&${resource()}&client_id=x`)],
  ])('App Service answers %i to %s', async (status, _, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(answer.json()).toMatchObject({ statusCode: status })
  })

  test.each([
    ['bad_request_102', 'no Metadata header', async () => instance(`api-version=2018-02-01&${resource()}`, {})],
    [
      'bad_request_102',
      'a forwarded request',
      async () => instance(`api-version=2018-02-01&${resource()}`, { metadata: 'true', 'x-forwarded-for': '10.0.0.1' }),
    ],
    ['bad_request', 'no api-version', async () => instance(resource())],
    ['invalid_request', 'another identity', async () => instance(`api-version=2018-02-01&${resource()}&client_id=x`)],
    ['invalid_resource', 'an unknown resource', async () => instance('api-version=2018-02-01&resource=https://x.test')],
  ])('instance metadata answers %s to %s', async (error, _, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error })
  })

  test('show the token faults too', async () => {
    await enclave.cloud.setFault({ kind: 'wrong-audience', audience: 'https://else.test/' }, 'managed-identity')
    const answer = (await instance(`api-version=2018-02-01&${resource()}`)).json() as { access_token: string }
    expect(decodeJwt(answer.access_token).aud).toBe('https://else.test/')
  })
})
