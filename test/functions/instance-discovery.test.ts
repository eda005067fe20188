import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/functions/app.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { createService } from '../../src/lib/service/service.ts'
import { enclave as profile } from '../support/sample-profiles.ts'
import { useProcesses } from '../support/processes.ts'
import { inBuiltProject, startCommand } from '../support/start-command.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { callerOf } from './call.ts'

const temp = useTemporaryDirectory()
const own = 'a1b2c3d4-0000-4000-8000-00000000000a'
const other = 'ffffffff-0000-4000-8000-00000000000f'
const host = 'login.enclave.test:8443'
const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
const documentOf = (tenant: string) => `https://${host}/${tenant}/v2.0/.well-known/openid-configuration`

/** @returns Asks an app with a profile for an authorization endpoint. */
function discovererOf(changes: Partial<CloudProfile>, serves = true) {
  const path = temp.write('profile.json', { ...profile, authorityHost: `https://${host}/`, ...changes })
  const call = callerOf({ CUSTOM_CLOUD_PROFILE_PATH: path, PLATFORM_SERVE_METADATA: String(serves) })
  return (endpoint: string, headers = {}) =>
    call(`/common/discovery/instance?authorization_endpoint=${encodeURIComponent(endpoint)}`, headers)
}

describe('a profile with a tenant', () => {
  const discover = discovererOf({ tenantId: own })

  test.each([
    ['the v2 endpoint of its tenant', `https://${host}/${own}/oauth2/v2.0/authorize`, own],
    ['its tenant in upper case', `https://${host}/${own.toUpperCase()}/oauth2/v2.0/authorize`, own.toUpperCase()],
    ['the name for any tenant', `https://${host}/common/oauth2/v2.0/authorize`, 'common'],
    ['a client that leaves the port out', `https://login.enclave.test/${own}/oauth2/v2.0/authorize`, own],
    ['the host in capitals', `https://LOGIN.enclave.TEST:8443/${own}/oauth2/v2.0/authorize`, own],
    // The server joins two endpoints of one request.
    ['two endpoints', `https://${host}/${own}/oauth2/v2.0/authorize,https://evil.test/`, own],
  ])('responds to %s', async (_, endpoint, tenant) => {
    const response = await discover(endpoint)
    expect([response?.status, response?.type]).toEqual([200, 'application/json'])
    expect(response?.json()).toEqual({ tenant_discovery_endpoint: documentOf(tenant), 'api-version': '1.1', metadata })
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
    const response = await discover(endpoint)
    expect([response?.status, response?.type]).toEqual([400, 'application/json'])
    expect(response?.json()).toMatchObject({ error: 'invalid_instance', error_codes: [50049] })
    expect(response?.body).not.toMatch(/evil|other|ffffffff|<|enclave\.test|a1b2c3d4/)
  })

  test('lists the one authority for a client that wants the aliases of all, and says nothing of the public cloud', async () => {
    const response = await discover('https://login.microsoftonline.com/common/oauth2/authorize')
    expect([response?.status, response?.json()]).toEqual([200, { 'api-version': '1.1', metadata }])
  })

  test('is closed to pages of other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await discover(`https://${host}/${own}/oauth2/v2.0/authorize`, headers))?.status).toBe(403)
  })
})

test.each<[string, Partial<CloudProfile>, string, string | undefined]>([
  ['without a tenant, for every tenant', { tenantId: '' }, `https://${host}/${other}/`, documentOf(other)],
  ...[`https://${host}/adfs/`, `https://${host}/`].flatMap(
    (authorityHost): [string, Partial<CloudProfile>, string, string | undefined][] => {
      const federation = { authorityHost, tenantId: 'adfs' }
      const document = `https://${host}/adfs/.well-known/openid-configuration`
      return [
        [`of a federation service at ${authorityHost}`, federation, `https://${host}/adfs/`, document],
        [`of a federation service at ${authorityHost}, for a tenant`, federation, `https://${host}/${own}/`, undefined],
      ]
    },
  ),
  [
    'with a placeholder',
    { authorityHost: 'https://login.secret.placeholder.invalid/' },
    'https://login.secret.placeholder.invalid/x/',
    undefined,
  ],
])('a profile %s has its OpenID configuration', async (_, changes, endpoint, document) => {
  const response = await discovererOf(changes)(`${endpoint}oauth2/authorize`)
  expect([response?.status, response?.json()]).toMatchObject(
    document === undefined ? [400, {}] : [200, { tenant_discovery_endpoint: document }],
  )
})

test('the route is open to all, and absent unless PLATFORM_SERVE_METADATA is true', async () => {
  expect(await discovererOf({}, false)(`https://${host}/${own}/oauth2/v2.0/authorize`)).toBeUndefined()
  const { functions } = createApp(createService({ PLATFORM_SERVE_METADATA: 'true' }))
  const found = functions.find(({ path }) => path === 'common/discovery/instance')
  expect(found?.authLevel).toBe('anonymous')
})

describe('a real client that cannot skip instance discovery', () => {
  const enclave = useEnclave()
  const { start, run } = useProcesses()
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
        PLATFORM_TLS_CERTIFICATE_PATH: temp.write('discovery.pem', identity.chainPem),
        PLATFORM_TLS_KEY_PATH: temp.write('discovery.key', identity.privateKeyPem),
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
