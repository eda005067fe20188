import { createHttpHeaders, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { failedCheck, type FoundCheck, Layers, type Seen } from '../../../src/lib/diagnostics/checks.ts'
import { conclude } from '../../../src/lib/diagnostics/conclude.ts'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import { collectFacts, type FactSettings, type Memory } from '../../../src/lib/diagnostics/facts.ts'
import { probeAuthority } from '../../../src/lib/diagnostics/probes/probe-authority.ts'
import { ServiceError, type ErrorCode, type Evidence } from '../../../src/lib/errors.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { readSettings } from '../../../src/lib/settings/settings.ts'
import { placed } from '../../support/placed.ts'

const host = 'login.microsoftonline.us'
const failed = (id: string, code: ErrorCode, evidence: Evidence = {}, seen: Seen = {}): FoundCheck => ({
  ...placed(failedCheck({ id }, new ServiceError(code, `What ${id} says`, { evidence: { host, ...evidence } }))),
  seen,
})
const passed = (id: string, more: Partial<FoundCheck> = {}): FoundCheck => ({
  ...placed({ id, status: 'pass', message: '', durationMs: 1 }),
  ...more,
})

const unset: FactSettings = { authMode: 'clientSecret' }

/** The conclusion of checks for a built-in profile. */
function concluded(checks: readonly FoundCheck[], { env = {}, settings = unset, memory = newMemory() } = {}) {
  const cloud = explainProfile({ env })
  const endpoints = configuredEndpoints(cloud.profile, readSettings(env))
  const facts = collectFacts({
    checks,
    cloud,
    overridesApply: true,
    identity: { tenantId: 't', clientId: 'c' },
    settings,
    endpoints,
    memory,
    env,
  })
  return conclude({ checks, token: { status: 'failed', cached: false }, endpoints, hasWarnings: false, facts })
}
const newMemory = (): Memory => ({ proven: new Map(), workedUntil: new Map() })
const fixOf = (...given: Parameters<typeof concluded>) => concluded(...given).rootCause?.fix
const accounts = { PLATFORM_STORAGE_ACCOUNT: 'data', PLATFORM_KEY_VAULT: 'vault' }

const confirmed = passed('metadata.matches-profile', { proves: ['authorityHost', 'resourceManagerAudience'] })

describe('A fix weighs what the run has proven', () => {
  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_DNS_FAILED', 'authority.dns', {}],
    ['AUTHORITY_UNREACHABLE', 'authority.tcp', {}],
    ['AUTHORITY_REFUSED', 'authority.tcp', {}],
    [
      'AUTHORITY_REDIRECTED',
      'authority.document',
      { location: 'https://portal.test/', movedTo: 'https://portal.test/' },
    ],
    ['AUTHORITY_RESPONSE_INVALID', 'authority.document', {}],
    ['AUTHORITY_CERTIFICATE_NAME_MISMATCH', 'authority.tls', { names: 'a.test' }],
    ['AUTHORITY_TLS_FAILED', 'authority.tls', {}],
    ['ISSUER_MISMATCH', 'authority.issuer', { issuer: 'https://a.test/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { tokenHost: 'a.test' }],
  ])('%s proposes no other login authority', (code, id, evidence) => {
    const check = failed(id, code, evidence)
    expect(fixOf([check])).toContain('PLATFORM_AUTHORITY_HOST')
    const { rootCause } = concluded([check, confirmed])
    expect(rootCause?.fix).not.toContain('PLATFORM_AUTHORITY_HOST')
    expect(rootCause?.change).not.toMatchObject({ variable: 'PLATFORM_AUTHORITY_HOST' })
  })

  test('an accepted token of an earlier run is a proof too', () => {
    const memory = { proven: new Map([['authorityHost', 'it worked'] as const]), workedUntil: new Map() }
    expect(fixOf([failed('authority.dns', 'AUTHORITY_DNS_FAILED')], { memory })).toMatch(
      /^Add the name .* The profile is correct \(it worked\)\.$/,
    )
  })
})

describe('A value of another cloud is named and not proposed', () => {
  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_REDIRECTED', 'authority.document', { location: 'https://login.microsoftonline.com/x' }],
    ['ISSUER_MISMATCH', 'authority.issuer', { issuer: 'https://login.microsoftonline.com/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { tokenHost: 'login.microsoftonline.com' }],
    [
      'CHALLENGE_AUTHORITY_MISMATCH',
      'resource-manager.challenge',
      { challengeAuthority: 'https://login.chinacloudapi.cn/' },
    ],
    [
      'CHALLENGE_AUDIENCE_MISMATCH',
      'resource-manager.challenge',
      { challengeAudience: 'https://management.azure.com/', setting: 'x' },
    ],
    ['METADATA_MISMATCH', 'metadata.document', { publishedAuthority: 'https://login.microsoftonline.com/' }],
  ])('%s', (code, id, evidence) => {
    const { rootCause } = concluded([failed(id, code, evidence)])
    expect(rootCause?.fix).toMatch(/another cloud/)
    expect(rootCause?.change).toBeUndefined()
  })
})

describe('A fix blames no layer below one that passed', () => {
  test.each([
    [['authority.dns', 'authority.tcp'], 'authority.tls', /path MTU.*leave the firewall rule/],
    [
      ['authority.dns', 'authority.tcp', 'authority.tls'],
      'authority.document',
      /^Ask the operator of .* no complete response/,
    ],
    [['authority.dns'], 'authority.tcp', /^Allow traffic from this machine/],
  ])('%j passed, and %s got no response', (layers, id, text) => {
    expect(fixOf([...layers.map((each) => passed(each)), failed(id, 'AUTHORITY_TIMEOUT')])).toMatch(text)
  })

  test('another path of the same host that responds is named', () => {
    const metadata = passed('metadata.document', { seen: { path: '/metadata/endpoints' } })
    const silent = failed(
      'resource-manager.challenge',
      'RESOURCE_MANAGER_TIMEOUT',
      { host: 'management.usgovcloudapi.net' },
      { path: '/subscriptions' },
    )
    const { rootCause } = concluded([passed('resource-manager.tls'), metadata, silent])
    expect(rootCause?.fix).toContain('/metadata/endpoints of the same host responds')
  })
})

describe('The kind of an address decides', () => {
  test.each(['0.0.0.0', '127.0.0.1', '::1'])('%s is this machine, whatever the port says', (address) => {
    const evidence = { address, addressKind: 'this machine' }
    expect(fixOf([failed('authority.tcp', 'AUTHORITY_REFUSED', evidence)])).toMatch(
      /^Correct the DNS record of .*hosts file/,
    )
  })

  test('a public address beside a private one of the same suffix lacks its private zone', () => {
    const vault = 'vault.vault.usgovcloudapi.net'
    const checks = [
      passed('storage.dns', { seen: { addresses: ['10.0.0.5'] } }),
      passed('key-vault.dns', { seen: { addresses: ['20.1.1.1'] } }),
      failed('key-vault.tcp', 'SERVICE_TIMEOUT', { host: vault }),
    ]
    expect(fixOf(checks, { env: accounts })).toMatch(
      /^Add vault\.\S+ to the private DNS zone .*20\.1\.1\.1.*10\.0\.0\.5/,
    )
  })
})

describe('The clocks of the hosts vote', () => {
  const skewed = failed('authority.clock', 'CLOCK_SKEW', { ours: 'A', theirs: 'B' })
  const seenAt = (skewSeconds: number) => passed('resource-manager.challenge', { seen: { skewSeconds } })

  test('an authority alone with its time is told to correct it', () => {
    const { rootCause, hosts } = concluded([skewed, seenAt(1)])
    expect(rootCause?.fix).toMatch(/^Ask the operator of login\.microsoftonline\.us to synchronize its clock/)
    expect(hosts.find(({ id }) => id === 'authority')?.layers.answer?.status).toBe('fail')
  })

  test('a machine alone with its time is told to correct it', () => {
    expect(fixOf([skewed, seenAt(7200)])).toMatch(/^Synchronize this machine's clock/)
  })
})

describe('Certificates are compared', () => {
  const untrusted = (more: Evidence) =>
    fixOf([failed('authority.tls', 'AUTHORITY_UNTRUSTED', { issuer: '"Newco CA"', ...more })])

  test('a CA that was renewed under the same name is renewed in the file', () => {
    expect(
      untrusted({
        keyId: 'aa:bb:cc:dd',
        trustedKeyId: '11:22:33:44',
        caFile: '/ca.pem',
        incompleteFile: 'NODE_EXTRA_CA_CERTS',
      }),
    ).toMatch(/^Add the renewed certificate of the CA "Newco CA" to \/ca\.pem/)
  })

  test("an expired CA of this process is not the server's to renew", () => {
    const evidence = { expiredIssuer: '"Old Root"', caFile: '/ca.pem', validTo: '2025-01-01' }
    expect(fixOf([failed('authority.tls', 'AUTHORITY_CERTIFICATE_EXPIRED', evidence)])).toMatch(
      /^Replace the CA "Old Root" in \/ca\.pem/,
    )
  })

  test('an intermediate that another host sends is missing at the server', () => {
    const other = passed('resource-manager.tls', { seen: { chain: [{ subject: '"Newco CA"' }] } })
    expect(fixOf([failed('authority.tls', 'AUTHORITY_UNTRUSTED', { issuer: '"Newco CA"' }), other])).toMatch(
      /to send the intermediate CA "Newco CA" with its certificate, as management\./,
    )
  })

  test('the fingerprint of a foreign issuer is to be compared before it is trusted', () => {
    expect(untrusted({ sha256: 'AA:BB:CC:DD:EE:FF:00:11:22' })).toContain('Compare its SHA-256')
  })
})

describe('The words of the peer decide', () => {
  test.each<[ErrorCode, string, Evidence, RegExp]>([
    [
      'RESOURCE_MANAGER_REJECTED_TOKEN',
      'resource-manager.accepts-token',
      { errorCode: 'InvalidAuthenticationTokenTenant' },
      /^Set PLATFORM_TENANT_ID to the tenant of the subscription/,
    ],
    [
      'RESOURCE_MANAGER_REJECTED_TOKEN',
      'resource-manager.accepts-token',
      { errorCode: 'InvalidAuthenticationTokenAudience' },
      /^Set PLATFORM_RESOURCE_MANAGER_AUDIENCE to an audience that/,
    ],
    [
      'RESOURCE_MANAGER_REJECTED_TOKEN',
      'resource-manager.accepts-token',
      { errorCode: 'ExpiredAuthenticationToken' },
      /synchronize its clock/,
    ],
    ['CLIENT_SECRET_INVALID', 'token.acquired', { secretExpired: 'AADSTS7000222' }, /because this one has expired/],
    [
      'MANAGED_IDENTITY_REJECTED',
      'token.acquired',
      { status: '400', error: 'identity_not_found' },
      /Correct PLATFORM_CLIENT_ID/,
    ],
    ['MANAGED_IDENTITY_REJECTED', 'token.acquired', { status: '403' }, /IDENTITY_HEADER/],
    [
      'AUTHORITY_DNS_UNAVAILABLE',
      'authority.dns',
      { serverFailure: 'SERVFAIL', servers: '10.0.0.2' },
      /^Ask the operator of the DNS server \(10\.0\.0\.2\) why it responds SERVFAIL/,
    ],
    [
      'AUTHORITY_HTTP_ERROR',
      'authority.document',
      { status: '502', title: 'Blocked', supportId: '1234567' },
      /"Blocked", support id 1234567/,
    ],
    ['TOKEN_REJECTED', 'token.acquired', { error: 'invalid_request' }, /without an error number/],
  ])('%s at %s with %j', (code, id, evidence, text) => {
    expect(fixOf([failed(id, code, evidence)])).toMatch(text)
  })

  test('a page that all hosts return is one root cause', () => {
    const page = (id: string) =>
      failed(
        `${id}.document`,
        id === 'authority' ? 'AUTHORITY_RESPONSE_INVALID' : 'METADATA_RESPONSE_INVALID',
        { title: 'Sign in' },
        { page: 'abc' },
      )
    const { rootCause } = concluded([page('authority'), page('metadata')])
    expect(rootCause).toMatchObject({ fix: expect.stringMatching(/^Ask the network team.*"Sign in"/) as string })
    expect(rootCause?.checks).toHaveLength(2)
  })

  test('a process without resources explains everything', () => {
    const exhausted = failed('metadata.tcp', 'PROCESS_RESOURCES_EXHAUSTED', { errno: 'EMFILE' })
    const { rootCause } = concluded([failed('token.acquired', 'AUTHORITY_TIMEOUT'), exhausted])
    expect(rootCause).toMatchObject({ code: 'PROCESS_RESOURCES_EXHAUSTED', checks: ['token.acquired', 'metadata.tcp'] })
  })
})

describe('The own settings decide', () => {
  const settings = (env: Readonly<Record<string, string>>) =>
    readSettings({ PLATFORM_CLIENT_ID: 'c', PLATFORM_TENANT_ID: 't', ...env })

  test.each(['"quoted"', "'quoted'", 'blank '])('a secret %j is sent unchanged', (secret) => {
    const fix = fixOf([failed('token.acquired', 'CLIENT_SECRET_INVALID')], {
      settings: settings({ AUTH_MODE: 'clientSecret', PLATFORM_CLIENT_SECRET: secret }),
    })
    expect(fix).toMatch(/^Remove the (quotes|blanks) at its ends from the value of PLATFORM_CLIENT_SECRET/)
    expect(fix).not.toContain('quoted')
  })

  test('variables of a mode that is not set name the mode', () => {
    const { rootCause } = concluded([failed('token.acquired', 'CLI_NOT_INSTALLED')], {
      settings: settings({ PLATFORM_CLIENT_SECRET: 's' }),
    })
    expect(rootCause?.change).toEqual({ variable: 'AUTH_MODE', value: 'clientSecret' })
  })

  test('a federated token for another audience is requested again', () => {
    const evidence = {
      assertionAudience: 'https://kubernetes.default.svc',
      assertionIssuer: 'https://i.test',
      assertionSubject: 's',
    }
    expect(fixOf([failed('token.acquired', 'CLIENT_ASSERTION_REJECTED', evidence)])).toMatch(
      /^Request the federated token for the audience api:\/\/AzureADTokenExchangeUSGov/,
    )
  })
})

describe('The cloud of a tenant', () => {
  const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_TENANT_ID: '11111111-1111-1111-1111-111111111111' }
  const read = async (body: object) => {
    const { profile } = explainProfile({ env })
    const layers = new Layers('authority')
    const [endpoint] = configuredEndpoints(profile, {})
    const response = {
      status: 200,
      headers: createHttpHeaders(),
      request: createPipelineRequest({ url: 'https://login.test/' }),
      bodyAsText: JSON.stringify(body),
    } as PipelineResponse
    const context = { profile, endpoints: [], env, signal: AbortSignal.timeout(1000), tenantId: env.PLATFORM_TENANT_ID }
    if (endpoint === undefined) throw new Error('No authority')
    await probeAuthority({ endpoint, context, layers, get: async () => response, signal: () => context.signal })
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
