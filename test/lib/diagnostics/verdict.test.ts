import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { checksInOrder } from '../../../src/lib/diagnostics/checks.ts'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import { probeAuthority } from '../../../src/lib/diagnostics/probes/probe-authority.ts'
import type { Check } from '../../../src/lib/diagnostics/run.ts'
import type { ErrorCode, Evidence } from '../../../src/lib/errors.ts'
import { fixOf } from '../../../src/lib/findings/catalog.ts'
import { profileFacts } from '../../../src/lib/profile/profile-facts.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/identity-provider.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { failed, passed, verdictOf } from '../../support/verdict-of.ts'

// Tables of checks and the verdict on them: root cause, change, hosts, explained checks and blamed node. The texts of the fixes are the
// catalog's, and no test asserts their words.

const directory = useTemporaryDirectory()
const file = directory.write('private.json', profileDocument({}))
const [login, manager] = ['login.microsoftonline.us', 'management.usgovcloudapi.net']
const metadataProves = passed('metadata.matches-profile', { proves: ['authorityHost', 'resourceManagerAudience'] })
const attempt = (code: ErrorCode, evidence?: Evidence) => failed('token.acquired', code, evidence)
const untrusted = (evidence?: Evidence) => failed('authority.tls', 'AUTHORITY_UNTRUSTED', evidence)
const clock = failed('authority.clock', 'CLOCK_SKEW')
const rootOf = (...given: Parameters<typeof verdictOf>) => verdictOf(...given).rootCause
const nodesOf = (...given: Parameters<typeof verdictOf>) =>
  verdictOf(...given).diagram.flatMap(({ id, status, edge }) => (status === 'fail' || edge === 'fail' ? [id] : []))

describe('The root cause', () => {
  const ca = { issuer: '"Enclave CA"' }
  type Fault = 'UNTRUSTED' | 'PROXY_FAILED' | 'RESPONSE_INVALID'
  const both = (fault: Fault, layer: string, one: Evidence, other = one) => [
    failed(`authority.${layer}`, `AUTHORITY_${fault}`, one),
    failed(`resource-manager.${layer}`, `RESOURCE_MANAGER_${fault}`, other),
  ]
  const hosts = { hosts: [login, manager] }
  const ofProbe = { message: 'What authority.tls says' }
  const onlyLogin = { hosts: [login] }

  const metadata = failed('metadata.document', 'METADATA_INVALID')
  const timeout = attempt('AUTHORITY_TIMEOUT')
  const challengeAuthority = 'https://a.test/'
  const mismatch = failed('resource-manager.challenge', 'CHALLENGE_AUTHORITY_MISMATCH', { challengeAuthority })

  test.each<[what: string, code: ErrorCode, explained: readonly Check[], others?: readonly Check[]]>([
    ['a failed check rather than an unexpected failure', 'AUTHORITY_UNTRUSTED', [attempt('UNEXPECTED'), untrusted()]],
    ['a failed check rather than a timeout of the attempt', 'METADATA_INVALID', [attempt('TOKEN_TIMEOUT'), metadata]],
    ['a timeout of the attempt if nothing else failed', 'TOKEN_TIMEOUT', [attempt('TOKEN_TIMEOUT')]],
    ['the attempt, although another check failed', 'CLIENT_UNKNOWN', [attempt('CLIENT_UNKNOWN')], [metadata]],
    [
      'the clock and not the token that it makes invalid',
      'CLOCK_SKEW',
      [failed('token.lifetime', 'TOKEN_EXPIRED'), clock],
    ],
    [
      'the exhausted process',
      'PROCESS_RESOURCES_EXHAUSTED',
      [timeout, failed('metadata.tcp', 'PROCESS_RESOURCES_EXHAUSTED')],
    ],
    [
      'the proxy of the attempt',
      'AUTHORITY_PROXY_FAILED',
      [timeout, failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')],
    ],
    [
      'no proxy of another endpoint',
      'AUTHORITY_TIMEOUT',
      [timeout],
      [failed('metadata.proxy', 'METADATA_PROXY_FAILED')],
    ],
    ['the login authority that a challenge names', 'TENANT_UNKNOWN', [attempt('TENANT_UNKNOWN'), mismatch]],
  ])('is %s', (_what, code, explained, others = []) => {
    expect(rootOf([...others, ...explained])).toMatchObject({ code, checks: explained.map(({ id }) => id) })
  })

  test.each<[string, readonly Check[], object]>([
    ['has the evidence of the probe', [attempt('AUTHORITY_UNTRUSTED'), untrusted(ca)], { ...ofProbe, evidence: ca }],
    ['has the message of the probe if both have as much', [attempt('AUTHORITY_UNTRUSTED', ca), untrusted(ca)], ofProbe],
    ['is one CA at two hosts', both('UNTRUSTED', 'tls', ca), { ...hosts, checks: ['authority.tls', 'resource-manager.tls'] }], // prettier-ignore
    ['is one of two CAs', both('UNTRUSTED', 'tls', ca, { issuer: '"Other"' }), { ...onlyLogin, checks: ['authority.tls'] }], // prettier-ignore
    ['is one self-signed certificate at two hosts', both('UNTRUSTED', 'tls', { selfSigned: '"a"' }), hosts],
    ['is one of two self-signed certificates', both('UNTRUSTED', 'tls', { selfSigned: '"a"' }, { selfSigned: '"b"' }), onlyLogin], // prettier-ignore
    ['is one proxy for two hosts', both('PROXY_FAILED', 'proxy', { proxy: 'p:1' }), hosts],
    ['is one of two proxies', both('PROXY_FAILED', 'proxy', { proxy: 'p:1' }, { proxy: 'q:1' }), onlyLogin],
    ['is not shared by hosts that each respond with an invalid response', both('RESPONSE_INVALID', 'document', {}), onlyLogin], // prettier-ignore
    ['is one portal that responds instead of two hosts', both('RESPONSE_INVALID', 'document', { sameAt: 'x' }), hosts],
    ['names tenant and application of a refused sign-in', [attempt('CLIENT_UNKNOWN', { error: 'e' })], { evidence: { tenantId: 't', clientId: 'c', error: 'e' } }], // prettier-ignore
    ['changes a password that has expired', [attempt('USER_REJECTED', { errorNumber: 'AADSTS50055' })], { change: { variable: 'PLATFORM_PASSWORD' } }], // prettier-ignore
    ['has no host if this machine is at fault', [attempt('CLI_NOT_INSTALLED')], { hosts: undefined }],
    ['has printable evidence', [untrusted({ issuer: 'a\n\u202eb' })], { evidence: { issuer: 'a\\n\\u202eb' } }],
  ])('%s', (_what, checks, expected) => {
    expect({ hosts: undefined, ...rootOf(checks) }).toMatchObject(expected)
  })

  test.each([
    ['acquired', [], 'ok', undefined],
    ['pending', [], 'pending', undefined],
    ['acquired', [{ ...clock, status: 'warn' }], 'warning', undefined],
    ['acquired', [clock], 'failed', 'CLOCK_SKEW'],
    ['pending', [clock], 'failed', 'CLOCK_SKEW'],
  ] as const)('exists only in a failed report: token %s, checks %o', (status, checks, expected, code) => {
    const verdict = verdictOf(checks, { status })
    expect([verdict.status, verdict.rootCause?.code]).toEqual([expected, code])
  })

  test('is told by each check that it explains, and other hosts keep their own fix', () => {
    const one = both('UNTRUSTED', 'tls', ca)
    const { checks, rootCause } = verdictOf([attempt('TOKEN_TIMEOUT'), ...one])
    const [timeout, atLogin, atManager] = checks
    expect([timeout?.fix, timeout?.change, atLogin?.fix]).toEqual([rootCause?.fix, rootCause?.change, rootCause?.fix])
    expect([timeout, atLogin, atManager].map((check) => check?.isConsequence ?? false)).toEqual([false, false, false])
    expect(timeout?.cause).toContain('AUTHORITY_UNTRUSTED')
    const refused = failed('resource-manager.accepts-token', 'RESOURCE_MANAGER_REJECTED_TOKEN')
    expect(verdictOf([refused, clock]).checks.map(({ isConsequence }) => isConsequence)).toEqual([true, false])
  })
})

describe('The node that a failure blames', () => {
  const at = (id: string, skewSeconds = 0) => passed(id, { observed: { skewSeconds } })
  const differs = failed('authority.clock', 'CLOCK_SKEW', {}, { skewSeconds: 7200 })
  const accounts = { PLATFORM_KEY_VAULT: 'vault', PLATFORM_STORAGE_ACCOUNT: 'data' }

  const slight = failed('authority.clock', 'CLOCK_SKEW', {}, { skewSeconds: 200 })
  const [agrees, vault] = [at('resource-manager.challenge'), at('key-vault.challenge', 7200)]

  test.each<[string, readonly Check[], string]>([
    ['is this machine if the login authority is the only clock', [differs], 'workload'],
    ['is the login authority if another host agrees with us', [differs, agrees], 'authority'],
    [
      'is the login authority if others agree within two minutes',
      [differs, at('metadata.document', -120)],
      'authority',
    ],
    ['is the login authority for a difference that is only a warning', [slight, agrees], 'authority'],
    ['is this machine if every host disagrees', [differs, at('resource-manager.challenge', 7200)], 'workload'],
    ['is this machine if the majority disagrees', [differs, agrees, vault], 'workload'],
    ['is the login authority if half agree', [differs, agrees, vault, at('storage.challenge')], 'authority'],
    ['is this machine if two endpoints are one host', [differs, vault, agrees, at('metadata.document')], 'workload'],
    ['is the proxy', [failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')], 'proxy'],
    ['is the proxy of a response', [failed('authority.document', 'AUTHORITY_PROXY_FAILED')], 'proxy'],
    ['is the host', [failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED')], 'resource-manager'],
    ['is this machine for its own settings', [attempt('CLI_NOT_INSTALLED')], 'workload'],
  ])('%s', (_what, checks, node) => {
    expect(nodesOf(checks, { env: accounts })).toEqual([node])
  })

  test('says so in two or three words: the fault, or the title of the code', () => {
    const { diagram } = verdictOf([
      failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED'),
      { ...failed('authority.tls', 'CERTIFICATE_EXPIRES_SOON'), status: 'warn' },
    ])
    expect(diagram.flatMap(({ id, trouble }) => (trouble === undefined ? [] : [[id, trouble.length < 40]]))).toEqual([
      ['authority', true],
      ['resource-manager', true],
    ])
  })

  test.each<[string, readonly Check[], 'acquired' | 'pending', string, string]>([
    ['waits for a sign-in', [passed('authority.tls')], 'pending', 'authority', 'pending'],
    ['failed, although a sign-in waits', [untrusted()], 'pending', 'authority', 'fail'],
    ['warns', [{ ...attempt('CLI_NOT_INSTALLED'), status: 'warn' }], 'acquired', 'workload', 'warn'],
  ])('%s', (_what, checks, token, node, status) => {
    expect(verdictOf(checks, { status: token }).diagram.find(({ id }) => id === node)?.status).toBe(status)
  })

  test('is not excused by a clock that no host showed', () => {
    const expired = failed('token.lifetime', 'TOKEN_EXPIRED', { expiredAt: '2026-01-01T00:00:00.000Z' })
    expect(rootOf([expired])?.fix).toBe(rootOf([failed('token.lifetime', 'TOKEN_EXPIRED')])?.fix)
  })

  test('is not reached behind a proxy that failed, and what is not configured is shown as such', () => {
    const { diagram } = verdictOf([failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')])
    expect(diagram.find(({ id }) => id === 'authority')).toMatchObject({ status: 'skip', edge: 'skip' })
    expect(diagram.find(({ id }) => id === 'storage')).toMatchObject({ status: 'none', edge: 'none' })
  })
})

describe('A change respects what the run has proven', () => {
  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_DNS_FAILED', 'authority.dns', { host: login }],
    ['AUTHORITY_REFUSED', 'authority.tcp', { host: login }],
    ['AUTHORITY_CERTIFICATE_NAME_MISMATCH', 'authority.tls', { host: login, names: 'a.test' }],
    ['ISSUER_MISMATCH', 'authority.issuer', { host: login, issuer: 'https://a.test/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { host: login, tokenHost: 'a.test' }],
  ])('%s proposes no other login authority', (code, id, evidence) => {
    const check = failed(id, code, evidence)
    const given = { env: { PLATFORM_AUTHORITY_HOST: `https://${login}/` } }
    expect(rootOf([check], given)?.fix).toContain('PLATFORM_AUTHORITY_HOST')
    // What an earlier run has proven stays proven.
    const remembered = { authorityHost: 'it worked' }
    for (const proven of [rootOf([check, metadataProves], given), rootOf([check], { ...given, remembered })]) {
      expect(`${proven?.fix} ${JSON.stringify(proven?.change)}`).not.toContain('PLATFORM_AUTHORITY_HOST')
    }
  })

  test.each([
    ['pass', 'token', ['authorityHost']],
    ['warn', 'response', ['authorityHost']],
    ['fail', 'token', []],
    ['skip', 'token', []],
  ] as const)('a check that is %s proves %s', (status, layer, expected) => {
    const check = passed('resource-manager.accepts-token', { status, layer, proves: ['authorityHost'] })
    const { fix = '' } = rootOf([failed('authority.dns', 'AUTHORITY_DNS_FAILED', { host: login }), check], { env: { PLATFORM_AUTHORITY_HOST: `https://${login}/` } }) ?? {} // prettier-ignore
    expect(fix.includes('PLATFORM_AUTHORITY_HOST')).toBe(expected.length === 0)
  })

  test.each<[string, Evidence, object]>([
    ['the challenge', { challengeAudience: 'https://a.test/' }, { field: 'resourceManagerAudience', value: 'https://a.test/' }], // prettier-ignore
    ['the published audience before the challenge', { challengeAudience: 'https://a.test/', publishedAudience: 'https://b.test/' }, { field: 'resourceManagerAudience', value: 'https://b.test/' }], // prettier-ignore
    ['the published audience', { publishedAudience: 'https://b.test/' }, { field: 'resourceManagerAudience', value: 'https://b.test/' }], // prettier-ignore
  ])('the audience is the one of %s', (_what, evidence, change) => {
    const challenge = passed('resource-manager.challenge', { evidence })
    const refused = attempt('RESOURCE_UNKNOWN', { error: 'invalid_resource' })
    expect(rootOf([challenge, refused], { env: { CUSTOM_CLOUD_PROFILE_PATH: file } })?.change).toMatchObject(change)
  })

  test.each<[ErrorCode, string, Evidence]>([
    ['AUTHORITY_REDIRECTED', 'authority.document', { location: 'https://login.microsoftonline.com/x' }],
    ['ISSUER_MISMATCH', 'authority.issuer', { issuer: 'https://login.microsoftonline.com/' }],
    ['TOKEN_ENDPOINT_FOREIGN', 'authority.token-endpoint', { tokenHost: 'login.microsoftonline.com' }],
    ['CHALLENGE_AUDIENCE_MISMATCH', 'resource-manager.challenge', { challengeAudience: 'https://management.azure.com/' }], // prettier-ignore
    ['METADATA_MISMATCH', 'metadata.document', { publishedAuthority: 'https://login.microsoftonline.com/' }],
  ])('%s never sets a value of another cloud', (code, id, evidence) => {
    expect(rootOf([failed(id, code, { host: login, ...evidence })])).not.toHaveProperty('change')
  })

  test('drift corrects no metadata endpoint of a built-in, and names the file of another profile', () => {
    const changeFor = (env: Record<string, string>) =>
      fixOf({ code: 'METADATA_DNS_FAILED', evidence: {} }, profileFacts(explainProfile({ env }))).change
    expect(changeFor({})).toBeUndefined()
    const { text } = fixOf({ code: 'METADATA_DNS_FAILED' }, profileFacts(explainProfile({ env: {} })))
    expect(text).toMatch(/private DNS zone.*HTTPS_PROXY/)
    expect(changeFor({ CUSTOM_CLOUD_PROFILE_PATH: file })).toMatchObject({ field: 'metadataEndpoint', file })
    const variable = 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'
    expect(changeFor({ [variable]: 'https://management.private.test/' })).toMatchObject({ variable })
  })
})

describe('The cloud of a tenant', () => {
  const env = { PLATFORM_CLOUD: 'platform-commercial', PLATFORM_TENANT_ID: '11111111-1111-1111-1111-111111111111' }
  const read = async (body: object) => {
    const { profile, provider } = resolveProvider(explainProfile({ env }))
    const { check, checks } = checksInOrder('authority')
    const [endpoint] = configuredEndpoints(profile, {})
    const request = createPipelineRequest({ url: 'https://login.test/' })
    const response = { status: 200, headers: createHttpHeaders(), request, bodyAsText: JSON.stringify(body) }
    const context = { profile, provider, endpoints: [], env, signal: AbortSignal.timeout(1000), timeoutMs: 1000 }
    if (endpoint === undefined) throw new Error('No authority')
    await probeAuthority({ endpoint, context, check, get: async () => response })
    return checks
  }

  test.each([
    ['DODCON', 'graph.microsoft.us', 'TENANT_OF_ANOTHER_CLOUD'],
    ['DOD', 'dod-graph.microsoft.us', 'TENANT_UNKNOWN'],
  ] as const)('%s is named with its Graph host %s', async (tenant_region_sub_scope, msgraph_host, code) => {
    const body = { cloud_instance_name: 'microsoftonline.us', tenant_region_sub_scope, msgraph_host }
    const rootCause = rootOf([...(await read(body)), attempt(code)], { env })
    expect(rootCause).toMatchObject({
      code: 'TENANT_OF_ANOTHER_CLOUD',
      change: { variable: 'PLATFORM_CLOUD', value: 'platform-us-government' },
      evidence: { graphHost: msgraph_host },
    })
  })

  test('is not mentioned if it is this cloud, GCC included', async () => {
    const checks = await read({ cloud_instance_name: 'microsoftonline.com', tenant_region_sub_scope: 'GCC' })
    expect(checks.some(({ id }) => id === 'authority.tenant')).toBe(false)
  })
})

describe('Names that do not resolve', () => {
  const unknown = [
    failed('authority.dns', 'AUTHORITY_DNS_FAILED', { host: login }),
    failed('resource-manager.dns', 'RESOURCE_MANAGER_DNS_FAILED', { host: manager }),
    attempt('AUTHORITY_DNS_FAILED'),
  ]
  const behindProxy = { HTTPS_PROXY: 'http://proxy.test:3128', NO_PROXY: '.us,.net' }
  const all = ['authority.dns', 'resource-manager.dns', 'token.acquired']

  test.each<[string, readonly Check[], Record<string, string>, object]>([
    ['are the fault of the network for a built-in', unknown, {}, { code: 'PUBLIC_NAMES_UNRESOLVED', hosts: [login, manager], checks: all, change: undefined }], // prettier-ignore
    ['are the fault of the network for a private cloud', unknown, { CUSTOM_CLOUD_PROFILE_PATH: file }, { code: 'PRIVATE_NAMES_UNRESOLVED' }], // prettier-ignore
    ['are the fault of the network beside the address of an identity endpoint', [...unknown, { ...passed('identity-endpoint.dns'), status: 'skip' }], {}, { code: 'PUBLIC_NAMES_UNRESOLVED' }], // prettier-ignore
    ['are the fault of their host if another name resolves', [...unknown.slice(0, 1), passed('resource-manager.dns')], {}, { code: 'AUTHORITY_DNS_FAILED', change: undefined }], // prettier-ignore
    ['are the fault of their host if there is no other name', unknown.slice(0, 1), {}, { code: 'AUTHORITY_DNS_FAILED' }], // prettier-ignore
    ['behind a proxy have NO_PROXY among the evidence', unknown, behindProxy, { evidence: { noProxy: 'NO_PROXY', exemptingEntry: '.us' } }], // prettier-ignore
  ])('%s', (_what, checks, env, expected) => {
    expect({ change: undefined, ...rootOf(checks, { env }) }).toMatchObject(expected)
  })

  test('fail at each host, and at none as a consequence', () => {
    expect(nodesOf(unknown)).toEqual(['authority', 'resource-manager'])
  })
})

describe('Evidence from the rest of the run', () => {
  const at = (id: string, ...addresses: string[]) => passed(id, { observed: { addresses } })
  const refused = failed('authority.tcp', 'AUTHORITY_REFUSED')
  const sha = { sha256: 'AA', issuer: '"Inspector"' }
  const page = (id: string, code: ErrorCode, digest: string) => failed(id, code, {}, { page: digest })
  const secret = { PLATFORM_TENANT_ID: 't', PLATFORM_CLIENT_ID: 'c', PLATFORM_CLIENT_SECRET: 'secret ' }
  const storage = { PLATFORM_STORAGE_ACCOUNT: 'data' }

  test.each<[string, readonly Check[], Evidence | object, Record<string, string>?]>([
    ['the address of the host and its kind', [at('authority.dns', '10.1.2.3'), refused], { address: '10.1.2.3', addressKind: 'private' }], // prettier-ignore
    ['an address of this machine', [at('authority.dns', '127.0.0.1'), refused], { addressKind: 'this machine' }],
    ['no kind of an address for a loopback name', [at('authority.dns', '127.0.0.1'), refused], { address: '127.0.0.1', addressKind: undefined }, { PLATFORM_AUTHORITY_HOST: 'https://localhost/' }], // prettier-ignore
    ['split horizon: a sibling with a private address', [at('metadata.dns', '10.0.0.1'), at('authority.dns', '203.0.113.9'), refused], { addressKind: 'public', sibling: 'management.login.test', siblingAddress: '10.0.0.1' }, { PLATFORM_AUTHORITY_HOST: 'https://login.login.test/', PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.login.test/' }], // prettier-ignore
    ['the proxy that NO_PROXY exempts the host from', [refused], { variable: 'HTTPS_PROXY', noProxy: 'NO_PROXY', exemptingEntry: '.us' }, { HTTPS_PROXY: 'http://p.test', NO_PROXY: '.us' }], // prettier-ignore
    ['the failed proxy without its account', [failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')], { variable: 'HTTPS_PROXY', proxy: 'p.test:3128', host: login }, { HTTPS_PROXY: 'http://u:p@p.test:3128' }], // prettier-ignore
    ['another path of the host that responds', [passed('resource-manager.challenge', { observed: { path: '/subscriptions' } }), failed('metadata.document', 'METADATA_TIMEOUT', { path: '/metadata/endpoints' })], { path: '/metadata/endpoints', otherPath: '/subscriptions' }], // prettier-ignore
    ['the address with TLS', [failed('resource-manager.challenge', 'RESOURCE_MANAGER_RESET')], { addressToSet: 'https://localhost/' }, { PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'http://localhost/' }], // prettier-ignore
    ['the new address of a redirect that keeps the path', [failed('authority.document', 'AUTHORITY_REDIRECTED', { path: '/t', location: 'https://new.test/t' })], { addressToSet: 'https://new.test/' }], // prettier-ignore
    ['no address of a redirect to another path', [failed('authority.document', 'AUTHORITY_REDIRECTED', { path: '/t', location: 'https://new.test/x' })], { addressToSet: undefined }], // prettier-ignore
    ['no address of a redirect to plain http', [failed('authority.document', 'AUTHORITY_REDIRECTED', { path: '/t', location: 'http://new.test/t' })], { addressToSet: undefined }], // prettier-ignore
    ['hosts with the same page', [page('authority.document', 'AUTHORITY_RESPONSE_INVALID', 'p'), page('resource-manager.challenge', 'RESOURCE_MANAGER_RESPONSE_INVALID', 'p')], { sameAt: manager }], // prettier-ignore
    ['no host with another page', [page('authority.document', 'AUTHORITY_RESPONSE_INVALID', 'p'), page('resource-manager.challenge', 'RESOURCE_MANAGER_RESPONSE_INVALID', 'q')], { sameAt: undefined }], // prettier-ignore
    ['the host that sends the missing intermediate', [untrusted(sha), passed('resource-manager.tls', { observed: { chain: ['"Inspector"'] } })], { sentBy: manager, sameIssuerAt: undefined }], // prettier-ignore
    ['every host with the same foreign CA', [untrusted(sha), failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED', sha)], { sameIssuerAt: manager, sentBy: undefined }], // prettier-ignore
    ['the host that sends the missing intermediate, although its own certificate has expired', [untrusted(sha), failed('resource-manager.tls', 'RESOURCE_MANAGER_CERTIFICATE_EXPIRED', {}, { chain: ['"Inspector"'] })], { sentBy: manager }], // prettier-ignore
    ['no host that is not trusted either', [untrusted(sha), failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED', { sha256: 'CC' }, { chain: ['"Inspector"'] })], { sentBy: undefined }], // prettier-ignore
    ['no inspection if one host has another CA', [untrusted(sha), failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED', sha)], { sameIssuerAt: undefined }, storage], // prettier-ignore
    ['a secret with blanks at its end', [attempt('CLIENT_SECRET_INVALID')], { variable: 'PLATFORM_CLIENT_SECRET', problem: /^blanks/ }, secret], // prettier-ignore
    ["the cloud's audience for federated tokens", [attempt('CLIENT_ASSERTION_REJECTED', { assertionAudience: 'https://kubernetes.default.svc' })], { federatedAudience: 'api://AzureADTokenExchangeUSGov' }], // prettier-ignore
    ['the mode that the variables belong to', [attempt('CREDENTIAL_SETTING_MISSING')], { modeToSet: 'clientSecret' }, { ...secret, AUTH_MODE: 'workloadIdentity' }], // prettier-ignore
    ['no mode if it is in force', [attempt('CREDENTIAL_SETTING_MISSING')], { modeToSet: undefined }, secret], // prettier-ignore
    ['no mode if another one is set on purpose', [attempt('CLI_NOT_INSTALLED')], { modeToSet: undefined }, { ...secret, AUTH_MODE: 'platformCli' }], // prettier-ignore
    ['the address of a service with a firewall', [at('storage.dns', '203.0.113.7'), failed('storage.accepts-token', 'SERVICE_FIREWALL')], { address: '203.0.113.7' }, storage], // prettier-ignore
  ])('%s', (_what, checks, evidence, env = {}) => {
    const found = rootOf(checks, { env })?.evidence ?? {}
    const picked = Object.fromEntries(Object.keys(evidence).map((name) => [name, found[name]]))
    expect(picked).toMatchObject(evidence)
  })

  test('a connection that works for one endpoint of a host is not blamed for another endpoint', () => {
    const silent = failed('metadata.document', 'METADATA_TIMEOUT', { host: manager, path: '/metadata/endpoints' })
    const works = ['dns', 'tcp', 'tls'].map((layer) => passed(`resource-manager.${layer}`))
    expect(rootOf([...works, silent])?.fix).not.toBe(rootOf([silent])?.fix)
  })

  test.each([
    [{ PLATFORM_CLIENT_SECRET: 's' }, 'clientSecret'],
    [{ PLATFORM_CLIENT_SECRET_PATH: '/s' }, 'clientSecret'],
    [{ PLATFORM_CLIENT_CERTIFICATE_PATH: '/c.pem' }, 'clientCertificate'],
    [{ PLATFORM_USERNAME: 'u' }, 'usernamePassword'],
  ])('%o belongs to the mode %s', (variables, value) => {
    const env = { AUTH_MODE: 'workloadIdentity', PLATFORM_CLIENT_ID: 'c', ...variables }
    const { change } = rootOf([attempt('CREDENTIAL_SETTING_MISSING')], { env }) ?? {}
    expect(change).toEqual({ variable: 'AUTH_MODE', value })
  })
})
