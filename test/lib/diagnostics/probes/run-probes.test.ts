import { describe, expect, test } from 'vitest'
import { runProbes } from '../../../../src/lib/diagnostics/probes/probe-endpoint.ts'
import { useEnclave } from '../../../support/use-enclave.ts'
import { checkOf, contextOf, troublesOf } from './enclave-context.ts'

const running = useEnclave()

describe('a cloud that is well', () => {
  test('passes every check, each with a separate id', async () => {
    const checks = await runProbes(contextOf(running.cloud.profile))
    expect(troublesOf(checks)).toEqual([])
    expect(checks.map(({ id }) => id)).toEqual([
      ...['proxy', 'dns', 'tcp', 'tls', 'document', 'issuer', 'token-endpoint', 'clock'].map((id) => `authority.${id}`),
      ...['proxy', 'dns', 'tcp', 'tls', 'challenge'].map((id) => `resource-manager.${id}`),
      ...['document', 'matches-profile'].map((id) => `metadata.${id}`),
    ])
  })

  test('is asked three questions, and nothing else is contacted', async () => {
    await runProbes(contextOf(running.cloud.profile))
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
