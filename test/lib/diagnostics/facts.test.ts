import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { failedCheck, Layers } from '../../../src/lib/diagnostics/checks.ts'
import type { Check, HostFacts } from '../../../src/lib/diagnostics/run.ts'
import { conclude } from '../../../src/lib/diagnostics/conclude.ts'
import { collectFacts, type FactsSource, type Memory } from '../../../src/lib/diagnostics/facts.ts'
import { fixOf as findingFix } from '../../../src/lib/findings/catalog.ts'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import { probeAuthority } from '../../../src/lib/diagnostics/probes/probe-authority.ts'
import { ServiceError, type ErrorCode, type Evidence } from '../../../src/lib/errors.ts'
import { profileFacts } from '../../../src/lib/profile/profile-facts.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/resolved-cloud.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { placed } from '../../support/placed.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const host = 'login.microsoftonline.us'
const failed = (id: string, code: ErrorCode, evidence: Evidence = {}, observed: HostFacts = {}): Check => ({
  ...placed(failedCheck({ id }, new ServiceError(code, `What ${id} says`, { evidence: { host, ...evidence } }))),
  observed,
})
const passed = (id: string, more: Partial<Check> = {}): Check => ({
  ...placed({ id, status: 'pass', message: '', durationMs: 1 }),
  ...more,
})

const unset: FactsSource['settings'] = { authMode: 'clientSecret' }

/** The conclusion of checks for a built-in profile. */
function concluded(checks: readonly Check[], { env = {}, settings = unset, memory = newMemory() } = {}) {
  const cloud = explainProfile({ env })
  const endpoints = configuredEndpoints(cloud.profile, readSettings(env))
  const source = {
    checks,
    cloud,
    identity: { tenantId: 't', clientId: 'c' },
    settings,
    endpoints,
    memory,
    env,
  }
  return conclude(collectFacts(source), { status: 'failed', cached: false }, false)
}
const newMemory = (): Memory => ({ proven: new Map() })
const fixOf = (...given: Parameters<typeof concluded>) => concluded(...given).rootCause?.fix

const confirmed = passed('metadata.matches-profile', { proves: ['authorityHost', 'resourceManagerAudience'] })

describe('A fix weighs what the run has proven', () => {
  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_DNS_FAILED', 'authority.dns', {}],
    ['AUTHORITY_REFUSED', 'authority.tcp', {}],
    ['AUTHORITY_CERTIFICATE_NAME_MISMATCH', 'authority.tls', { names: 'a.test' }],
    ['ISSUER_MISMATCH', 'authority.issuer', { issuer: 'https://a.test/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { tokenHost: 'a.test' }],
  ])('%s proposes no other login authority', (code, id, evidence) => {
    const check = failed(id, code, evidence)
    const given = { env: { PLATFORM_AUTHORITY_HOST: `https://${host}/` } }
    expect(fixOf([check], given)).toContain('PLATFORM_AUTHORITY_HOST')
    const { rootCause } = concluded([check, confirmed], given)
    expect(rootCause?.fix).not.toContain('PLATFORM_AUTHORITY_HOST')
    expect(rootCause?.change).not.toMatchObject({ variable: 'PLATFORM_AUTHORITY_HOST' })
  })

  test.each([
    ['tenantId', /^Keep tenantId: the profile is correct \(.*\)\. Ask the operator of the metadata endpoint/],
    ['tenantId, portalUrl', /^Keep tenantId: .*\. Copy the published value of portalUrl into .* Ask the operator/],
    ['portalUrl', /^Copy the published value of portalUrl into the profile, unless .* another value\.$/],
  ])('of metadata that differs in %s: only what is not proven is copied', (differingFields, fix) => {
    const differs = failed('metadata.document', 'METADATA_MISMATCH', { differingFields })
    // The challenge names another authority, which doesn't count as a difference of the metadata.
    const challenge = passed('resource-manager.challenge', { evidence: { challengeAuthority: 'https://a.test/' } })
    const env = { CUSTOM_CLOUD_PROFILE_PATH: directory.write('profile.json', profileDocument({})) }
    expect(fixOf([differs, challenge, passed('token.tenant', { proves: ['tenantId'] })], { env })).toMatch(fix)
  })
})

describe('A value of another cloud is named and not proposed', () => {
  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_REDIRECTED', 'authority.document', { location: 'https://login.microsoftonline.com/x' }],
    ['ISSUER_MISMATCH', 'authority.issuer', { issuer: 'https://login.microsoftonline.com/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { tokenHost: 'login.microsoftonline.com' }],
    [
      'CHALLENGE_AUDIENCE_MISMATCH',
      'resource-manager.challenge',
      { challengeAudience: 'https://management.azure.com/' },
    ],
    ['METADATA_MISMATCH', 'metadata.document', { publishedAuthority: 'https://login.microsoftonline.com/' }],
  ])('%s', (code, id, evidence) => {
    const { rootCause } = concluded([failed(id, code, evidence)])
    expect(rootCause?.fix).toMatch(/another cloud/)
    expect(rootCause?.change).toBeUndefined()
  })
})

test('a connection that works for one endpoint of a host is not blamed for another endpoint', () => {
  const silent = { ...failed('metadata.document', 'METADATA_TIMEOUT', { path: '/metadata/endpoints' }) }
  const works = ['dns', 'tcp', 'tls'].map((layer) => passed(`resource-manager.${layer}`))
  expect(fixOf([silent])).toMatch(/^Allow traffic/)
  expect(fixOf([...works, silent])).toMatch(/^Ask the operator/)
})

test("an expired CA of this process is not the server's to renew", () => {
  const evidence = { expiredIssuer: '"Old Root"', caFile: '/ca.pem', validTo: '2025-01-01' }
  expect(fixOf([failed('authority.tls', 'AUTHORITY_CERTIFICATE_EXPIRED', evidence)])).toMatch(
    /^Replace the CA "Old Root" in \/ca\.pem/,
  )
})

test('a process without resources explains everything', () => {
  const exhausted = failed('metadata.tcp', 'PROCESS_RESOURCES_EXHAUSTED', { reason: 'EMFILE' })
  const { rootCause } = concluded([failed('token.acquired', 'AUTHORITY_TIMEOUT'), exhausted])
  expect(rootCause).toMatchObject({ code: 'PROCESS_RESOURCES_EXHAUSTED', checks: ['token.acquired', 'metadata.tcp'] })
})

test.each([
  [0, /^Ask the operator of login\.microsoftonline\.us to synchronize its clock/],
  [7200, /^Synchronize this machine's clock/],
])('a clock is corrected by whom the other hosts prove wrong: %i s from theirs', (skewSeconds, fix) => {
  const theirs = { theirs: '12:00', ours: '10:00' }
  const differs = failed('authority.clock', 'CLOCK_SKEW', theirs, { skewSeconds: 7200 })
  expect(fixOf([differs, passed('resource-manager.challenge', { observed: { skewSeconds } })])).toMatch(fix)
})

describe('The cloud of a tenant', () => {
  const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_TENANT_ID: '11111111-1111-1111-1111-111111111111' }
  const read = async (body: object) => {
    const { profile, provider } = resolveProvider(explainProfile({ env }))
    const layers = new Layers('authority')
    const [endpoint] = configuredEndpoints(profile, {})
    const response = {
      status: 200,
      headers: createHttpHeaders(),
      request: createPipelineRequest({ url: 'https://login.test/' }),
      bodyAsText: JSON.stringify(body),
    } as PipelineResponse
    const context = { profile, provider, endpoints: [], env, signal: AbortSignal.timeout(1000) }
    if (endpoint === undefined) throw new Error('No authority')
    const check: typeof layers.check = (...given) => layers.check(...given)
    await probeAuthority({ endpoint, context, check, get: async () => response, signal: () => context.signal })
    return layers.checks
  }

  test.each([
    ['microsoftonline.us', 'DODCON', 'graph.microsoft.us', 'platform-us-government', /GCC High/],
    ['microsoftonline.us', 'DOD', 'dod-graph.microsoft.us', 'platform-us-government', /DoD.*dod-graph/],
  ])(
    'of %s %s is named with its Graph host',
    async (cloud_instance_name, tenant_region_sub_scope, msgraph_host, name, text) => {
      const checks = await read({
        cloud_instance_name,
        tenant_region_scope: 'USGov',
        tenant_region_sub_scope,
        msgraph_host,
      })
      const { rootCause } = concluded([...checks, failed('token.acquired', 'TENANT_OF_ANOTHER_CLOUD')], { env })
      expect(rootCause).toMatchObject({
        code: 'TENANT_OF_ANOTHER_CLOUD',
        change: { variable: 'PLATFORM_CLOUD', value: name },
      })
      expect(rootCause?.fix).toMatch(text)
      expect(rootCause?.fix).toContain(msgraph_host)
    },
  )

  test('of the same cloud, GCC included, needs no word', async () => {
    const checks = await read({ cloud_instance_name: 'microsoftonline.com', tenant_region_sub_scope: 'GCC' })
    expect(checks.some(({ id }) => id === 'authority.tenant')).toBe(false)
  })
})

describe('Names that do not resolve', () => {
  const unknown = (id: string, name: string, role: 'AUTHORITY' | 'RESOURCE_MANAGER' | 'SERVICE' = 'AUTHORITY') =>
    failed(`${id}.dns`, `${role}_DNS_FAILED`, { host: name })
  const both = [
    unknown('authority', host),
    unknown('resource-manager', 'management.usgovcloudapi.net', 'RESOURCE_MANAGER'),
    failed('token.acquired', 'AUTHORITY_DNS_FAILED'),
  ]

  test('are one fault of the network if all names of a built-in fail, and nothing is to be corrected', () => {
    const { rootCause, checks } = concluded(both)
    expect(rootCause).toMatchObject({
      code: 'PUBLIC_NAMES_UNRESOLVED',
      hosts: [host, 'management.usgovcloudapi.net'],
      checks: ['authority.dns', 'resource-manager.dns', 'token.acquired'],
    })
    expect(rootCause?.message).toMatch(/^The DNS server has no address for login\.microsoftonline\.us, management/)
    expect(rootCause?.fix).toMatch(/DNS server.*private DNS zone.*proxy/)
    expect(JSON.stringify(checks)).not.toMatch(/PLATFORM_|"change"/)
  })

  test('are one fault of the network for a private cloud too, whose domain may be wrong', () => {
    const file = directory.write('private.json', profileDocument({}))
    const { rootCause } = concluded(both, { env: { CUSTOM_CLOUD_PROFILE_PATH: file } })
    expect(rootCause).toMatchObject({
      code: 'PRIVATE_NAMES_UNRESOLVED',
      message: /^The DNS server has no address for /,
    })
    expect(rootCause?.fix).toContain(`set \`authorityHost\` in ${file} and \`resourceManagerEndpoint\` in ${file}`)
  })

  test('are a fault of their host if another name resolves, and the built-in name of the host stays', () => {
    const { rootCause } = concluded([...both.slice(0, 1), passed('resource-manager.dns')])
    expect(rootCause).toMatchObject({ code: 'AUTHORITY_DNS_FAILED', fix: /^Add the name/ })
    expect(rootCause?.fix).toContain('is the built-in value of platform-us-government')
    expect(rootCause).not.toHaveProperty('change')
  })

  test('behind a proxy that NO_PROXY exempts them from lead to that variable', () => {
    const env = { HTTPS_PROXY: 'http://proxy.test:3128', NO_PROXY: '.us,.net' }
    expect(fixOf(both, { env })).toMatch(/^If only the proxy of HTTPS_PROXY reaches .*, remove \.us from NO_PROXY\./)
  })
})

test.each([
  [{ PLATFORM_CLIENT_SECRET: 's' }, 'clientSecret', 'PLATFORM_CLIENT_SECRET'],
  [{ PLATFORM_CLIENT_SECRET_PATH: '/s' }, 'clientSecret', 'PLATFORM_CLIENT_SECRET_PATH'],
  [{ PLATFORM_CLIENT_CERTIFICATE_PATH: '/c.pem' }, 'clientCertificate', 'PLATFORM_CLIENT_CERTIFICATE_PATH'],
  [{ PLATFORM_USERNAME: 'u' }, 'usernamePassword', 'PLATFORM_USERNAME'],
])('The mode that is not set is found by %o', (variables, mode, name) => {
  const settings = readSettings({ PLATFORM_CLIENT_ID: 'c', ...variables })
  const { rootCause } = concluded([failed('token.acquired', 'CLI_NOT_INSTALLED')], { settings })
  expect(rootCause?.fix).toMatch(`Set AUTH_MODE=${mode}: PLATFORM_CLIENT_ID and ${name} are set`)
})

test('drift corrects no metadata endpoint of a built-in, and names the file of another profile', () => {
  const file = directory.write('drift.json', profileDocument({}))
  const fixFor = (env: Record<string, string>) =>
    findingFix({ code: 'METADATA_DNS_FAILED', evidence: {} }, profileFacts(explainProfile({ env })))
  expect(fixFor({}).text).toMatch(/DNS server.*built-in value/)
  expect(fixFor({})).not.toHaveProperty('change')
  expect(fixFor({ CUSTOM_CLOUD_PROFILE_PATH: file })).toMatchObject({ change: { field: 'metadataEndpoint', file } })
  const manager = { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.private.test/' }
  expect(fixFor(manager)).toMatchObject({ change: { variable: 'PLATFORM_RESOURCE_MANAGER_ENDPOINT' } })
})
