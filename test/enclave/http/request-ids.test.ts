import { describe, expect, test } from 'vitest'
import { tokenEndpoint, useEnclave } from '../../support/use-enclave.ts'

const id = '6f1d3c1e-0000-4000-8000-00000000abcd'
const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

describe('a request can be found again', () => {
  const enclave = useEnclave()

  test('the login authority gives it an id, and echoes the caller’s when asked', async () => {
    const headers = { 'client-request-id': id, 'return-client-request-id': 'true' }
    const asked = await enclave.send(tokenEndpoint(enclave.cloud), { form: { grant_type: 'none' }, headers })
    expect(asked.headers['x-ms-request-id']).toMatch(guid)
    expect(asked.headers['client-request-id']).toBe(id)
    expect(asked.json()).toMatchObject({ correlation_id: id, trace_id: expect.stringMatching(guid) as unknown })
    const unasked = await enclave.send(tokenEndpoint(enclave.cloud), { headers: { 'client-request-id': id } })
    expect(unasked.headers).not.toHaveProperty('client-request-id')
  })

  test('the resource manager correlates, and every service echoes the client’s id', async () => {
    const headers = { 'x-ms-client-request-id': id }
    const { resourceManagerEndpoint, storageEndpoint, vaultEndpoint } = enclave.cloud
    for (const address of [`${resourceManagerEndpoint}subscriptions`, storageEndpoint, vaultEndpoint]) {
      const answer = await enclave.send(address, { headers })
      expect(answer.headers).toMatchObject(headers)
      expect(answer.headers['x-ms-request-id']).toMatch(guid)
    }
    const answer = await enclave.send(`${resourceManagerEndpoint}tenants`, {
      headers: { 'x-ms-correlation-request-id': id },
    })
    expect(answer.headers['x-ms-correlation-request-id']).toBe(id)
  })

  test('an invalid id is not echoed', async () => {
    const headers = { 'x-ms-client-request-id': 'a b<script>' }
    expect((await enclave.send(enclave.cloud.storageEndpoint, { headers })).headers).not.toHaveProperty(
      'x-ms-client-request-id',
    )
  })
})

describe('paths as clients spell them', () => {
  const enclave = useEnclave()

  test('letters match in either case, in paths of the login authority and of the resource manager', async () => {
    const { authorityHost, resourceManagerEndpoint, subscriptionId } = enclave.cloud
    expect(
      (await enclave.send(`${authorityHost}common/UserRealm/me@enclave.test?api-version=1.0`)).json(),
    ).toMatchObject({
      account_type: 'Managed',
    })
    const headers = { authorization: `Bearer ${await enclave.token()}` }
    const groups = `${resourceManagerEndpoint}subscriptions/${subscriptionId}/resourceGroups?api-version=2022-09-01`
    expect((await enclave.send(groups, { headers })).json()).toMatchObject({ value: [{ name: 'example' }] })
  })

  test.each(['common', 'organizations'])('the document of %s leaves the tenant of its issuer open', async (tenant) => {
    const { authorityHost } = enclave.cloud
    const document = await enclave.send(`${authorityHost}${tenant}/v2.0/.well-known/openid-configuration`)
    expect(document.json()).toMatchObject({
      issuer: `${authorityHost}{tenantid}/v2.0`,
      token_endpoint: `${authorityHost}${tenant}/oauth2/v2.0/token`,
    })
  })
})
