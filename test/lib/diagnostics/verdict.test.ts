import { describe, expect, test } from 'vitest'
import type { Check } from '../../../src/lib/diagnostics/run.ts'
import type { ErrorCode, Evidence } from '../../../src/lib/errors.ts'
import { fixOf } from '../../../src/lib/findings/catalog.ts'
import { profileFacts } from '../../../src/lib/profile/profile-facts.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
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
const proxyFailed = failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')
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
  const expired = failed('token.lifetime', 'TOKEN_EXPIRED')
  const exhausted = failed('metadata.tcp', 'PROCESS_RESOURCES_EXHAUSTED')
  const otherProxy = failed('metadata.proxy', 'METADATA_PROXY_FAILED')
  const challengeAuthority = 'https://a.test/'
  const mismatch = failed('resource-manager.challenge', 'CHALLENGE_AUTHORITY_MISMATCH', { challengeAuthority })

  test.each<[what: string, code: ErrorCode, explained: readonly Check[], others?: readonly Check[]]>([
    ['a failed check rather than an unexpected failure', 'AUTHORITY_UNTRUSTED', [attempt('UNEXPECTED'), untrusted()]],
    ['a failed check rather than a timeout of the attempt', 'METADATA_INVALID', [attempt('TOKEN_TIMEOUT'), metadata]],
    ['a timeout of the attempt if nothing else failed', 'TOKEN_TIMEOUT', [attempt('TOKEN_TIMEOUT')]],
    ['the attempt, although another check failed', 'CLIENT_UNKNOWN', [attempt('CLIENT_UNKNOWN')], [metadata]],
    ['the clock and not the token that it makes invalid', 'CLOCK_SKEW', [expired, clock]],
    ['the exhausted process', 'PROCESS_RESOURCES_EXHAUSTED', [timeout, exhausted]],
    ['the proxy of the attempt', 'AUTHORITY_PROXY_FAILED', [timeout, proxyFailed]],
    ['no proxy of another endpoint', 'AUTHORITY_TIMEOUT', [timeout], [otherProxy]],
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
  const near = at('metadata.document', -120)

  test.each<[string, readonly Check[], string]>([
    ['is this machine if the login authority is the only clock', [differs], 'workload'],
    ['is the login authority if another host agrees with us', [differs, agrees], 'authority'],
    ['is the login authority if others agree within two minutes', [differs, near], 'authority'],
    ['is the login authority for a difference that is only a warning', [slight, agrees], 'authority'],
    ['is this machine if every host disagrees', [differs, at('resource-manager.challenge', 7200)], 'workload'],
    ['is this machine if the majority disagrees', [differs, agrees, vault], 'workload'],
    ['is the login authority if half agree', [differs, agrees, vault, at('storage.challenge')], 'authority'],
    ['is this machine if two endpoints are one host', [differs, vault, agrees, at('metadata.document')], 'workload'],
    ['is the proxy', [proxyFailed], 'proxy'],
    ['is the proxy of a response', [failed('authority.document', 'AUTHORITY_PROXY_FAILED')], 'proxy'],
    ['is the host', [failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED')], 'resource-manager'],
    ['is this machine for its own settings', [attempt('CREDENTIAL_FILE_UNREADABLE')], 'workload'],
    ['is this machine for its own tool', [attempt('CLI_NOT_INSTALLED')], 'workload'],
    ['is not this machine if an endpoint refuses the identity', [attempt('MANAGED_IDENTITY_REJECTED')], 'authority'],
  ])('%s', (_what, checks, node) => {
    expect(nodesOf(checks, { env: accounts })).toEqual([node])
  })

  test('says so in two or three words: the fault, or the title of the code', () => {
    const { diagram } = verdictOf([
      failed('resource-manager.tls', 'RESOURCE_MANAGER_UNTRUSTED'),
      { ...failed('authority.tls', 'CERTIFICATE_EXPIRES_SOON'), status: 'warn' },
    ])
    expect(diagram.flatMap(({ id, trouble }) => (trouble === undefined ? [] : [[id, trouble]]))).toEqual([
      ['authority', 'certificate about to expire'],
      ['resource-manager', 'untrusted certificate'],
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
    const { diagram } = verdictOf([proxyFailed])
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
    expect(text).toMatch(/private zone.*HTTPS_PROXY/)
    expect(changeFor({ CUSTOM_CLOUD_PROFILE_PATH: file })).toMatchObject({ field: 'metadataEndpoint', file })
    const variable = 'PLATFORM_RESOURCE_MANAGER_ENDPOINT'
    expect(changeFor({ [variable]: 'https://management.private.test/' })).toMatchObject({ variable })
  })
})
