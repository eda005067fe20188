import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'

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

  test('issue a token of their identity for the resource as it was requested, with numbers as strings', async () => {
    const { audiences, managedIdentity } = enclave.cloud
    const bare = audiences.keyVault.replace(/\/$/, '')
    for (const answer of [
      await appService(`api-version=2019-08-01&${resource()}`),
      await instance(`api-version=2018-02-01&resource=${bare}`),
    ]) {
      const { access_token: token, ...rest } = answer.json() as { access_token: string; resource: string }
      expect(rest).toMatchObject({ token_type: 'Bearer', expires_on: /^\d{10}$/ })
      expect(decodeJwt(token)).toMatchObject({ aud: rest.resource, appid: managedIdentity.clientId })
    }
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
})
