import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createCredentialPlan, type CloudName } from '../../../src/lib/index.ts'
import type { CredentialPlan } from '../../../src/lib/auth/credential-plan.ts'
import { secretsOf } from '../../../src/lib/base/secret.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import type { Env } from '../../../src/lib/base/env.ts'
import { errorOf } from '../../support/error-of.ts'

const tenant = '11111111-2222-3333-4444-555555555555'
const secret = 'planted-secret-value'

const application = { PLATFORM_TENANT_ID: tenant, PLATFORM_CLIENT_ID: 'client' }

/** What each mode needs, and no more. */
const complete: Readonly<Record<string, Env>> = {
  clientSecret: { ...application, PLATFORM_CLIENT_SECRET: secret },
  clientCertificate: {
    ...application,
    PLATFORM_CLIENT_CERTIFICATE_PATH: '/c.pem',
    PLATFORM_CLIENT_CERTIFICATE_PASSWORD: secret,
  },
  workloadIdentity: { ...application, PLATFORM_FEDERATED_TOKEN_FILE: '/token' },
  deviceCode: application,
  usernamePassword: { ...application, PLATFORM_USERNAME: 'user', PLATFORM_PASSWORD: secret },
  managedIdentity: {},
  platformCli: {},
  default: {},
}

const required: Readonly<Record<string, readonly string[]>> = {
  clientSecret: ['PLATFORM_CLIENT_SECRET'],
  clientCertificate: ['PLATFORM_CLIENT_CERTIFICATE_PATH'],
  workloadIdentity: ['PLATFORM_FEDERATED_TOKEN_FILE'],
  deviceCode: [],
  usernamePassword: ['PLATFORM_USERNAME', 'PLATFORM_PASSWORD'],
}

const plan = (mode: string, env: Env = complete[mode] ?? {}, cloud = 'platform-us-government'): CredentialPlan =>
  createCredentialPlan(resolveCloudProfile({ name: cloud as CloudName, env: {} }), { AUTH_MODE: mode, ...env })

const applicationModes = Object.keys(required)

describe('what a plan requires', () => {
  test.each(Object.entries(required))('%s names every missing variable at once', (mode, names) => {
    const message = expect.stringContaining([...Object.keys(application), ...names].join(', ')) as string
    expect(errorOf(() => plan(mode, {}))).toMatchObject({ code: 'CREDENTIAL_SETTING_MISSING', message })
  })

  test('the tenant falls back to the profile', () => {
    const profile = { ...resolveCloudProfile({ env: {} }), tenantId: 'profile.example' }
    const found = createCredentialPlan(profile, { AUTH_MODE: 'deviceCode', PLATFORM_CLIENT_ID: 'c' })
    expect(found).toMatchObject({ authority: { tenantId: 'profile.example' } })
  })

  test('workload identity falls back to what a cluster injects, and our own variables win', () => {
    const injected = { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: 'injected', AZURE_FEDERATED_TOKEN_FILE: '/injected' }
    expect(plan('workloadIdentity', injected)).toMatchObject({ clientId: 'injected', tokenFile: { path: '/injected' } })
    expect(plan('workloadIdentity', { ...injected, PLATFORM_CLIENT_ID: 'ours' })).toMatchObject({ clientId: 'ours' })
  })
})

describe('authority and instance discovery', () => {
  test.each(applicationModes)('%s gets the authority host of the profile and the computed flag', (mode) => {
    const government = { authorityHost: 'https://login.microsoftonline.us/', disableInstanceDiscovery: false }
    expect(plan(mode)).toMatchObject({ authority: government })
    const secretCloud = { authorityHost: 'https://login.secret.placeholder.invalid/', disableInstanceDiscovery: true }
    expect(plan(mode, complete[mode], 'platform-us-gov-secret')).toMatchObject({ authority: secretCloud })
  })

  test.each(['managedIdentity', 'platformCli'])('%s is exempt', (mode) => {
    expect(plan(mode)).not.toHaveProperty('authority')
  })

  test.each([
    ['https://Login.Example:443/', 'a.test', 'https://login.example/', 'a.test'],
    ['https://login.enclave.test/', 'enclave.test', 'https://login.enclave.test/enclave.test', 'enclave.test'],
    ['https://x.test/adfs/', tenant, 'https://x.test/adfs/', 'adfs'],
    ['https://x.test/adfs/', undefined, 'https://x.test/adfs/', 'adfs'],
  ])('%s with tenant %s becomes %s with %s', (host, PLATFORM_TENANT_ID, authorityHost, tenantId) => {
    const profile = { ...resolveCloudProfile({ env: {} }), authorityHost: host }
    const authority = { authorityHost, tenantId, disableInstanceDiscovery: true }
    const env = { AUTH_MODE: 'deviceCode', PLATFORM_CLIENT_ID: 'c', PLATFORM_TENANT_ID }
    expect(createCredentialPlan(profile, env)).toMatchObject({ authority })
  })
})

test.each(['clientSecret', 'clientCertificate', 'usernamePassword'])('%s prints no secret', (mode) => {
  const found = plan(mode)
  expect(secretsOf(found)).toEqual([secret])
  for (const text of [JSON.stringify(found), inspect(found, { depth: 9, showHidden: true })])
    expect(text).not.toContain(secret)
  expect(JSON.stringify(found)).toContain('[redacted]')
})

test.each(['common', 'Organizations', 'CONSUMERS'])('%s is a tenant only where a person signs in', (tenantId) => {
  const planFor = (mode: string) => plan(mode, { ...complete[mode], PLATFORM_TENANT_ID: tenantId })
  for (const mode of ['deviceCode', 'usernamePassword'])
    expect(planFor(mode)).toMatchObject({ authority: { tenantId } })
  const refusal = { code: 'SETTING_INVALID', evidence: { sharedTenant: tenantId } }
  for (const mode of ['clientSecret', 'clientCertificate', 'workloadIdentity'])
    expect(errorOf(() => planFor(mode))).toMatchObject(refusal)
})
