import { describe, expect, test } from 'vitest'
import { createEgressPolicy } from '../../../src/lib/transport/egress.ts'
import { Secret } from '../../../src/lib/base/secret.ts'
import { authLevels, authModes, logLevels } from '../../../src/lib/settings/setting-table.ts'
import { settingRows } from '../../../src/lib/variables.ts'
import type { InvalidSettingsError } from '../../../src/lib/errors.ts'
import { createCredentialPlan } from '../../../src/lib/index.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { defaultSchedule, readSettings } from '../../../src/lib/settings/settings.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'

/** The one problem of a variable with a wrong value. */
const problemOf = (name: string, value: string): string => {
  const { code, message } = errorOf(() => readSettings({ [name]: value }))
  expect(code).toBe('SETTING_INVALID')
  return message
}

test('an error has each problem with its setting; the text is made of them', () => {
  const env = { PORT: 'x', PLATFORM_PASSWORD: 'a', PLATFORM_PASSWORD_PATH: '/b', PLATFORM_CLOUD: '$(CLOUD)' }
  const { code, problems, message } = errorOf(() => readSettings(env)) as InvalidSettingsError
  expect(code).toBe('REFERENCE_UNRESOLVED')
  expect(problems.map(({ name }) => name).sort()).toEqual(['PLATFORM_CLOUD', 'PLATFORM_PASSWORD', 'PORT'])
  expect(message).toBe(problems.map((problem) => problem.message).join('\n'))
})

describe('Without any variable', () => {
  test('every setting has its default', () => {
    expect(readSettings({})).toEqual({
      authMode: 'platformCli',
      authModeFrom: 'default',
      httpAuthLevel: 'function',
      smokeTestSchedule: /^\d+ \d+,\d+,\d+,\d+ \* \* \* \*$/,
      smokeTestScheduleFrom: 'the host name',
      smokeTestChecksToken: false,
      tokenTimeoutMs: 10_000,
      logLevel: 'info',
      port: 3000,
      listenAddress: '127.0.0.1',
      requireFips: false,
      discoverAudience: false,
      allowedTokenHosts: [],
      injected: {},
      proxies: new Secret({}),
      toolEnvironment: new Secret({}),
    })
  })

  test.each(['', ' ', '\t\n'])('a blank variable (%j) counts as unset everywhere', (blank) => {
    const env = Object.fromEntries(settingRows.map(({ name }) => [name, blank]))
    expect(readSettings(env)).toEqual(readSettings({}))
  })
})

describe('A valid value', () => {
  test.each([
    ['HTTP_AUTH_LEVEL', 'httpAuthLevel', authLevels],
    ['PLATFORM_LOG_LEVEL', 'logLevel', logLevels],
    ['AUTH_MODE', 'authMode', authModes],
  ] as const)('%s may be each of its choices, with spaces around it', (name, key, choices) => {
    for (const choice of choices) expect(readSettings({ [name]: ` ${choice} ` })[key]).toBe(choice)
  })

  test.each(['fd00::1', '[FD00::1]:8443'])('PLATFORM_ALLOWED_TOKEN_HOSTS takes %s', (host) => {
    const { allowedTokenHosts } = readSettings({ PLATFORM_ALLOWED_TOKEN_HOSTS: host })
    const policy = createEgressPolicy({}, allowedTokenHosts)
    expect([...policy.origins.keys()]).toEqual([new URL(`https://${host.startsWith('[') ? host : `[${host}]`}`).origin])
  })

  const refused = ['[fd00::1', 'fd00::1]', '[fd00::1]:', '[fd00::1]:99999', '[host]', 'fe80::1%eth0', ':::']
  test.each(refused)('PLATFORM_ALLOWED_TOKEN_HOSTS refuses %s', (host) => {
    expect(() => readSettings({ PLATFORM_ALLOWED_TOKEN_HOSTS: host })).toThrow(/PLATFORM_ALLOWED_TOKEN_HOSTS/)
  })
})

describe('A limit', () => {
  test.each([
    ['PLATFORM_TOKEN_TIMEOUT_MS', 'tokenTimeoutMs', ['1000', '120000'], ['999', '120001', '1e4', '9'.repeat(400)]],
    ['PORT', 'port', ['0', '65535', '03000'], ['65536', '-1', '3000.0', '0x50', 'http', '3000,', 'NaN', 'Infinity']],
  ] as const)('of %s holds at its boundaries', (name, key, good, bad) => {
    for (const value of good) expect(readSettings({ [name]: value })[key]).toBe(Number(value))
    for (const value of bad) expect(problemOf(name, value)).toMatch(new RegExp(`^${name} must be a whole number from `))
  })

  test.each([
    ['PLATFORM_STORAGE_ACCOUNT', 'storageAccount'],
    ['PLATFORM_KEY_VAULT', 'keyVault'],
  ] as const)('of %s is one DNS label of 63 characters', (name, key) => {
    const longest = 'x'.repeat(63)
    expect(readSettings({ [name]: longest })[key]).toBe(longest)
    for (const value of [`${longest}x`, 'a.b', 'a/b', '-a', 'a@evil.example', 'a#'])
      expect(problemOf(name, value)).toMatch(new RegExp(`^${name} must be one DNS label`))
  })
})

describe('An invalid value', () => {
  const wrong: Readonly<Record<string, string>> = {
    AUTH_MODE: 'ClientSecret',
    HTTP_AUTH_LEVEL: 'none',
    PLATFORM_ALLOWED_TOKEN_HOSTS: 'a.example,https://b.example/',
    PLATFORM_DISCOVER_AUDIENCE: 'yes',
    PLATFORM_KEY_VAULT: 'a.b',
    PLATFORM_LISTEN_ADDRESS: 'https://x/',
    PLATFORM_LOG_LEVEL: 'debug',
    PLATFORM_OVERRIDE_CUSTOM_PROFILE: '1',
    PLATFORM_STORAGE_ACCOUNT: 'a.b',
    PLATFORM_TENANT_ID: 'a/b',
    PLATFORM_TOKEN_TIMEOUT_MS: '10s',
    PORT: 'eighty',
    SMOKE_TEST_CHECK_TOKEN: 'on',
    SMOKE_TEST_SCHEDULE: '*/15 * * * *',
  }

  test.each(Object.entries(wrong))('%s=%s is one line with the variable, the rule and the value', (name, value) => {
    expect(problemOf(name, value)).toMatch(new RegExp(`^${name} must be .*, but (is|has) ".*$`))
  })

  test('all of them are named at once, and nothing else', () => {
    const { message } = errorOf(() => readSettings(wrong))
    const named = message.split('\n').map((line) => line.split(' ')[0] ?? '')
    expect(named.sort()).toEqual(Object.keys(wrong))
  })

  test.each([
    ['0 0 24 * * *', 'its hour must be 0 to 23'],
    ['0 0 * * *', 'it needs six fields'],
  ])('SMOKE_TEST_SCHEDULE=%s is refused with the reason', (schedule, reason) => {
    expect(problemOf('SMOKE_TEST_SCHEDULE', schedule)).toContain(`but is "${schedule}": ${reason}`)
  })

  test.each(['fe80::1', '[fe80::1]', 'FEB0:0::2'])('%s is link-local, so it needs a zone', (address) => {
    expect(problemOf('PLATFORM_LISTEN_ADDRESS', address)).toContain('needs its zone, as in fe80::1%eth0')
    for (const zone of ['eth0', '2', 'br-lan.100', '25eth0']) {
      const listenAddress = address.replace(/(\]?)$/, `%${zone}$1`)
      expect(readSettings({ PLATFORM_LISTEN_ADDRESS: listenAddress })).toMatchObject({ listenAddress })
    }
  })

  test('no message contains a secret of another variable', () => {
    const names = settingRows.filter(({ secret }) => secret).map(({ name }) => name)
    const known = ['CLIENT_SECRET', 'CLIENT_CERTIFICATE_PASSWORD', 'PASSWORD', 'HOST_KEY']
    expect(names).toEqual(known.map((name) => `PLATFORM_${name}`))
    const secrets = Object.fromEntries(names.map((name) => [name, `hunter2-${name}`]))
    expect(errorOf(() => readSettings({ ...secrets, ...wrong })).message).not.toContain('hunter2')
    expect(JSON.stringify(readSettings(secrets))).not.toContain('hunter2')
    const profile = parseCloudProfile(profileDocument())
    for (const AUTH_MODE of authModes.filter((mode) => mode.startsWith('client') || mode === 'usernamePassword')) {
      expect(errorOf(() => createCredentialPlan(profile, { ...secrets, AUTH_MODE })).message).not.toContain('hunter2')
    }
  })
})

test.each(authModes)('SMOKE_TEST_CHECK_TOKEN is true by default with %s, unless a person is needed', (AUTH_MODE) => {
  const isUnattended = !['deviceCode', 'platformCli'].includes(AUTH_MODE)
  const read = (SMOKE_TEST_CHECK_TOKEN?: string) =>
    readSettings({ AUTH_MODE, SMOKE_TEST_CHECK_TOKEN }).smokeTestChecksToken
  expect([read(), read('true'), read('false')]).toEqual([isUnattended, true, false])
})

const federated = { PLATFORM_TENANT_ID: 'a', PLATFORM_CLIENT_ID: 'b', PLATFORM_FEDERATED_TOKEN_FILE: '/c' }

test.each([
  [{ AUTH_MODE: 'clientSecret', IDENTITY_ENDPOINT: 'http://x/' }, 'clientSecret', 'AUTH_MODE'],
  [{ IDENTITY_ENDPOINT: 'http://x/', MSI_ENDPOINT: 'http://x/' }, 'managedIdentity', 'IDENTITY_ENDPOINT'],
  [{ MSI_ENDPOINT: 'http://x/' }, 'managedIdentity', 'MSI_ENDPOINT'],
  [{ WEBSITE_INSTANCE_ID: 'x' }, 'managedIdentity', 'WEBSITE_INSTANCE_ID'],
  [federated, 'workloadIdentity', 'PLATFORM_FEDERATED_TOKEN_FILE'],
  [{}, 'platformCli', 'default'],
])('What chose the mode: %j: %s by %s', (env, authMode, authModeFrom) => {
  expect(readSettings(env)).toMatchObject({ authMode, authModeFrom })
})

test('the default schedule is every 15 minutes, derived from the site for all its workers, else from the host', () => {
  const site = defaultSchedule({ WEBSITE_SITE_NAME: 'one' }, () => 'worker-1')
  expect(site.smokeTestSchedule).toMatch(/^\d+ (\d+),\d+,\d+,\d+ \* \* \* \*$/)
  expect(site).toEqual(defaultSchedule({ WEBSITE_SITE_NAME: 'one' }, () => 'worker-2'))
  expect(site.smokeTestScheduleFrom).toBe('WEBSITE_SITE_NAME')
  expect(defaultSchedule({}, () => 'one')).toEqual({ ...site, smokeTestScheduleFrom: 'the host name' })
  // The instances of a fleet spread: no second has more than 4 times its share.
  const pods = Array.from({ length: 10_000 }, (_, pod) => `pod-${(pod * 7919).toString(36)}`)
  const load = Map.groupBy(pods, (pod) => defaultSchedule({}, () => pod).smokeTestSchedule)
  expect(Math.max(...[...load.values()].map(({ length }) => length))).toBeLessThanOrEqual(4 * (10_000 / 900))
})
