import { describe, expect, test } from 'vitest'
import { useEnclave } from '../support/use-enclave.ts'

interface CloudEntry {
  readonly resourceManager: string
  readonly authentication: {
    readonly loginEndpoint: string
    readonly audiences: readonly string[]
    readonly tenant: string
  }
}

describe('the resource manager', () => {
  const enclave = useEnclave()
  const get = async (path: string, token?: string) =>
    enclave.send(`${enclave.cloud.resourceManagerEndpoint}${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  const metadata = async (apiVersion: string) => get(`metadata/endpoints?api-version=${apiVersion}`)

  test.each(['1.0', '2015-01-01', '2018-01-01'])('metadata of %s is one object', async (apiVersion) => {
    const { authorityHost, resourceManagerAudience } = enclave.cloud
    expect((await metadata(apiVersion)).json()).toMatchObject({
      galleryEndpoint: expect.any(String) as string,
      graphEndpoint: expect.any(String) as string,
      portalEndpoint: enclave.cloud.profile.portalUrl,
      authentication: {
        loginEndpoint: authorityHost,
        audiences: [resourceManagerAudience, 'https://management.core.enclave.test/'],
      },
    })
  })

  test('metadata names the tenant from 2018-01-01 on', async () => {
    expect((await metadata('2015-01-01')).body).not.toContain(enclave.cloud.tenantId)
    expect((await metadata('2018-01-01')).json()).toMatchObject({ authentication: { tenant: enclave.cloud.tenantId } })
  })

  test('metadata of 2019-05-01 lists a neighbor first', async () => {
    const [first, second] = (await metadata('2019-05-01')).json() as CloudEntry[]
    expect(first?.resourceManager).not.toBe(enclave.cloud.resourceManagerEndpoint)
    expect(second?.resourceManager).toBe(enclave.cloud.resourceManagerEndpoint)
    expect(`${second?.authentication.loginEndpoint}/`).toBe(enclave.cloud.authorityHost)
  })

  test('metadata of 2022-09-01 is this cloud alone', async () => {
    expect((await metadata('2022-09-01')).json()).toMatchObject({
      resourceManager: enclave.cloud.resourceManagerEndpoint,
      suffixes: { keyVaultDns: 'vault.enclave.test' },
    })
  })

  test.each([
    ['metadata/endpoints', 400, 'MissingApiVersionParameter'],
    ['metadata/endpoints?api-version=2014-01-01', 400, 'InvalidApiVersionParameter'],
    ['/metadata/endpoints?api-version=2015-01-01', 404, 'NotFound'],
  ])('%s is refused with %i %s', async (path, status, code) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.json()).toMatchObject({ error: { code } })
  })

  test.each([
    ['locations', 1],
    ['resourcegroups', 1],
    ['providers', 0],
    ['providers/Microsoft.KeyVault/vaults', 0],
    ['resourcegroups/any/providers/Microsoft.KeyVault/vaults', 0],
  ])('subscriptions/ID/%s lists %i, and needs a token and the id of the subscription', async (path, count) => {
    const token = await enclave.token()
    const of = (id: string) => `subscriptions/${id}/${path}?api-version=2022-12-01`
    const { subscriptionId } = enclave.cloud
    expect((await get(of(subscriptionId), token)).json()).toMatchObject({ value: { length: count } })
    expect((await get(of(subscriptionId))).status).toBe(401)
    expect((await get(of('11111111-1111-1111-1111-111111111111'), token)).status).toBe(404)
  })

  test('accepts its own token', async () => {
    const token = await enclave.token()
    const { subscriptionId, tenantId } = enclave.cloud
    expect((await get('subscriptions?api-version=2022-12-01', token)).json()).toMatchObject({
      value: [{ subscriptionId, tenantId, state: 'Enabled' }],
    })
    expect((await get(`subscriptions/${subscriptionId}?api-version=2022-12-01`, token)).status).toBe(200)
    expect((await get('tenants?api-version=2022-12-01', token)).json()).toMatchObject({ value: [{ tenantId }] })
    expect((await get('subscriptions/another?api-version=2022-12-01', token)).json()).toMatchObject({
      error: { code: 'SubscriptionNotFound' },
    })
    expect((await get('subscriptions', token)).json()).toMatchObject({ error: { code: 'MissingApiVersionParameter' } })
  })

  test('gives the address of a storage account', async () => {
    const { subscriptionId, storageEndpoint } = enclave.cloud
    const account = `subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a`
    expect((await get(`${account}?api-version=2023-01-01`, await enclave.token())).json()).toMatchObject({
      name: 'a',
      properties: { primaryEndpoints: { blob: storageEndpoint } },
    })
  })

  test.each(['', 'resourceGroups/g/'])('has no other resources: %s', async (group) => {
    const { subscriptionId } = enclave.cloud
    const list = `subscriptions/${subscriptionId}/${group}providers/Microsoft.Compute/virtualMachines`
    const answer = await get(`${list}?api-version=2023-03-01`, await enclave.token())
    expect([answer.status, answer.json()]).toEqual([200, { value: [] }])
    expect((await get(`${list}?api-version=2023-03-01`)).status).toBe(401)
  })

  test('takes a token whose audience lacks the slash', async () => {
    await enclave.cloud.setFault({ kind: 'audience-without-slash' })
    expect((await get('subscriptions?api-version=2022-12-01', await enclave.token())).status).toBe(200)
  })

  test.each([
    ['no token', undefined, 'AuthenticationFailed'],
    ['a token of another audience', 'wrong-audience', 'InvalidAuthenticationTokenAudience'],
    ['an expired token', 'expired-token', 'ExpiredAuthenticationToken'],
    ['a token of another tenant', 'wrong-tenant', 'InvalidAuthenticationToken'],
    ['an opaque token', 'opaque-token', 'InvalidAuthenticationToken'],
  ] as const)('challenges %s', async (_, kind, code) => {
    await enclave.cloud.setFault(kind && { kind })
    const token = kind && (await enclave.token())
    const answer = await get('subscriptions?api-version=2022-12-01', token)
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({ error: { code } })
    const { authorityHost, tenantId } = enclave.cloud
    expect(answer.headers['www-authenticate']).toMatch(
      `Bearer authorization_uri="${authorityHost}${tenantId}", error="invalid_token", error_description="`,
    )
  })

  test.each([
    ['rejects-token', 401],
    ['forbidden', 403],
  ] as const)('under %s answers %i to a good token', async (kind, status) => {
    const token = await enclave.token()
    await enclave.cloud.setFault({ kind })
    expect((await get('subscriptions?api-version=2022-12-01', token)).status).toBe(status)
  })

  test('can leave its challenge out, or name a foreign authority in it', async () => {
    await enclave.cloud.setFault({ kind: 'missing-challenge' }, 'resource-manager')
    expect((await get('subscriptions?api-version=2022-12-01')).headers).not.toHaveProperty('www-authenticate')
    await enclave.cloud.setFault({ kind: 'foreign-challenge' }, 'resource-manager')
    const { headers } = await get('subscriptions?api-version=2022-12-01')
    expect(headers['www-authenticate']).toContain(`authorization_uri="${enclave.cloud.foreign.origin}/`)
  })
})

describe('the resource manager of a stack', () => {
  const enclave = useEnclave({ federationService: true })

  test('names the federation service and its one audience without final slashes', async () => {
    const { metadataEndpoint, authorityHost, resourceManagerAudience } = enclave.cloud
    const document = (await enclave.send(`${metadataEndpoint}?api-version=2015-01-01`)).json()
    expect(document).toMatchObject({
      authentication: {
        loginEndpoint: authorityHost.replace(/\/$/, ''),
        audiences: [resourceManagerAudience.replace(/\/$/, '')],
      },
    })
  })

  test('takes a token of the federation service', async () => {
    const address = `${enclave.cloud.resourceManagerEndpoint}subscriptions?api-version=2022-12-01`
    const headers = { authorization: `Bearer ${await enclave.token()}` }
    expect((await enclave.send(address, { headers })).status).toBe(200)
  })
})

describe('vault and storage', () => {
  const enclave = useEnclave()

  test('each challenges in its own words', async () => {
    const { vaultEndpoint, storageEndpoint, authorityHost, tenantId } = enclave.cloud
    const vault = await enclave.send(`${vaultEndpoint}secrets?api-version=7.4`)
    const storage = await enclave.send(`${storageEndpoint}?comp=list`)
    expect([vault.status, storage.status]).toEqual([401, 401])
    expect(vault.headers['www-authenticate']).toBe(
      `Bearer authorization="${authorityHost}${tenantId}", resource="https://vault.enclave.test"`,
    )
    expect(storage.headers['www-authenticate']).toBe(
      `Bearer authorization_uri=${authorityHost}${tenantId}/oauth2/authorize resource_id=https://storage.enclave.test`,
    )
  })

  test('each takes only a token for its audience', async () => {
    const { vaultEndpoint, storageEndpoint, audiences } = enclave.cloud
    const statuses = async (audience: string) => {
      const answer = await enclave.postToken({ grant_type: 'client_credentials', scope: `${audience}.default` })
      const { access_token: token } = answer.json() as { access_token: string }
      const headers = { authorization: `Bearer ${token}` }
      const vault = await enclave.send(`${vaultEndpoint}secrets?api-version=7.4`, { headers })
      const storage = await enclave.send(`${storageEndpoint}?comp=list`, { headers })
      return [vault.status, storage.status]
    }
    expect(await statuses(audiences.keyVault)).toEqual([200, 401])
    expect(await statuses(audiences.storage)).toEqual([401, 200])
    expect(await statuses('https://storage.azure.com/')).toEqual([401, 200])
  })

  test('each lists one name, and gives the reason of a refusal: another audience, a missing role, its firewall', async () => {
    const { cloud } = enclave
    const look = async (audience: string) => {
      const scope = `${audience}.default`
      const { access_token: token } = (await enclave.postToken({ grant_type: 'client_credentials', scope })).json() as {
        access_token: string
      }
      const headers = { authorization: `Bearer ${token}` }
      const vault = await enclave.send(`${cloud.vaultEndpoint}secrets?api-version=7.4&maxresults=1`, { headers })
      const storage = await enclave.send(`${cloud.storageEndpoint}?comp=list&maxresults=1`, { headers })
      return { vault, storage }
    }
    const { keyVault, storage } = cloud.audiences
    expect((await look(keyVault)).vault.json()).toMatchObject({
      value: [{ id: `${cloud.vaultEndpoint}secrets/example` }],
    })
    expect((await look(storage)).storage.body).toContain('<Name>example</Name>')
    expect((await look(storage)).vault.body).toContain('AKV10022')
    expect((await look(keyVault)).storage.body).toContain('Audience validation failed')
    for (const [kind, vaultCode, storageCode] of [
      ['forbidden', 'ForbiddenByRbac', 'AuthorizationPermissionMismatch'],
      ['firewall', 'ForbiddenByFirewall', 'AuthorizationFailure'],
    ] as const) {
      await cloud.setFault({ kind }, 'vault')
      await cloud.setFault({ kind }, 'storage')
      const vault = (await look(keyVault)).vault
      expect([vault.status, vault.json()]).toMatchObject([403, { error: { innererror: { code: vaultCode } } }])
      const refused = (await look(storage)).storage
      expect([refused.status, refused.headers['x-ms-error-code']]).toEqual([403, storageCode])
    }
  })

  test.each(['vault', 'storage'] as const)('the challenge of %s can name another cloud', async (role) => {
    await enclave.cloud.setFault({ kind: 'foreign-challenge' }, role)
    const { vaultEndpoint, storageEndpoint, foreign, authorityHost } = enclave.cloud
    const { headers } = await enclave.send(role === 'vault' ? vaultEndpoint : storageEndpoint)
    expect(headers['www-authenticate']).toContain(`${foreign.origin}/common`)
    expect(headers['www-authenticate']).not.toContain(authorityHost)
  })
})
