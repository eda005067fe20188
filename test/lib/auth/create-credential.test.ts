import { decodeJwt } from 'jose'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createCredential,
  createCredentialPlan,
  type CredentialOptions,
  type CredentialSettings,
  type Env,
  type GetTokenOptions,
  type LogEvent,
  resolveCloudProfile,
  scopeFor,
  type ServiceError,
  type TokenCredential,
} from '../../../src/lib/index.ts'
import type { EnclaveAuthMode } from 'cloud-profile-enclave/enclave'
import { daysFromNow, issueCertificate } from '../../support/issue-certificate.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const directory = useTemporaryDirectory()
const scope = () => scopeFor(running.cloud.resourceManagerAudience)
const open = async (mode: EnclaveAuthMode, own: Env = {}, options: CredentialOptions = {}) => {
  const env = { ...running.cloud.environment(mode, running.files), ...own }
  return createCredential(createCredentialPlan(running.cloud.profile, env), options)
}
const typed = async (settings: CredentialSettings, profile = running.cloud.profile) =>
  createCredential(createCredentialPlan(profile, settings))
const errorFrom = (credential: TokenCredential, options?: GetTokenOptions) =>
  credential.getToken(scope(), options).then(
    () => undefined,
    (reason: unknown) => reason as ServiceError,
  )
const refused = (message: RegExp) => ({ code: 'ARGUMENT_INVALID', message })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('The deadline of a credential', () => {
  test('is PLATFORM_TOKEN_TIMEOUT_MS of the environment that the plan came from', async () => {
    // Loads the library, which must not take from a short deadline.
    await (await open('clientSecret')).getToken(scope())
    await running.cloud.setFault({ kind: 'silent' }, 'login')
    const credential = await open('clientSecret', { PLATFORM_TOKEN_TIMEOUT_MS: '1000' })
    await expect(credential.getToken(scope())).rejects.toMatchObject({ code: 'AUTHORITY_TIMEOUT' })
  })

  test('does not delay a cancellation, also while the library waits between two polls', async () => {
    const controller = new AbortController()
    const credential = await open('deviceCode', {}, { onDeviceCode: () => undefined })
    running.cloud.clearRequests()
    const token = credential.getToken(scope(), { abortSignal: controller.signal }).catch((error: unknown) => error)
    await running.cloud.waitForRequest(({ path, status }) => path.endsWith('/token') && status !== undefined)
    // The response of the first poll reaches the library.
    await sleep(100)
    controller.abort()
    // The next poll is a second away. Timers of this process fire in their order, however busy the machine is.
    expect(await Promise.race([token, sleep(500, 'later than 500 ms')])).toMatchObject({ code: 'TOKEN_CANCELLED' })
  })
})

test('a sign-in by device code is one line on stderr if no callback shows it', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    running.cloud.approveDeviceCode(/code (\S+)/.exec(String(line))?.[1] ?? '')
    return true
  })
  await (await open('deviceCode')).getToken(scope())
  const line = expect.stringMatching(/^To sign in, open https:\/\/\S+ and enter the code \S+\n$/) as string
  expect(write.mock.calls).toEqual([[line]])
})

test('the log of a credential has the events of the service, without secrets', async () => {
  const events: LogEvent[] = []
  const log = (event: LogEvent) => events.push(event)
  await (await open('clientSecret', {}, { log })).getToken(scope())
  const wrong = await open('clientSecret', { PLATFORM_CLIENT_SECRET: 'planted-wrong-secret' }, { log })
  await expect(wrong.getToken(scope())).rejects.toThrow('invalid_client')
  let userCode = ''
  const onDeviceCode = (prompt: { readonly userCode: string }) =>
    running.cloud.approveDeviceCode((userCode = prompt.userCode))
  await (await open('deviceCode', {}, { log, onDeviceCode })).getToken(scope())
  const { name: profile } = running.cloud.profile
  const token = { event: 'token', profile, scope: scope(), cached: false, durationMs: expect.any(Number) as number }
  const message = /https:/
  expect(events).toEqual([
    { ...token, level: 'info', status: 'acquired' },
    { ...token, level: 'error', status: 'failed', code: 'CLIENT_SECRET_INVALID' },
    { level: 'warning', event: 'sign-in', profile, status: 'pending', message },
    { ...token, level: 'info', status: 'acquired' },
  ])
  for (const secret of [userCode, 'planted']) expect(JSON.stringify(events)).not.toContain(secret)
})

describe('A callback of the application', () => {
  /** Other files of this process may cause other warnings. */
  const nextWarning = async (): Promise<string> => {
    const [{ message }] = (await once(process, 'warning')) as [Error]
    return message.startsWith('The log of a credential failed') ? message : nextWarning()
  }

  const fail = (): never => {
    throw new Error('a callback that fails')
  }
  const failing = [
    ['throws', (): void => fail()],
    ['rejects', async (): Promise<void> => fail()],
  ] as const

  test.each(failing)('log that %s costs no token, and is a warning of the process', async (_how, log) => {
    const warned = nextWarning()
    expect((await (await open('clientSecret', {}, { log })).getToken(scope())).token).not.toBe('')
    expect(await warned).toBe('The log of a credential failed: Error')
  })

  test.each(failing)('onDeviceCode that %s ends the attempt with the name of its error', async (_how, onDeviceCode) => {
    const credential = await open('deviceCode', {}, { onDeviceCode })
    const message = /^onDeviceCode failed before a person could sign in: Error$/
    expect(await errorFrom(credential)).toMatchObject(refused(message))
  })
})

describe('getToken', () => {
  test.each<[what: string, scopes: unknown]>([
    ['no scope', []],
    ['an array of numbers', [5]],
    ['an audience without .default', 'https://management.test/'],
    ['two scopes in one text', 'https://a.test/.default openid'],
  ])('refuses %s by name', async (_what, scopes) => {
    await expect((await open('clientSecret')).getToken(scopes as string)).rejects.toMatchObject(
      refused(/^scopes must be an audience followed by "\.default"/),
    )
  })

  const secret = { mode: 'clientSecret', clientId: 'c', tenantId: 't' } as const

  test('refuses an audience of another cloud, before any request, and names what this cloud has instead', async () => {
    const credential = await typed({ ...secret, clientSecret: 's' }, resolveCloudProfile({ env: {} }))
    const message = /Request the scope .*vault\.usgovcloudapi\.net.* in the US Gov/
    await expect(credential.getToken('https://vault.azure.net//.default')).rejects.toMatchObject(refused(message))
  })

  test.each(['', '/', '//'])('takes an audience of another cloud that the profile names, with %j', async (end) => {
    const { serviceAudiences, ...profile } = resolveCloudProfile({ env: {} })
    const own = { ...profile, serviceAudiences: { ...serviceAudiences, keyVault: 'https://vault.azure.net/' } }
    // A missing file ends the attempt before any request.
    const credential = await typed({ ...secret, clientSecretPath: '/nowhere' }, own)
    const failure = { code: 'CREDENTIAL_FILE_UNREADABLE' }
    await expect(credential.getToken(`https://vault.azure.net/${end}.default`)).rejects.toMatchObject(failure)
  })

  const listeners = { addEventListener() {}, removeEventListener() {} }
  test.each<[what: string, options: GetTokenOptions, code: string]>([
    ['an aborted signal of the platform', { abortSignal: AbortSignal.abort() }, 'TOKEN_CANCELLED'],
    ['an aborted signal of a library', { abortSignal: { aborted: true, ...listeners } }, 'TOKEN_CANCELLED'],
    ['what is not a signal', { abortSignal: 5 as never }, 'ARGUMENT_INVALID'],
    ['another tenant', { tenantId: '11111111-1111-4111-8111-111111111111' }, 'ARGUMENT_INVALID'],
  ])('with %s sends no request, also where the token is cached', async (_what, options, code) => {
    const credential = await open('clientSecret')
    await credential.getToken(scope())
    running.cloud.clearRequests()
    expect(await errorFrom(credential, options)).toMatchObject({ code })
    expect(running.cloud.requests).toEqual([])
  })

  test.each([
    ['the tenant of the plan in other letter case', (tenant: string) => ({ tenantId: tenant.toUpperCase() })],
    ['a blank tenant', () => ({ tenantId: '' })],
    ['null, as JavaScript may pass it', () => null as never],
  ])('takes %s', async (_what, optionsOf) => {
    const { tenantId } = running.cloud
    const { token } = await (await open('clientSecret')).getToken(scope(), optionsOf(tenantId))
    expect(decodeJwt(token)['tid']).toBe(tenantId)
  })
})

describe('An identity endpoint that the process does not have', () => {
  const own = { IDENTITY_ENDPOINT: 'http://127.0.0.1:9/token', IDENTITY_HEADER: 'header' }

  test.each([
    ['IDENTITY_HEADER', 'another'],
    ['IDENTITY_HEADER', ''],
    ['MSI_SECRET', 'hunter2'],
  ])('is refused by name with %s=%s beside an equal host', async (name, other) => {
    for (const [variable, value] of Object.entries(own)) vi.stubEnv(variable, value)
    const plan = createCredentialPlan(running.cloud.profile, { AUTH_MODE: 'managedIdentity', ...own, [name]: other })
    const error = await errorFrom(await createCredential(plan))
    expect(error).toMatchObject({ code: 'MANAGED_IDENTITY_ENDPOINT_FIXED' })
    expect(String(error)).toContain(`another value of ${name} than the process`)
    expect(JSON.stringify([String(error), plan, inspect(plan)])).not.toMatch(/another"|hunter2|header"/)
  })
})

test('a reference in the file of the federated token is sent nowhere', async () => {
  const PLATFORM_FEDERATED_TOKEN_FILE = directory.write('reference', '{{ token }}\n')
  const credential = await open('workloadIdentity', { PLATFORM_FEDERATED_TOKEN_FILE })
  running.cloud.clearRequests()
  expect(await errorFrom(credential)).toMatchObject({ code: 'REFERENCE_UNRESOLVED' })
  expect(running.cloud.requests).toEqual([])
})

describe('A rejected federated token', () => {
  const reject = async (AUTH_MODE: string, number: number) => {
    await running.cloud.setFault({ kind: 'aadsts', number, error: 'invalid_client' }, 'login/token')
    return errorFrom(await open('workloadIdentity', { AUTH_MODE }))
  }

  test.each(['workloadIdentity', 'default'])(
    'of mode %s is explained by its claims, without the token',
    async (mode) => {
      const error = await reject(mode, 70021)
      const assertion = readFileSync(running.files.federatedTokenPath, 'utf8').trim()
      const { iss, sub, aud } = decodeJwt(assertion)
      const audience = [aud].flat()[0]
      expect(error).toMatchObject({
        code: 'CLIENT_ASSERTION_REJECTED',
        evidence: { issuer: iss, subject: sub, assertionAudience: audience },
        message: expect.stringContaining(`issuer ${iss}, subject ${sub}, audience ${audience}`) as string,
      })
      for (const part of assertion.split('.')) expect(inspect(error, { depth: 10 })).not.toContain(part)
    },
  )

  test('of another reason has no such text', async () => {
    expect(String(await reject('workloadIdentity', 700016))).not.toContain('issuer')
  })
})

test.each([
  ['is not valid yet', 'validFrom', 1],
  ['has expired', 'validTo', -2],
])('the error of a rejected certificate that %s has the date', async (_, name, from) => {
  const dates = { validFrom: daysFromNow(from), validTo: daysFromNow(from + 1) }
  const { certificate, key } = await issueCertificate('client', { type: 'RSA', ...dates })
  const PLATFORM_CLIENT_CERTIFICATE_PATH = directory.write('dated.pem', `${certificate}${key}`)
  expect(await errorFrom(await open('clientCertificate', { PLATFORM_CLIENT_CERTIFICATE_PATH }))).toMatchObject({
    code: 'CLIENT_ASSERTION_REJECTED',
    evidence: { [name]: /^20\d\d-.*Z$/ },
  })
})

describe('A client assertion of the application', () => {
  const withAssertion = async (getAssertion: () => Promise<string>) => {
    const { clientId, tenantId } = running.cloud
    return typed({ mode: 'clientAssertion', clientId, tenantId, getAssertion })
  }

  test('gets a token', async () => {
    const credential = await withAssertion(async () => readFileSync(running.files.federatedTokenPath, 'utf8').trim())
    expect((await credential.getToken(scope())).token).not.toBe('')
  })

  test.each<[string, () => Promise<string>, RegExp]>([
    ['fails', async () => Promise.reject(new Error('no key store')), /getAssertion failed: Error$/],
    ['returns nothing', async () => '', /^The result of getAssertion must be an assertion/],
  ])('that %s is the error of the caller, and nothing is sent', async (_what, getAssertion, message) => {
    expect(await errorFrom(await withAssertion(getAssertion))).toMatchObject(refused(message))
  })
})

test.each<[settings: Partial<CredentialSettings>, code: string, text: string]>([
  [{ mode: 'clientSecret', clientSecret: 'wrong' }, 'CLIENT_SECRET_INVALID', 'clientSecret'],
  [
    { mode: 'clientCertificate', clientCertificatePath: 'nothing.pem' },
    'CREDENTIAL_FILE_UNREADABLE',
    'clientCertificatePath ("nothing.pem")',
  ],
])('an error of settings in code names options, and no variable: %j', async (settings, code, text) => {
  const { clientId, tenantId } = running.cloud
  const error = await errorFrom(await typed({ clientId, tenantId, ...settings } as CredentialSettings))
  expect(error).toMatchObject({ code, fix: /^(?!.*(?:PLATFORM_|AUTH_MODE)).+/ })
  expect(`${error?.message}${error?.fix}`).toContain(text)
  expect(error).not.toHaveProperty('change')
})
