import { describe, expect, test } from 'vitest'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import type { WorkerStart } from '../support/use-service.ts'

const open = useEnclaveService()

describe('the service in the enclave', () => {
  test('lists the requests of the attempt, shows whose the token is, and reuses both', async () => {
    const { serve, enclave } = await open()
    const service = await serve('clientSecret')
    const { token, identity, checks } = await diagnose(service)
    expect(checks.filter(({ status }) => status === 'fail' || status === 'warn')).toEqual([])
    const shared = { host: new URL(enclave.authorityHost).host, outcome: 'ok', status: 200 }
    expect(token.trace).toMatchObject([
      { ...shared, step: 'openid-configuration', method: 'GET', path: /configuration$/ },
      { ...shared, step: 'token', method: 'POST', path: /token$/ },
    ])
    const { tenantId, clientId, subscriptionId } = enclave
    expect(identity).toMatchObject({ tenantId, clientId, subscriptionId, objectId: /^[0-9a-f-]{36}$/ })
    const before = enclave.requests.length
    expect(await diagnose(service)).toMatchObject({ status: 'ok', token: { cached: true } })
    expect(enclave.requests).toHaveLength(before)
  })

  test('the other routes respond at once while an attempt hangs', async () => {
    const { serve, enclave } = await open()
    const service = await serve('clientSecret')
    await enclave.setFault({ kind: 'silent' }, 'login')
    let hangs = true
    // The service closes with the attempt open.
    diagnose(service)
      .finally(() => (hangs = false))
      .catch(() => {})
    await enclave.waitForRequest(({ role }) => role === 'login')
    for (let round = 0; round < 10; round++) await service.request(round % 2 === 0 ? '/api/profile' : '/api/health')
    expect(hangs).toBe(true)
  })

  test('a failing discovery of the audience is an error, never a silent default', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'html' }, 'resource-manager/metadata')
    const report = await diagnose(await serve('clientSecret', { PLATFORM_DISCOVER_AUDIENCE: 'true' }))
    expect(report.token).toMatchObject({ status: 'failed', error: { code: 'METADATA_RESPONSE_INVALID' } })
    expect(enclave.requests.filter(({ path }) => path.endsWith('/token'))).toEqual([])
  })

  test('a token endpoint on another host is followed only when the operator lists it', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'foreign-token-endpoint' })
    const foreign = new URL(enclave.foreign.origin).host
    const { token } = await diagnose(await serve('clientSecret'))
    expect(token).toMatchObject({ error: { code: 'TOKEN_ENDPOINT_FOREIGN' } })
    expect(enclave.foreign.received).toEqual([])
    await diagnose(await serve('clientSecret', { PLATFORM_ALLOWED_TOKEN_HOSTS: foreign }))
    expect(enclave.foreign.received).not.toEqual([])
  })
})

const trigger = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"input":""}' }

test.each<[WorkerStart, string, NodeJS.ProcessEnv]>([
  ['with its settings', 'read by Node', {}],
  ['by reload', 'loaded by the service', { PLATFORM_DISCOVER_AUDIENCE: 'true' }],
])('a worker that starts %s trusts a private authority everywhere: %s', async (start, status, variables) => {
  const { serve } = await open()
  const service = await serve('clientSecret', variables, { start })
  const report = await diagnose(service)
  expect(report.rootCause).toBeUndefined()
  expect(report).toMatchObject({ status: 'ok', token: { status: 'acquired' } })
  expect(report.runtime.trustStore).toMatchObject({
    sources: ['bundled', 'NODE_EXTRA_CA_CERTS'],
    added: [{ variable: 'NODE_EXTRA_CA_CERTS', status, certificates: 1 }],
  })
  expect(await (await service.request('/')).text()).toContain(status)
  await service.request('/admin/functions/smokeTest', trigger)
  const line = await service.logged(({ message }) => message.includes('"event":"smoke-test",'))
  expect(JSON.parse(line.message)).toMatchObject({ status: 'pass' })
})
