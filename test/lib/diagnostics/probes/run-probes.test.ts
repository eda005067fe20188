import { describe, expect, test } from 'vitest'
import { configuredEndpoints, isProtected } from '../../../../src/lib/diagnostics/endpoint-table.ts'
import { runProbes } from '../../../../src/lib/diagnostics/probes/probe-endpoint.ts'
import { withValueAt } from '../../../../src/lib/profile/field-path.ts'
import { protectedServices } from '../../../support/protected-services.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, probe, troublesOf } from './enclave-context.ts'

const running = useEnclave()

describe('a cloud that is well', () => {
  test('passes every check, each with a separate id, by three requests and to no other host', async () => {
    const checks = await runProbes(contextOf(running.cloud.profile))
    expect(troublesOf(checks)).toEqual([])
    expect(checks.map(({ id }) => id)).toEqual([
      ...['proxy', 'dns', 'tcp', 'tls', 'document', 'issuer', 'token-endpoint', 'clock'].map((id) => `authority.${id}`),
      ...['proxy', 'dns', 'tcp', 'tls', 'challenge'].map((id) => `resource-manager.${id}`),
      ...['document', 'matches-profile'].map((id) => `metadata.${id}`),
    ])
    expect(running.cloud.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      `GET /${running.cloud.tenantId}/v2.0/.well-known/openid-configuration`,
      'GET /metadata/endpoints',
      'GET /subscriptions',
    ])
    expect(running.cloud.foreign.received).toEqual([])
  })

  test('without a metadata endpoint is not asked for metadata', async () => {
    const { metadataEndpoint: _metadataEndpoint, ...profile } = running.cloud.profile
    const checks = await runProbes(contextOf(profile))
    expect(checks.filter(({ id }) => id.startsWith('metadata.'))).toEqual([])
  })
})

describe('a cloud with one fault', () => {
  // test/integration/faults.test.ts has every fault, as a report.
  test('of the challenge is a warning or failure of the challenge alone', async () => {
    await running.cloud.setFault({ kind: 'missing-challenge' }, 'resource-manager')
    const checks = await runProbes(contextOf(running.cloud.profile))
    expect(troublesOf(checks)).toEqual(['resource-manager.challenge CHALLENGE_MISSING'])
  })

  test('skips what depends on the failed check, and says why', async () => {
    await running.cloud.setFault({ kind: 'refused' }, 'login')
    const checks = await runProbes(contextOf(running.cloud.profile))
    const skipped = checks.filter(({ status }) => status === 'skip').map(({ id, message }) => `${id}: ${message}`)
    const names = ['tls', 'document', 'issuer', 'token-endpoint', 'clock']
    expect(skipped).toEqual(names.map((name) => `authority.${name}: Skipped: authority.tcp failed`))
  })

  test('of a host that two groups share is reported once', async () => {
    await running.cloud.setFault({ kind: 'refused' }, 'resource-manager')
    const checks = await runProbes(contextOf(running.cloud.profile))
    expect(checkOf(checks, 'metadata.document').message).toBe('Skipped: resource-manager.tcp failed')
    expect(checks.some(({ id }) => id === 'metadata.tcp')).toBe(false)
  })
})

describe('the deadline of the run', () => {
  test('ends every layer, even one that still waits', async () => {
    await running.cloud.setFault({ kind: 'silent-tls' }, 'login')
    await running.cloud.setFault({ kind: 'silent' }, 'resource-manager')
    const over = new AbortController()
    const checks = runProbes(contextOf(running.cloud.profile, { signal: over.signal }))
    // By then, the login authority has been silent for a handshake too.
    for (const wanted of ['/subscriptions', '/metadata/endpoints']) {
      await running.cloud.waitForRequest(({ path }) => path === wanted)
    }
    over.abort(new DOMException('The deadline', 'TimeoutError'))
    expect(troublesOf(await checks)).toEqual([
      'authority.tls AUTHORITY_TIMEOUT',
      'resource-manager.challenge RESOURCE_MANAGER_TIMEOUT',
      'metadata.document METADATA_TIMEOUT',
    ])
  })

  test('that is already over lets nothing out', async () => {
    const checks = await runProbes(contextOf(running.cloud.profile, { signal: AbortSignal.abort() }))
    // The addresses of a name that was looked up a moment ago are still known.
    const ended = /^(authority|resource-manager)\.(dns \w+_DNS_UNAVAILABLE|tcp \w+_TIMEOUT)$/
    expect(troublesOf(checks)).toEqual([expect.stringMatching(ended), expect.stringMatching(ended)])
    expect(running.cloud.requests).toEqual([])
  })
})

describe('the OpenID configuration', () => {
  test('may name a token endpoint on a host that is allowed by name', async () => {
    await running.cloud.setFault({ kind: 'foreign-token-endpoint' })
    const allowedTokenHosts = [new URL(running.cloud.foreign.origin).host]
    expect(troublesOf(await probe('authority', contextOf(running.cloud.profile, { allowedTokenHosts })))).toEqual([])
    expect(running.cloud.foreign.received).toEqual([])
  })

  test('is not asked for without a tenant, but the clock is', async () => {
    const { tenantId: _tenantId, ...profile } = running.cloud.profile
    const checks = await probe('authority', contextOf(profile))
    expect(checkOf(checks, 'authority.document')).toMatchObject({ status: 'skip', message: /PLATFORM_TENANT_ID/ })
    expect(checkOf(checks, 'authority.issuer').status).toBe('skip')
    expect(checkOf(checks, 'authority.clock').status).toBe('pass')
  })
})

describe('key vault and storage', () => {
  test('are addressed by the suffixes of the profile', () => {
    const accounts = { keyVault: 'myvault', storageAccount: 'mydata' }
    const endpoints = configuredEndpoints(running.cloud.profile, accounts)
    const named = endpoints.filter(isProtected).slice(1)
    const { keyVault, storage } = running.cloud.profile.serviceDnsSuffixes
    expect(named.map(({ protectedResource }) => protectedResource.url.href)).toEqual([
      `https://myvault${keyVault}/secrets?api-version=7.0&maxresults=1`,
      `https://mydata${storage}/?comp=list&maxresults=1`,
    ])
  })

  test.each([
    ['serviceAudiences.keyVault', 'key-vault'],
    ['serviceAudiences.storage', 'storage'],
  ] as const)('find a public-cloud %s left in place', async (path, group) => {
    const profile = withValueAt(running.cloud.profile, path, 'https://public.azure.test/')
    const endpoints = protectedServices(running.cloud, profile)
    const checks = await runProbes({ ...contextOf(profile), endpoints })
    expect(troublesOf(checks)).toEqual([`${group}.challenge CHALLENGE_AUDIENCE_MISMATCH`])
  })
})
