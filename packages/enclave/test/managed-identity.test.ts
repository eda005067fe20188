import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { useEnclave } from '../../../test/support/use-enclave.ts'

const enclave = useEnclave()
const appService = (query: string, given?: string) => {
  const { endpoint, header } = enclave.cloud.managedIdentity.appService
  return enclave.send(`${endpoint}?${query}`, { headers: { 'x-identity-header': given ?? header } })
}
const metadata = { metadata: 'true' }
const instance = (query: string, headers: Record<string, string> = metadata) => {
  const { instanceMetadataHost: host } = enclave.cloud.managedIdentity
  return enclave.send(`${host}/metadata/identity/oauth2/token?${query}`, { headers })
}
const resource = () => `resource=${encodeURIComponent(enclave.cloud.audiences.keyVault)}`
const valid = () => `api-version=2018-02-01&${resource()}`

test('the managed-identity endpoints issue a token of their identity for the resource as it was requested, with numbers as strings', async () => {
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
  [401, 'a wrong header', () => appService(`api-version=2019-08-01&${resource()}`, 'wrong')],
  [400, 'another api-version', () => appService(`api-version=2017-09-01&${resource()}`)],
  [400, 'no resource', () => appService('api-version=2019-08-01')],
  [400, 'another identity', () => appService(`api-version=2019-08-01&${resource()}&client_id=x`)],
])('App Service answers %i to %s', async (status, _, ask) => {
  const answer = await ask()
  expect([answer.status, answer.json()]).toMatchObject([status, { statusCode: status }])
})

test.each([
  ['bad_request_102', 'no Metadata header', () => instance(valid(), {})],
  ['bad_request_102', 'a forwarded request', () => instance(valid(), { ...metadata, 'x-forwarded-for': '10.0.0.1' })],
  ['bad_request', 'no api-version', () => instance(resource())],
  ['invalid_request', 'another identity', () => instance(`${valid()}&client_id=x`)],
  ['invalid_resource', 'an unknown resource', () => instance('api-version=2018-02-01&resource=https://x.test')],
])('instance metadata answers %s to %s', async (error, _, ask) => {
  const answer = await ask()
  expect([answer.status, answer.json()]).toMatchObject([400, { error }])
})
