import * as main from '../../../src/lib/index.ts'
import * as discovery from '../../../src/lib/discovery.ts'
import { describe, expect, test } from 'vitest'
import { useEnclave } from '../../support/use-enclave.ts'

// As JavaScript calls the library, without the compiler.
const library = { ...main, ...discovery }
const lib = library as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
const profile = library.resolveCloudProfile({ env: {} })
const plan = library.createCredentialPlan(profile, { mode: 'managedIdentity' })
const instance = new (class {
  cloud = 'bleu'
})()
const fail = async (name: string, args: readonly unknown[]): Promise<unknown> => {
  try {
    return await lib[name]?.(...args)
  } catch (error) {
    return error
  }
}

test('the names of the main entry are the contract, and no other', () => {
  const names = `ServiceError builtInProfileNames cloudEnvironments createCredential createCredentialPlan
    explainCloudProfile finding isServiceError parseCloudProfile resolveAuthMode resolveCloud resolveCloudProfile
    resourceManagerUrl scopeFor serviceUrl shouldDisableInstanceDiscovery`
  expect(Object.keys(main).toSorted()).toEqual(names.split(/\s+/))
})

test.each<[function_: string, args: readonly unknown[], message: string]>([
  ['resolveCloud', [null], 'options must be a plain object, but is null'],
  ['resolveCloud', [{ cloud: 'bleu', profile }], 'options.cloud and options.profile contradict each other'],
  ['resolveCloud', [{ env: null }], 'options.env must be an object of environment variables, but is null'],
  ['resolveCloud', [{ env: new Map() }], 'options.env must be an object of environment variables, but is an object'],
  ['resolveCloud', [{ env: { PORT: 2000 } }], 'options.env.PORT must be a string'],
  ['resolveCloud', [{ env: {}, discoverAudience: 'false' }], 'options.discoverAudience must be true or false'],
  ['resolveCloud', [{ env: {}, log: 'console' }], 'options.log must be a function, but is "console"'],
  ['resolveCloud', [{ env: {}, cloud: ' ' }], 'options.cloud must be the name of a cloud'],
  ...[{}, { type: 'clientSecret' }, { getToken: 'x' }, new Map()].map((credential): [string, unknown[], string] => [
    'resolveCloud',
    [{ env: {}, credential }],
    'options.credential must have a mode (such as clientSecret), or a function getToken',
  ]),
  ['resolveCloud', [new Map([['cloud', 'platform-us-gov-secret']])], 'options must be a plain object'],
  ['resolveCloud', [Object.create({ cloud: 'platform-us-gov-secret' })], 'options must be a plain object'],
  ['resolveCloudProfile', [Object.create(Object.create(null, { name: { value: 'x' } }))], 'must be a plain object'],
  ['explainCloudProfile', [{ env: Object.create({ PLATFORM_CLOUD: 'x' }) }], 'options.env must be an object'],
  ['resourceManagerUrl', [{}, 'x'], 'profile must be a cloud profile'],
  ['resourceManagerUrl', [{ ...profile, resourceManagerEndpoint: 'nope' }, 'x'], 'profile must be a cloud profile'],
  ['serviceUrl', [undefined, 'storage', 'x'], 'profile must be a cloud profile'],
  ['resolveCloudProfile', [{ name: 5 }], 'options.name must be a string, but is 5'],
  ['explainCloudProfile', [{ overrideCustomProfile: 'no' }], 'options.overrideCustomProfile must be true or false'],
  ['resolveAuthMode', [null], 'env must be an object of environment variables, but is null'],
  ['createCredentialPlan', [profile, null], 'from must be an object, but is null'],
  ['createCredentialPlan', [profile, { clientId: 'c', clientSecret: 's' }], 'from must have a mode'],
  ['resolveCloud', [instance], 'an instance of a class: pass { ...options }'],
  ['serviceUrl', [profile, 'keyVolt', 'x'], 'service is "keyVolt"; did you mean keyVault? It must be one of'],
  ['serviceUrl', [profile, 'keyVault', '-'], 'account must be one DNS label'],
  ['createCredentialPlan', [profile, { authMode: 'deviceCode' }], 'authMode is unknown; did you mean mode?'],
  ['createCredentialPlan', [{}, {}], 'profile must be a cloud profile'],
  ['createCredential', [{ mode: 'managedIdentity' }], 'plan must be the result of createCredentialPlan'],
  ['createCredential', [plan, { timeoutMs: Number.NaN }], 'options.timeoutMs must be a number of milliseconds'],
  ['discoverCloud', [{}], 'from must be a URL or a cloud profile'],
  ['discoverCloud', [profile, { timeoutMs: -1 }], 'options.timeoutMs must be a number of milliseconds'],
  ['discoverCloud', [profile, { signal: {} }], 'options.signal must be an AbortSignal'],
  ['discoveredScope', [profile, { audiences: [] }], 'metadata must be the result of discoverCloud'],
  ['finding', ['NO_SUCH_CODE'], 'code must be a code of the findings, but is "NO_SUCH_CODE"'],
])('An argument of the wrong kind is refused by name: %s(%j): %s', async (name, args, message) => {
  expect(await fail(name, args)).toMatchObject({
    code: 'ARGUMENT_INVALID',
    message: expect.stringContaining(message) as string,
    // No variable, and no route of the service.
    fix: /^(?:Pass|Correct|Add|Write|Remove)(?!.*(?:PLATFORM_|AUTH_MODE|\/api\/))/,
  })
})

describe('An unknown option is refused by name, before any request', () => {
  const running = useEnclave()
  const names = ['timeoutMS', 'Cloud', 'cluod', 'authorityHost', 'tenantId', 'environment', 'name', 'a b\n', 'toString']
  const environment = () => running.cloud.environment('clientSecret', running.files)
  const calls: Readonly<Record<string, (wrong: object) => readonly unknown[]>> = {
    resolveCloud: (wrong) => [{ env: environment(), discoverAudience: true, ...wrong }],
    resolveCloudProfile: (wrong) => [wrong],
    explainCloudProfile: (wrong) => [wrong],
    createCredential: (wrong) => [library.createCredentialPlan(running.cloud.profile, environment()), wrong],
    discoverCloud: (wrong) => [running.cloud.profile, wrong],
  }

  test.each(Object.entries(calls))('by %s', async (name, argumentsWith) => {
    running.cloud.clearRequests()
    for (const [wrong, value] of names.flatMap((each) => [[each, 'x'] as const, [each, undefined] as const])) {
      if (wrong === 'name' && name.endsWith('CloudProfile')) continue
      const error = await fail(name, argumentsWith({ [wrong]: value }))
      expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', message: / is unknown/ })
      expect(String(error)).toContain(/^\w+$/.test(wrong) ? `options.${wrong} ` : JSON.stringify(wrong))
    }
    expect(running.cloud.requests).toEqual([])
  })

  test('with the nearest name, else with all', async () => {
    const nearest = 'options.cluod is unknown; did you mean cloud?'
    expect(await fail('resolveCloud', [{ cluod: 'x' }])).toHaveProperty('message', nearest)
    expect(String(await fail('resolveCloud', [{ authorityHost: 'x' }]))).toMatch(/is unknown \(known: cloud, profile, /)
  })
})

test('a known key that is undefined counts as absent', async () => {
  const known = ['cloud', 'profile', 'customProfilePath', 'timeoutMs', 'onDeviceCode', 'log', 'credential']
  const options = Object.fromEntries(known.map((key) => [key, undefined]))
  const cloud = (await lib['resolveCloud']?.({ ...options, env: {} })) as main.Cloud
  expect(cloud.profile.name).toBe('platform-us-government')
})

test('an environment may be frozen, have no prototype, and read its values late', async () => {
  const PLATFORM_CLOUD = { enumerable: true, get: () => 'platform-commercial' }
  const env = Object.freeze(Object.create(null, { PLATFORM_CLOUD }) as main.Env)
  expect((await library.resolveCloud({ env })).profile.name).toBe('platform-commercial')
})
