import { describe, expect, test } from 'vitest'
import type { Fault } from 'cloud-profile-enclave/enclave'
import { checkAcceptance, compareChallenge, parseChallenge } from '../../../src/lib/diagnostics/token-acceptance.ts'
import { configuredEndpoints, isProtected } from '../../../src/lib/diagnostics/endpoint-table.ts'
import type { Check, ProtectedEndpoint } from '../../../src/lib/diagnostics/run.ts'
import { type ErrorCode, ServiceError } from '../../../src/lib/errors.ts'
import { toDiagnosis } from '../../../src/lib/diagnostics/checks.ts'
import { protectedServices } from '../../support/protected-services.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const endpoints = () => protectedServices(running.cloud)
const endpointOf = (id: string) => endpoints().find((each) => each.id === id) as ProtectedEndpoint
const tokenFor = async (audience: string) => ({ token: await running.token(audience) })

const checkAll = async (timeoutMs = 120_000, acquire = tokenFor) =>
  Promise.all(endpoints().map((endpoint) => checkAcceptance({ endpoint, tokenFor: acquire, timeoutMs, env: {} })))

const summaryOf = (checks: readonly Check[]) =>
  checks.map(({ id, status, code }) => [id, status, code].filter(Boolean).join(' '))

describe('The token acceptance check of key vault and storage', () => {
  test('passes where the identity has its roles: one name of each service is read, no data, and nothing changes', async () => {
    const checks = await checkAll()
    expect(summaryOf(checks)).toEqual(['key-vault.accepts-token pass', 'storage.accepts-token pass'])
    const asked = running.cloud.requests.filter(({ role }) => role === 'vault' || role === 'storage')
    expect(asked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(['GET /', 'GET /secrets'])
    const queries = endpoints().map(({ protectedResource }) => protectedResource.url.searchParams)
    expect(queries.map((query) => query.get('maxresults'))).toEqual(['1', '1'])
  })

  test.each<[Fault, ErrorCode, string]>([
    [{ kind: 'forbidden' }, 'SERVICE_FORBIDDEN', 'data role'],
    [{ kind: 'firewall' }, 'SERVICE_FIREWALL', 'A role does not help'],
    [{ kind: 'rejects-token' }, 'SERVICE_REJECTED_TOKEN', 'AUDIENCE'],
    [{ kind: 'status-429' }, 'SERVICE_THROTTLED', 'Wait 3600 s'],
  ])('tells %j as %s', async (fault, code, fix) => {
    await running.cloud.setFault(fault, 'vault')
    await running.cloud.setFault(fault, 'storage')
    const checks = await checkAll(1500)
    expect(summaryOf(checks)).toEqual(['key-vault', 'storage'].map((id) => `${id}.accepts-token fail ${code}`))
    for (const { message, evidence = {} } of checks) expect(toDiagnosis({ code, message, evidence }).fix).toContain(fix)
  })

  test('a token that cannot be had is the failure of its service alone', async () => {
    const checks = await checkAll(5000, async (audience) => {
      if (audience.includes('vault')) throw new ServiceError('RESOURCE_UNKNOWN', 'There is no such resource')
      return tokenFor(audience)
    })
    expect(summaryOf(checks)).toEqual(['key-vault.accepts-token fail RESOURCE_UNKNOWN', 'storage.accepts-token pass'])
  })
})

describe('A token is withheld', () => {
  const unsigned = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

  test.each<[string, () => string]>([
    ['that is opaque', () => 'opaque'],
    ['without an audience', () => unsigned({ tid: 'x' })],
    ['that is for another service', () => unsigned({ aud: 'https://vault.test/' })],
    ['that is for several', () => unsigned({ aud: [running.cloud.audiences.storage, 'https://vault.test/'] })],
  ])('%s', async (_what, token) => {
    const tokenFor = async () => ({ token: token() })
    const withheld = { endpoint: endpointOf('storage'), tokenFor, timeoutMs: 120_000, env: {} }
    expect(await checkAcceptance(withheld)).toMatchObject({ status: 'skip' })
    expect(running.cloud.requests.filter(({ role }) => role === 'storage')).toEqual([])
  })

  test('over plain http to another machine', async () => {
    const { protectedResource, ...endpoint } = endpointOf('key-vault')
    const plain = { ...endpoint, protectedResource: { ...protectedResource, url: new URL('http://vault.test/') } }
    expect(await checkAcceptance({ endpoint: plain, tokenFor, timeoutMs: 120_000, env: {} })).toMatchObject({
      status: 'skip',
    })
  })
})

describe('The token acceptance check of the resource manager', () => {
  const check = async () => {
    const { profile, resourceManagerAudience: audience } = running.cloud
    const endpoint = configuredEndpoints(profile, {}).find(isProtected) as ProtectedEndpoint
    return checkAcceptance({ endpoint, tokenFor: async () => tokenFor(audience), audience, timeoutMs: 3000, env: {} })
  }

  test('is a warning where the identity is not allowed to list', async () => {
    await running.cloud.setFault({ kind: 'forbidden' }, 'resource-manager')
    expect(await check()).toMatchObject({ status: 'warn', code: 'RESOURCE_MANAGER_FORBIDDEN' })
  })

  test('passes where only the version of the interface is unknown, and says which versions there are', async () => {
    const message = "The api-version '2016-06-01' is invalid. The supported versions are '2015-11-01,2014-04-01'."
    const body = { error: { code: 'InvalidApiVersionParameter', message } }
    await running.cloud.setFault({ kind: 'replaced-status', status: 400, body }, 'resource-manager/subscriptions')
    expect(await check()).toMatchObject({
      status: 'pass',
      code: 'API_VERSION_UNSUPPORTED',
      evidence: { version: '2016-06-01', supportedVersions: '2015-11-01, 2014-04-01' },
    })
  })
})

const authority = 'https://login.enclave.test/t'

test.each([
  [
    'of a resource manager',
    `Bearer authorization_uri="${authority}", error="x", error_description="a, b"`,
    { authority },
  ],
  ['of a key vault', `Bearer authorization="${authority}", resource="urn:v"`, { authority, audience: 'urn:v' }],
  ['of a storage account', `Bearer authorization_uri=${authority} resource_id=urn:s`, { authority, audience: 'urn:s' }],
  ['between two schemes', `X, bearer authorization_uri="${authority}", PoP authorization_uri="a:b"`, { authority }],
  ['without an address', 'Bearer realm="x", authorization_uri="nowhere"', undefined],
  ['of another scheme', 'Basic realm="https://a.test/"', undefined],
  ['that is absent', '', undefined],
])('a WWW-Authenticate header %s is read', (_what, header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge)
})

describe('a challenge', () => {
  const login = 'https://login.enclave.test/'
  const expected = { url: new URL('https://management.enclave.test/'), audiences: ['https://management.enclave.test/'] }
  const gov = { ...expected, audiences: ['https://management.usgovcloudapi.net/'] }

  test.each([
    [{ authority: 'https://LOGIN.enclave.test/tenant' }, login, expected],
    [{ authority: 'https://login.windows.net/tenant' }, 'https://login.microsoftonline.com/', expected],
    [{ audience: 'https://management.enclave.test' }, login, expected],
    [{ audience: 'https://management.core.usgovcloudapi.net/' }, login, gov],
  ])('%j agrees with the profile', (challenge, authorityHost, resource) => {
    expect(() => compareChallenge(challenge, authorityHost, resource)).not.toThrow()
  })

  test.each([
    [{ authority: 'https://login.microsoftonline.com/t' }, 'CHALLENGE_AUTHORITY_MISMATCH'],
    [{ audience: 'https://management.azure.com/' }, 'CHALLENGE_AUDIENCE_MISMATCH'],
  ])('%j is a %s', (challenge, code) => {
    expect(() => compareChallenge(challenge, login, expected)).toThrow(expect.objectContaining({ code }))
  })

  test('that differs is reported with both values, without user information', () => {
    expect(() => compareChallenge({ audience: 'https://user:hush@a.test/' }, login, expected)).toThrow(
      'management.enclave.test expects tokens for "https://[redacted]@a.test/", but the profile has "https://management.enclave.test/"',
    )
  })
})
