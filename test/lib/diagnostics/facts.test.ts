import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline'
import { describe, expect, test } from 'vitest'
import { checksInOrder } from '../../../src/lib/diagnostics/checks.ts'
import { configuredEndpoints } from '../../../src/lib/diagnostics/endpoint-table.ts'
import { probeAuthority } from '../../../src/lib/diagnostics/probes/probe-authority.ts'
import type { Check } from '../../../src/lib/diagnostics/run.ts'
import type { ErrorCode, Evidence } from '../../../src/lib/errors.ts'
import { explainProfile } from '../../../src/lib/profile/resolve-cloud-profile.ts'
import { resolveProvider } from '../../../src/lib/profile/identity-provider.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { failed, passed, verdictOf } from '../../support/verdict-of.ts'

// The facts that the root cause gets from other checks of the run, from the settings and from the profile.

const file = useTemporaryDirectory().write('private.json', profileDocument({}))
const [login, manager] = ['login.microsoftonline.us', 'management.usgovcloudapi.net']
const attempt = (code: ErrorCode, evidence?: Evidence) => failed('token.acquired', code, evidence)
const untrusted = (evidence?: Evidence) => failed('authority.tls', 'AUTHORITY_UNTRUSTED', evidence)
const rootOf = (...given: Parameters<typeof verdictOf>) => verdictOf(...given).rootCause

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
    const failing = verdictOf(unknown).diagram.filter(({ status }) => status === 'fail')
    expect(failing.map(({ id }) => id)).toEqual(['authority', 'resource-manager'])
  })
})

describe('Evidence from the rest of the run', () => {
  const at = (id: string, ...addresses: string[]) => passed(id, { observed: { addresses } })
  const refused = failed('authority.tcp', 'AUTHORITY_REFUSED')
  const sha = { sha256: 'AA', issuer: '"Inspector"' }
  const page = (id: string, code: ErrorCode, digest: string) => failed(id, code, {}, { page: digest })
  const secret = { PLATFORM_TENANT_ID: 't', PLATFORM_CLIENT_ID: 'c', PLATFORM_CLIENT_SECRET: 'secret ' }
  const storage = { PLATFORM_STORAGE_ACCOUNT: 'data' }
  const federatedAudience = 'api://AzureADTokenExchangeUSGov'
  const federated = (assertionAudience: string) => [attempt('CLIENT_ASSERTION_REJECTED', { assertionAudience })]

  test.each<[string, readonly Check[], Evidence | object, Record<string, string>?]>([
    ['the address of the host and its kind', [at('authority.dns', '10.1.2.3'), refused], { address: '10.1.2.3', addressKind: 'private' }], // prettier-ignore
    ['an address of this machine', [at('authority.dns', '127.0.0.1'), refused], { addressKind: 'this machine' }],
    ['no kind of an address for a loopback name', [at('authority.dns', '127.0.0.1'), refused], { address: '127.0.0.1', addressKind: undefined }, { PLATFORM_AUTHORITY_HOST: 'https://localhost/' }], // prettier-ignore
    ['split horizon: a sibling with a private address', [at('metadata.dns', '10.0.0.1'), at('authority.dns', '203.0.113.9'), refused], { addressKind: 'public', sibling: 'management.login.test', siblingAddress: '10.0.0.1' }, { PLATFORM_AUTHORITY_HOST: 'https://login.login.test/', PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.login.test/' }], // prettier-ignore
    ['no sibling for a private address', [at('metadata.dns', '10.0.0.1'), at('authority.dns', '10.0.0.2'), refused], { sibling: undefined }, { PLATFORM_AUTHORITY_HOST: 'https://login.login.test/', PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.login.test/' }], // prettier-ignore
    ['no sibling that is this machine', [at('metadata.dns', '127.0.0.1'), at('authority.dns', '203.0.113.9'), refused], { sibling: undefined }, { PLATFORM_AUTHORITY_HOST: 'https://login.login.test/', PLATFORM_RESOURCE_MANAGER_ENDPOINT: 'https://management.login.test/' }], // prettier-ignore
    ['the proxy that NO_PROXY exempts the host from', [refused], { variable: 'HTTPS_PROXY', noProxy: 'NO_PROXY', exemptingEntry: '.us' }, { HTTPS_PROXY: 'http://p.test', NO_PROXY: '.us' }], // prettier-ignore
    ['the failed proxy without its account', [failed('authority.proxy', 'AUTHORITY_PROXY_FAILED')], { variable: 'HTTPS_PROXY', proxy: 'p.test:3128', host: login }, { HTTPS_PROXY: 'http://u:p@p.test:3128' }], // prettier-ignore
    ['another path of the host that responds', [passed('resource-manager.challenge', { observed: { path: '/subscriptions' } }), failed('metadata.document', 'METADATA_TIMEOUT', { path: '/metadata/endpoints' })], { path: '/metadata/endpoints', otherPath: '/subscriptions' }], // prettier-ignore
    ['no other path if the same one responds', [passed('resource-manager.challenge', { observed: { path: '/m' } }), failed('metadata.document', 'METADATA_TIMEOUT', { path: '/m' })], { otherPath: undefined }], // prettier-ignore
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
    ["the cloud's audience for federated tokens", federated('https://kubernetes.default.svc'), { federatedAudience }],
    ['the usual audience for federated tokens of a cloud that publishes none', federated('https://kubernetes.default.svc'), { federatedAudience: 'api://AzureADTokenExchange' }, { PLATFORM_CLOUD: 'platform-us-gov-secret' }], // prettier-ignore
    ['no audience for one that such a cloud may have', federated('api://other'), { federatedAudience: undefined }, { PLATFORM_CLOUD: 'platform-us-gov-secret' }], // prettier-ignore
    ['no audience for a federated token that has it', federated(federatedAudience), { federatedAudience: undefined }],
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

  test('a challenge that names the host of a federation service confirms it, although it has no path', () => {
    const challengeAuthority = 'https://sts.test/'
    const named = passed('resource-manager.challenge', { evidence: { challengeAuthority } })
    const env = { PLATFORM_AUTHORITY_HOST: `${challengeAuthority}adfs/` }
    expect(rootOf([named, refused], { env })?.change).not.toHaveProperty('value')
  })

  test('the other hosts agree with the local clock if the login authority shows no time', () => {
    const agrees = passed('resource-manager.challenge', { observed: { skewSeconds: 0 } })
    const expired = failed('authority.tls', 'AUTHORITY_CERTIFICATE_EXPIRED')
    expect(rootOf([agrees, expired])?.fix).toContain(`agrees with the clock of ${manager}`)
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
