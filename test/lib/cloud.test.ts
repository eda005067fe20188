import { describe, expect, test } from 'vitest'
import { resolveCloud, resolveCloudProfile, type CloudOptions } from '../../src/lib/index.ts'
import { discoveredScope, parseCloudMetadata } from '../../src/lib/discovery.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()
/** Variables that select another cloud. */
const others = { PLATFORM_CLOUD: 'platform-commercial', CUSTOM_CLOUD_PROFILE_PATH: '/nowhere.json' }
const environment = () => running.cloud.environment('clientSecret', running.files)

describe('resolveCloud', () => {
  test.each([
    ['nothing selects a cloud', {}, {}, ['CLOUD_DEFAULTED']],
    ['an option does', { cloud: 'platform-us-government' }, {}, []],
    ['a variable does', {}, { PLATFORM_CLOUD: 'platform-us-government' }, []],
    ['a blank variable does not', {}, { PLATFORM_CLOUD: ' ' }, ['CLOUD_DEFAULTED']],
    ['a variable is misspelled', {}, { PLATFORM_CLOD: 'x' }, ['CLOUD_DEFAULTED', 'UNKNOWN_VARIABLE']],
  ])('has its warnings if %s', async (_, options, env, codes) => {
    const { profile, warnings } = await resolveCloud({ ...(options as CloudOptions), env })
    expect(profile.name).toBe('platform-us-government')
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })

  test('names the tenant of a typed credential if the profile has another, and no tenant of a credential that it did not make', async () => {
    const { profile } = running.cloud
    const application = { tenantId: 'fabrikam.test', clientId: 'x', clientSecret: 'y' }
    const typed = await resolveCloud({ profile, env: {}, credential: { mode: 'clientSecret', ...application } })
    expect(typed.warnings).toMatchObject([{ code: 'TENANT_DIFFERS', message: /"fabrikam\.test"/ }])
    const credential = { getToken: () => Promise.resolve(null) }
    const own = await resolveCloud({ profile, env: { PLATFORM_TENANT_ID: 'fabrikam.test' }, credential })
    expect(own.warnings).toEqual([])
  })

  test('gives all that an application needs', async () => {
    const { cloud } = running
    const { profile, warnings, credential, resourceManager, service } = await resolveCloud({ env: environment() })
    expect(profile).toEqual(cloud.profile)
    expect(warnings).toEqual([])
    const { resourceManagerAudience: audience, resourceManagerEndpoint: url } = cloud
    const scope = `${audience}.default`
    const clientOptions = { endpoint: url.slice(0, -1), credentials: { scopes: [scope] }, credentialScopes: [scope] }
    expect(resourceManager).toEqual({ url, audience, scope, clientOptions })
    expect(service('storage', 'data').url).toBe(`https://data${profile.serviceDnsSuffixes.storage}/`)
    expect((await credential.getToken(resourceManager.scope)).token).not.toBe('')
  })

  test('takes typed settings, and hands options to the credential', async () => {
    const { tenantId, clientId, clientSecret } = running.cloud
    const events: string[] = []
    const { credential, resourceManager } = await resolveCloud({
      customProfilePath: running.files.profilePath,
      env: {},
      credential: { mode: 'clientSecret', tenantId, clientId, clientSecret },
      log: ({ event }) => events.push(event),
    })
    await credential.getToken(resourceManager.scope)
    expect(events).toEqual(['token'])
  })

  test('takes a profile as a value and a credential of an application, whatever the variables say', async () => {
    const official = { getToken: async () => ({ token: 'x', expiresOnTimestamp: 1, tokenType: 'pop' as const }) }
    const given = { profile: running.cloud.profile, credential: official }
    const { profile, credential } = await resolveCloud({ ...given, env: { ...others, AUTH_MODE: 'clientSecret' } })
    expect(profile).toEqual(running.cloud.profile)
    expect(await credential.getToken('https://a.example/.default')).toMatchObject({ token: 'x' })
  })

  test('refuses a credential of an application that returns no token', async () => {
    const none = await resolveCloud({ env: {}, credential: { getToken: () => Promise.resolve(null) } })
    const message = 'options.credential returned no token for "https://a.example/.default"'
    const token = none.credential.getToken('https://a.example/.default')
    await expect(token).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message })
  })

  test('gives new client options to each caller, a profile that nobody can change, and one address of a service to all', async () => {
    const { service, identity, resourceManager, profile } = await resolveCloud({ env: environment() })
    const bus = service('serviceBus', 'a')
    for (const one of [bus, resourceManager]) {
      expect(one.clientOptions).toEqual(one.clientOptions)
      expect(one.clientOptions).not.toBe(one.clientOptions)
      expect(one.clientOptions.credentials.scopes).not.toBe(one.clientOptions.credentials.scopes)
    }
    expect(() => Object.assign(profile.serviceAudiences, { storage: 'https://evil.example/' })).toThrow(TypeError)
    const services = { blob: { url: 'https://localhost:4433/' } }
    const own = await resolveCloud({ profile: { ...running.cloud.profile, services }, env: environment() })
    for (const account of ['a', 'b']) expect(own.service('blob', account).port).toBe(4433)
    expect(identity.audiences('x')).toEqual(['x', 'api://x'])
    for (const id of ['', 'api://x', ' ']) expect(() => identity.audiences(id)).toThrow(/clientId must be/)
  })

  test('gives a credential that is fixed to the scope of a service', async () => {
    const scopes: unknown[] = []
    const credential = {
      getToken: (scope: unknown) => (scopes.push(scope), Promise.resolve({ token: 'x', expiresOnTimestamp: 1 })),
    }
    const { service } = await resolveCloud({ cloud: 'platform-us-government', env: {}, credential })
    const vault = service('keyVault', 'v')
    await vault.credential.getToken('https://vault.azure.net/.default')
    expect(scopes).toEqual([vault.scope])
    expect(() => service('cosmos', 'c').credential).not.toThrow()
  })

  test('the name of a cloud wins over the variables that select one', async () => {
    const env = { ...others, PLATFORM_CLOUD: 'platformstackcloud', AUTH_MODE: 'platformCli' }
    expect((await resolveCloud({ cloud: 'platform-commercial', env })).profile.name).toBe('platform-commercial')
    const misspelled = resolveCloud({ cloud: 'platform-comercial' as never, env })
    await expect(misspelled).rejects.toMatchObject({ code: 'UNSUPPORTED_CLOUD' })
  })

  test('discovers the audience of a stack when it is asked to', async () => {
    const { cloud } = running
    const placeholder = 'https://management.placeholder.invalid/'
    const customProfilePath = directory.write('stack.json', {
      ...cloud.profile,
      resourceManagerAudience: placeholder,
      serviceAudiences: { ...cloud.profile.serviceAudiences, arm: placeholder },
    })
    const env = environment()
    const left = await resolveCloud({ customProfilePath, env })
    expect(left.resourceManager.audience).toBe(placeholder)
    const refused = left.credential.getToken(left.resourceManager.scope)
    await expect(refused).rejects.toMatchObject({ code: 'PLACEHOLDER_PROFILE' })
    const byOption = await resolveCloud({ customProfilePath, env, discoverAudience: true })
    const byVariable = await resolveCloud({ customProfilePath, env: { ...env, PLATFORM_DISCOVER_AUDIENCE: 'true' } })
    for (const { resourceManager, credential } of [byOption, byVariable]) {
      expect(resourceManager.audience).toBe(cloud.resourceManagerAudience)
      expect((await credential.getToken(resourceManager.scope)).token).not.toBe('')
    }
  })
})

test('the discovered scope is the audience of the metadata followed by .default', () => {
  const profile = resolveCloudProfile({ name: 'platformstack-custom', env: {} })
  const audiences = ['https://management.stack.example/4ee1']
  const authentication = { loginEndpoint: 'https://adfs.stack.example/adfs', audiences }
  const metadata = parseCloudMetadata({ authentication }, 'https://management.stack.example/')
  expect(discoveredScope(profile, metadata)).toBe('https://management.stack.example/4ee1/.default')
})
