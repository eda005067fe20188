import { expect, test, vi } from 'vitest'
import { createCredentialPlan, resolveCloudProfile, type CredentialSettings } from '../../../src/lib/index.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import { credentialTable, type AuthMode } from '../../../src/lib/settings/setting-table.ts'

const profile = resolveCloudProfile({ env: {} })
const secret = {
  mode: 'clientSecret',
  clientId: 'c',
  clientSecret: 'planted-secret',
  tenantId: 'contoso.example',
} as const

/** A value for each key of a row, which no other key has. */
const paths = { federatedTokenFile: '/f', clientCertificatePath: '/p', clientSecretPath: '/s', passwordPath: '/x' }
const others = { clientId: 'c', tenantId: 't', allowedTokenHosts: ['a.test', 'b.test:8443'], username: 'u' }
const samples = { ...paths, ...others, clientCertificatePasswordPath: '/w' }
const application = ['clientId', 'tenantId', 'allowedTokenHosts'] as const

test.each<[mode: AuthMode, keys: readonly (keyof typeof samples)[]]>([
  ['managedIdentity', ['clientId']],
  ['deviceCode', application],
  ['workloadIdentity', [...application, 'federatedTokenFile']],
  ['clientSecret', [...application, 'clientSecretPath']],
  ['clientCertificate', ['clientId', 'tenantId', 'clientCertificatePath', 'clientCertificatePasswordPath']],
  ['usernamePassword', ['clientId', 'tenantId', 'username', 'passwordPath']],
  ['default', ['clientId', 'tenantId', 'clientSecretPath']],
])('%s with %j is the same plan as its variables', (mode, keys) => {
  const settings = { mode, ...Object.fromEntries(keys.map((key) => [key, samples[key]])) } as CredentialSettings
  const variables = keys.map((key) => [credentialTable[key].name, [samples[key]].flat().join(',')])
  const env = { AUTH_MODE: mode, ...Object.fromEntries(variables) } as Env
  const ignored = new Set(['areOptions', 'proxies', 'environment', 'setting', 'isOption'])
  const comparable = (plan: object): unknown =>
    JSON.parse(JSON.stringify(plan, (key, value: unknown) => (ignored.has(key) ? undefined : value)))
  expect(comparable(createCredentialPlan(profile, settings))).toEqual(comparable(createCredentialPlan(profile, env)))
})

test('typed settings do not mix with credential variables of the process', () => {
  vi.stubEnv('PLATFORM_TENANT_ID', 'other.example')
  expect(createCredentialPlan(profile, secret)).toMatchObject({ authority: { tenantId: 'contoso.example' } })
  vi.unstubAllEnvs()
})

test('a name for several tenants is refused by the name of the option', () => {
  expect(() => createCredentialPlan(profile, { ...secret, tenantId: 'common' })).toThrow(/with mode: 'clientSecret'/)
})

test('an optional key that is undefined counts as absent', () => {
  const settings = { ...secret, allowedTokenHosts: undefined, clientSecretPath: undefined } satisfies CredentialSettings
  expect(createCredentialPlan(profile, settings)).toMatchObject({ authority: { tenantId: 'contoso.example' } })
  const identity: CredentialSettings = { mode: 'managedIdentity', clientId: undefined }
  expect(createCredentialPlan(profile, identity)).not.toHaveProperty('clientId')
})

test.each<[unknown, RegExp]>([
  [{ authMode: 'clientSecret', clientId: 'c' }, /mode must be one of managedIdentity/],
  [{ mode: 'clientSecret', clientId: 'c' }, /of mode clientSecret: clientSecret is missing \(or clientSecretPath\)$/],
  [{ ...secret, clientSecre: 'x' }, /clientSecre is unknown; did you mean clientSecret\?/],
  [{ mode: 'deviceCode', clientId: 'c', username: 'u' }, /username is unknown/],
  [{ ...secret, clientSecret: 7 }, /clientSecret must be a text/],
  [{ ...secret, allowedTokenHosts: 'a.test' }, /allowedTokenHosts must be an array/],
  [{ mode: 'usernamePassword' }, /clientId is missing, username is missing, password is missing \(or passwordPath\)/],
  [{ ...secret, clientSecretPath: '/s' }, /clientSecret and clientSecretPath are both set: remove one of them$/],
])('wrong settings are one error that names each key: %j', (settings, message) => {
  const plan = () => createCredentialPlan(profile, settings as CredentialSettings)
  expect(plan).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }) as Error)
  expect(plan).toThrow(message)
  expect(plan).not.toThrow('planted-secret')
})
