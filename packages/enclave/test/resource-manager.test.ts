import { describe, expect, test } from 'vitest'
import type { FaultKind } from '../src/enclave.ts'
import { useEnclave } from '../../../test/support/use-enclave.ts'

const list = 'subscriptions?api-version=2022-12-01'
const enclave = useEnclave()

describe('the resource manager', () => {
  const at = (path: string) => `${enclave.cloud.resourceManagerEndpoint}${path}`
  const get = (path: string) => enclave.call(at(path))
  const metadata = (apiVersion: string) => enclave.send(at(`metadata/endpoints?api-version=${apiVersion}`))

  test.each([
    ['1.0', false],
    ['2015-01-01', false],
    ['2018-01-01', true],
  ])('metadata of %s is one object, and names the tenant: %j', async (apiVersion, namesTenant) => {
    const { authorityHost, resourceManagerAudience, tenantId, profile } = enclave.cloud
    const audiences = [resourceManagerAudience, 'https://management.core.enclave.test/']
    const answer = await metadata(apiVersion)
    expect(answer.json()).toMatchObject({
      galleryEndpoint: /^https:/,
      graphEndpoint: /^https:/,
      portalEndpoint: profile.portalUrl,
      authentication: { loginEndpoint: authorityHost, audiences },
    })
    expect(answer.body.includes(tenantId)).toBe(namesTenant)
  })

  test('metadata of 2019-05-01 is a list, and that of 2022-09-01 this cloud alone', async () => {
    const { resourceManagerEndpoint, authorityHost } = enclave.cloud
    const own = {
      resourceManager: resourceManagerEndpoint,
      authentication: { loginEndpoint: authorityHost.replace(/\/$/, '') },
      suffixes: { keyVaultDns: 'vault.enclave.test' },
    }
    expect((await metadata('2019-05-01')).json()).toMatchObject([own])
    expect((await metadata('2022-09-01')).json()).toMatchObject(own)
  })

  test.each([
    ['metadata/endpoints', 400, 'MissingApiVersionParameter'],
    ['/metadata/endpoints/?api-version=2014-01-01', 400, 'InvalidApiVersionParameter'],
    ['//subscriptions/another?api-version=2022-12-01', 404, 'SubscriptionNotFound'],
    ['subscriptions', 400, 'MissingApiVersionParameter'],
    ['subscriptions/another?api-version=2022-12-01', 404, 'SubscriptionNotFound'],
  ])('%s is refused with %i %s', async (path, status, code) => {
    const answer = await get(path)
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { code } }])
  })

  test('Resource Graph finds nothing, and a resource provider is registered and offers nothing', async () => {
    const url = at('providers/Microsoft.ResourceGraph/resources?api-version=2024-04-01')
    const found = await enclave.call(url, undefined, { method: 'POST' })
    expect(found.json()).toMatchObject({ totalRecords: 0, data: [] })
    const path = `subscriptions/${enclave.cloud.subscriptionId}/providers/Microsoft.Compute?api-version=2021-04-01`
    const provider = { namespace: 'Microsoft.Compute', registrationState: 'Registered', resourceTypes: [] }
    expect((await get(path)).json()).toMatchObject(provider)
  })

  test.each([
    ['locations', 1],
    ['resources/', 0],
    ['resourceGroups/example/resources', 0],
    ['resourceGroups', 1],
    ['providers', 0],
    ['providers/Microsoft.KeyVault/vaults', 0],
    ['resourcegroups/example/providers/Microsoft.KeyVault/vaults', 0],
  ])('subscriptions/ID/%s lists %i, and needs a token and the id of the subscription', async (path, count) => {
    const of = (id: string) => `subscriptions/${id}/${path}?api-version=2022-12-01`
    const { subscriptionId } = enclave.cloud
    expect((await get(of(subscriptionId))).json()).toMatchObject({ value: { length: count } })
    expect((await enclave.send(at(of(subscriptionId)))).status).toBe(401)
    expect((await get(of('11111111-1111-1111-1111-111111111111'))).status).toBe(404)
  })

  test('names its subscription, its tenant and the address of a storage account', async () => {
    const { subscriptionId, tenantId, storageEndpoint } = enclave.cloud
    const account = `subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a`
    expect((await get(list)).json()).toMatchObject({ value: [{ subscriptionId, tenantId, state: 'Enabled' }] })
    expect((await get('tenants?api-version=2022-12-01')).json()).toMatchObject({ value: [{ tenantId }] })
    const properties = { primaryEndpoints: { blob: storageEndpoint } }
    expect((await get(`${account}?api-version=2023-01-01`)).json()).toMatchObject({ name: 'a', properties })
  })

  test.each<[FaultKind | undefined, number, string]>([
    [undefined, 401, 'AuthenticationFailed'],
    ['wrong-audience', 401, 'InvalidAuthenticationTokenAudience'],
    ['expired-token', 401, 'ExpiredAuthenticationToken'],
    ['wrong-tenant', 401, 'InvalidAuthenticationToken'],
    ['opaque-token', 401, 'InvalidAuthenticationToken'],
    ['rejects-token', 401, 'InvalidAuthenticationToken'],
    ['forbidden', 403, 'AuthorizationFailed'],
  ])('under %s answers %i %s', async (kind, status, code) => {
    await enclave.cloud.setFault(kind && { kind })
    const answer = await (kind === undefined ? enclave.send(at(list)) : get(list))
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { code } }])
    const { authorityHost, tenantId } = enclave.cloud
    const challenge = `Bearer authorization_uri="${authorityHost}${tenantId}", error="invalid_token", error_description="`
    expect(answer.headers['www-authenticate'] ?? '').toContain(status === 401 ? challenge : '')
  })

  test('takes a token whose audience lacks the slash', async () => {
    await enclave.cloud.setFault({ kind: 'audience-without-slash' })
    expect((await get(list)).status).toBe(200)
  })
})

describe('the lists of a resource manager whose account and vault are named', () => {
  const withNames = useEnclave({ resources: { storage: 'data', vault: 'secrets' } })
  const names = async (path: string) => {
    const { resourceManagerEndpoint, subscriptionId } = withNames.cloud
    const url = new URL(`subscriptions/${subscriptionId}/${path}`, resourceManagerEndpoint)
    url.searchParams.set('api-version', '2024-01-01')
    const { json } = await withNames.call(url.href)
    const { value = [], error } = json() as { value?: readonly { name: string }[]; error?: { code: string } }
    return error?.code ?? value.map(({ name }) => name).join(' ')
  }

  test.each([
    ['resources', 'data secrets'],
    ['resourceGroups/Example/resources', 'data secrets'],
    ['resourceGroups/other/resources', 'ResourceGroupNotFound'],
    ["resources?$filter=resourceType eq 'microsoft.keyvault/vaults'", 'secrets'],
    ['providers/Microsoft.Storage/storageAccounts', 'data'],
    ['resourceGroups/example/providers/microsoft.storage/storageaccounts', 'data'],
    ['providers/Microsoft.KeyVault/vaults', 'secrets'],
    ['resourceGroups/example/providers/Microsoft.KeyVault/vaults', 'secrets'],
    ['providers/Microsoft.Web/sites', ''],
  ])('%s is %j', async (path, found) => {
    expect(await names(path)).toBe(found)
  })
})

const stack = useEnclave({ federationService: true })

test('the resource manager of a stack names the federation service and its one audience without slashes', async () => {
  const { metadataEndpoint, authorityHost, resourceManagerAudience, resourceManagerEndpoint } = stack.cloud
  const bare = (url: string) => url.replace(/\/$/, '')
  const authentication = { loginEndpoint: bare(authorityHost), audiences: [bare(resourceManagerAudience)] }
  const metadata = await stack.send(`${metadataEndpoint}?api-version=2015-01-01`)
  expect(metadata.json()).toMatchObject({ authentication })
  expect((await stack.call(resourceManagerEndpoint + list)).status).toBe(200)
})

const look = async (audience?: string) => {
  const { vaultEndpoint, storageEndpoint } = enclave.cloud
  const request = (url: string) => (audience === undefined ? enclave.send(url) : enclave.call(url, audience))
  const vault = await request(`${vaultEndpoint}secrets?api-version=7.4`)
  const storage = await request(`${storageEndpoint}?comp=list`)
  return { vault, storage, statuses: [vault.status, storage.status] }
}

test('vault and storage each challenge in their own words', async () => {
  const { authorityHost, tenantId } = enclave.cloud
  const { vault, storage, statuses } = await look()
  expect(statuses).toEqual([401, 401])
  expect(vault.headers['www-authenticate']).toBe(
    `Bearer authorization="${authorityHost}${tenantId}", resource="https://vault.enclave.test"`,
  )
  expect(storage.headers['www-authenticate']).toBe(
    `Bearer authorization_uri=${authorityHost}${tenantId}/oauth2/authorize resource_id=https://storage.enclave.test`,
  )
})

test('vault and storage each take only a token for their audience, and list one name', async () => {
  const { audiences, vaultEndpoint } = enclave.cloud
  const [ofVault, ofStorage] = [await look(audiences.keyVault), await look(audiences.storage)]
  expect([...ofVault.statuses, ...ofStorage.statuses]).toEqual([200, 401, 401, 200])
  expect(ofVault.vault.json()).toMatchObject({ value: [{ id: `${vaultEndpoint}secrets/example` }] })
  expect(ofVault.storage.body).toContain('Audience validation failed')
  expect(ofStorage.vault.body).toContain('AKV10022')
  expect(ofStorage.storage.body).toContain('<Name>example</Name>')
})

test.each([
  ['forbidden', 'ForbiddenByRbac', 'AuthorizationPermissionMismatch'],
  ['firewall', 'ForbiddenByFirewall', 'AuthorizationFailure'],
] as const)('under %s vault and storage name the reason', async (kind, vaultCode, storageCode) => {
  const { cloud } = enclave
  await cloud.setFault({ kind }, 'vault')
  await cloud.setFault({ kind }, 'storage')
  const { vault } = await look(cloud.audiences.keyVault)
  const { storage } = await look(cloud.audiences.storage)
  expect([vault.status, vault.json()]).toMatchObject([403, { error: { innererror: { code: vaultCode } } }])
  expect([storage.status, storage.headers['x-ms-error-code']]).toEqual([403, storageCode])
})
