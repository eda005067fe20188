import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { enclave as profile } from '../support/sample-profiles.ts'
import { offline } from '../support/environment.ts'
import { useProcesses } from '../support/processes.ts'
import { inBuiltProject, startCommand } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { serveApp, useService, type ServedApp } from '../support/use-service.ts'

const temp = useTemporaryDirectory()
const own = 'a1b2c3d4-0000-4000-8000-00000000000a'
const other = 'ffffffff-0000-4000-8000-00000000000f'
const host = 'login.enclave.test:8443'
let count = 0

const variables = (changes: Partial<CloudProfile>) => ({
  ...offline,
  CUSTOM_CLOUD_PROFILE_PATH: temp.write(`profile-${count++}.json`, { ...profile, ...changes }),
  PLATFORM_SERVE_METADATA: 'true',
})
const discover = (service: ServedApp, authorizationEndpoint: string, init?: RequestInit) =>
  service.request(
    `/common/discovery/instance?${new URLSearchParams({ 'api-version': '1.1', authorization_endpoint: authorizationEndpoint }).toString()}`,
    init,
  )

describe('a profile with tenants', () => {
  const service = useService(variables({ authorityHost: `https://${host}/`, tenantId: own }))

  test.each([
    ['the v2 endpoint of its tenant', `https://${host}/${own}/oauth2/v2.0/authorize`, own],
    ['its tenant in upper case', `https://${host}/${own.toUpperCase()}/oauth2/v2.0/authorize`, own.toUpperCase()],
    ['the name for any tenant', `https://${host}/common/oauth2/v2.0/authorize`, 'common'],
    ['a client that leaves the port out', `https://login.enclave.test/${own}/oauth2/v2.0/authorize`, own],
    ['the host in capitals', `https://LOGIN.enclave.TEST:8443/${own}/oauth2/v2.0/authorize`, own],
  ])('answers %s', async (_, endpoint, tenant) => {
    const response = await discover(service(), endpoint)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toEqual({
      tenant_discovery_endpoint: `https://${host}/${tenant}/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
    })
  })

  test.each([
    ['another host', `https://login.other.test/${own}/oauth2/v2.0/authorize`],
    ['the public cloud', 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize'],
    ['a host that begins with its host', `https://login.enclave.test.evil.test:8443/${own}/oauth2/v2.0/authorize`],
    ['its host as a user name', `https://login.enclave.test:8443@evil.test/${own}/oauth2/v2.0/authorize`],
    ['a user name', `https://user@${host}/${own}/oauth2/v2.0/authorize`],
    ['another port', `https://login.enclave.test:9443/${own}/oauth2/v2.0/authorize`],
    ['no encryption', `http://${host}/${own}/oauth2/v2.0/authorize`],
    ['another tenant', `https://${host}/${other}/oauth2/v2.0/authorize`],
    ['an invalid tenant', `https://${host}/${own}%2f..%2f/oauth2/v2.0/authorize`],
    ['a text that is no URL', 'login.enclave.test'],
    ['nothing', ''],
  ])('refuses %s, and repeats nothing of it', async (_, endpoint) => {
    const response = await discover(service(), endpoint)
    const body = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json'])
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_instance', error_codes: [50049] })
    expect(body).not.toMatch(/evil|other|ffffffff|<|enclave\.test|a1b2c3d4/)
  })

  test('lists the one authority for a client that wants the aliases of all, and says nothing of the public cloud', async () => {
    const response = await discover(service(), 'https://login.microsoftonline.com/common/oauth2/authorize')
    expect([response.status, await response.json()]).toEqual([
      200,
      { 'api-version': '1.1', metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }] },
    ])
  })

  test('leads to no second endpoint of one request', async () => {
    const endpoint = encodeURIComponent(`https://${host}/${own}/oauth2/v2.0/authorize`)
    const twice = `authorization_endpoint=${endpoint}&authorization_endpoint=https://evil.test/`
    const response = await service().request(`/common/discovery/instance?${twice}`)
    expect(await response.json()).toEqual({
      tenant_discovery_endpoint: `https://${host}/${own}/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
    })
  })

  test('is open to all, has a HEAD without a body, and is closed to pages of other sites', async () => {
    const endpoint = `https://${host}/${own}/oauth2/v2.0/authorize`
    const head = await discover(service(), endpoint, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const foreign = await discover(service(), endpoint, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(foreign.status).toBe(403)
    expect(service().functions).toContainEqual(
      expect.objectContaining({ path: 'common/discovery/instance', authLevel: 'anonymous' }),
    )
  })
})

describe('other profiles', () => {
  const opened: ServedApp[] = []
  afterAll(() => Promise.all(opened.map((each) => each.close())))
  const serve = async (changes: Partial<CloudProfile>) => {
    const service = await serveApp(variables(changes))
    opened.push(service)
    return service
  }

  test('a profile without a tenant answers for every tenant of its authority', async () => {
    const { tenantId: _, ...without } = profile
    const service = await serveApp({
      ...offline,
      CUSTOM_CLOUD_PROFILE_PATH: temp.write('without-tenant.json', { ...without, authorityHost: `https://${host}/` }),
      PLATFORM_SERVE_METADATA: 'true',
    })
    opened.push(service)
    expect(await (await discover(service, `https://${host}/${other}/oauth2/v2.0/authorize`)).json()).toMatchObject({
      tenant_discovery_endpoint: `https://${host}/${other}/v2.0/.well-known/openid-configuration`,
    })
  })

  test.each([`https://${host}/adfs/`, `https://${host}/`])(
    'a federation service, spelled %s, has one OpenID configuration',
    async (authorityHost) => {
      const service = await serve({ authorityHost, tenantId: 'adfs' })
      expect(await (await discover(service, `https://${host}/adfs/oauth2/authorize`)).json()).toMatchObject({
        tenant_discovery_endpoint: `https://${host}/adfs/.well-known/openid-configuration`,
      })
      expect((await discover(service, `https://${host}/${own}/oauth2/authorize`)).status).toBe(400)
    },
  )

  test('a placeholder describes no authority', async () => {
    const authorityHost = 'https://login.secret.placeholder.invalid/'
    const service = await serve({ authorityHost, tenantId: own })
    expect((await discover(service, `${authorityHost}${own}/oauth2/v2.0/authorize`)).status).toBe(400)
  })

  test('the route is absent unless PLATFORM_SERVE_METADATA is true', async () => {
    const service = await serveApp({ ...offline })
    opened.push(service)
    expect((await discover(service, `https://${host}/${own}/oauth2/v2.0/authorize`)).status).toBe(404)
  })
})

describe('a real client that cannot skip instance discovery', () => {
  const enclave = useEnclave()
  const { start, run } = useProcesses()
  const directory = useTemporaryDirectory()
  let port = ''

  beforeAll(async () => {
    const identity = await enclave.cloud.ca.issue({
      commonName: 'discovery',
      usage: 'server',
      names: ['login.microsoftonline.com'],
    })
    const server = start(
      startCommand,
      inBuiltProject({
        ...enclave.cloud.environment('clientSecret', enclave.files),
        PLATFORM_SERVE_METADATA: 'true',
        PLATFORM_TLS_CERTIFICATE_PATH: directory.write('discovery.pem', identity.chainPem),
        PLATFORM_TLS_KEY_PATH: directory.write('discovery.key', identity.privateKeyPem),
      }),
    )
    port = (await server.printed(/running on https:\/\/localhost:(\d+)/))[1] ?? ''
  })

  const signIn = (changes: NodeJS.ProcessEnv = {}) => {
    const { authorityHost, resourceManagerAudience, tenantId, clientId, clientSecret } = enclave.cloud
    return run([fileURLToPath(new URL('./children/sign-in.ts', import.meta.url))], {
      env: {
        NODE_EXTRA_CA_CERTS: enclave.files.authorityPath,
        DISCOVERY_PORT: port,
        PLATFORM_AUTHORITY_HOST: authorityHost,
        PLATFORM_TENANT_ID: tenantId,
        PLATFORM_CLIENT_ID: clientId,
        PLATFORM_CLIENT_SECRET: clientSecret,
        PLATFORM_RESOURCE_MANAGER_AUDIENCE: resourceManagerAudience,
        ...changes,
      },
    })
  }

  test('signs in at the authority of the profile', async () => {
    const { code, stdout, stderr } = await signIn()
    expect([stderr, stdout, code]).toEqual(['', 'signed in\n', 0])
    expect(enclave.cloud.requests.map(({ role, path, status }) => [role, path.split('/').at(-1), status])).toEqual([
      ['login', 'openid-configuration', 200],
      ['login', 'token', 200],
    ])
  })

  test('contacts no authority that the service refuses', async () => {
    const { code, stdout } = await signIn({ PLATFORM_AUTHORITY_HOST: `${enclave.cloud.foreign.origin}/` })
    expect([code, stdout]).toEqual([1, ''])
    expect(enclave.cloud.foreign.received).toEqual([])
  })
})
