import { decodeJwt } from 'jose'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createCredential,
  createCredentialPlan,
  type CredentialOptions,
  type GetTokenOptions,
  type LogEvent,
  resolveCloudProfile,
  scopeFor,
  type CloudName,
} from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const scope = () => scopeFor(running.cloud.resourceManagerAudience)
const planFor = (mode: 'clientSecret' | 'deviceCode', env = {}) =>
  createCredentialPlan(running.cloud.profile, { ...running.cloud.environment(mode), ...env })

const open = async (env = {}, options: CredentialOptions = {}) =>
  createCredential(planFor('clientSecret', env), options)
const refused = (message: RegExp) => ({
  code: 'ARGUMENT_INVALID',
  message,
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('The deadline of a credential', () => {
  test('is PLATFORM_TOKEN_TIMEOUT_MS of the environment that the plan came from', async () => {
    // Loads the library, which must not take from a short deadline.
    await (await open()).getToken(scope())
    await running.cloud.setFault({ kind: 'silent' }, 'login')
    const credential = await open({ PLATFORM_TOKEN_TIMEOUT_MS: '1000' })
    await expect(credential.getToken(scope())).rejects.toMatchObject({ code: 'AUTHORITY_TIMEOUT' })
  })

  test('does not delay a cancellation, also while the library waits between two polls', async () => {
    const controller = new AbortController()
    const credential = await createCredential(planFor('deviceCode'), { onDeviceCode: () => undefined })
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
  const lines: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line))
    running.cloud.approveDeviceCode(/code (\S+)/.exec(String(line))?.[1] ?? '')
    return true
  })
  await (await createCredential(planFor('deviceCode'))).getToken(scope())
  expect(lines).toEqual([expect.stringMatching(/^To sign in, open https:\/\/\S+ and enter the code \S+\n$/)])
})

test('the log of a credential has the events of the service, without secrets', async () => {
  const events: LogEvent[] = []
  const log = (event: LogEvent) => events.push(event)
  await (await open({}, { log })).getToken(scope())
  const wrong = await open({ PLATFORM_CLIENT_SECRET: 'planted-wrong-secret' }, { log })
  await expect(wrong.getToken(scope())).rejects.toThrow('invalid_client')
  let userCode = ''
  const onDeviceCode = (prompt: { readonly userCode: string }) =>
    running.cloud.approveDeviceCode((userCode = prompt.userCode))
  await (await createCredential(planFor('deviceCode'), { log, onDeviceCode })).getToken(scope())
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
  const nextWarning = () =>
    new Promise<string>((resolve) => {
      const listen = ({ message }: Error) => {
        if (!message.startsWith('The log of a credential failed')) return
        process.off('warning', listen)
        resolve(message)
      }
      process.on('warning', listen)
    })

  const fail = (how: string): never => {
    throw new Error(`a callback that ${how}`)
  }
  const failing = [
    ['throws', (): void => fail('throws')],
    ['rejects', async (): Promise<void> => fail('rejects')],
  ] as const

  test.each(failing)('log that %s costs no token, and is a warning of the process', async (_how, log) => {
    const warned = nextWarning()
    expect((await (await open({}, { log })).getToken(scope())).token).not.toBe('')
    expect(await warned).toBe('The log of a credential failed: Error')
  })

  test.each(failing)('onDeviceCode that %s ends the attempt with the name of its error', async (_how, onDeviceCode) => {
    const credential = await createCredential(planFor('deviceCode'), { onDeviceCode })
    await expect(credential.getToken(scope())).rejects.toMatchObject(
      refused(/^onDeviceCode failed before a person could sign in: Error$/),
    )
  })
})

describe('getToken', () => {
  test.each<[what: string, scopes: unknown]>([
    ['no scope', []],
    ['null', null],
    ['an array of numbers', [5]],
    ['an audience without .default', 'https://management.test/'],
    ['openid', ['openid', 'https://management.test/.default']],
    ['two scopes in one text', 'https://a.test/.default openid'],
  ])('refuses %s by name', async (_what, scopes) => {
    await expect((await open()).getToken(scopes as string)).rejects.toMatchObject(
      refused(/^scopes must be an audience followed by "\.default"/),
    )
  })

  const secret = { mode: 'clientSecret', clientId: 'c', tenantId: 't' } as const

  test.each([
    [
      'platform-us-government',
      'https://vault.azure.net/.default',
      /Request the scope https:\/\/vault\.usgovcloudapi\.net\/\.default in the US Government cloud/,
    ],
    [
      'platform-us-government',
      'https://vault.azure.net//.default',
      /Request the scope https:\/\/vault\.usgovcloudapi\.net\/\.default in the US Government cloud/,
    ],
    [
      'platform-commercial',
      'https://graph.microsoft.us/.default',
      /Request the scope https:\/\/graph\.microsoft\.com\/\.default in the Commercial cloud/,
    ],
  ])('with %s refuses %s by its owner, before any request', async (name, foreign, message) => {
    const plan = createCredentialPlan(resolveCloudProfile({ name: name as CloudName, env: {} }), {
      ...secret,
      clientSecret: 's',
    })
    await expect((await createCredential(plan)).getToken(foreign)).rejects.toMatchObject(refused(message))
  })

  test.each(['', '/', '//'])(
    'takes an audience of another cloud that the profile names, with %j at its end',
    async (end) => {
      const { serviceAudiences, ...profile } = resolveCloudProfile({ env: {} })
      const own = { ...profile, serviceAudiences: { ...serviceAudiences, keyVault: 'https://vault.azure.net/' } }
      // A missing file ends the attempt before any request.
      const credential = await createCredential(createCredentialPlan(own, { ...secret, clientSecretPath: '/nowhere' }))
      await expect(credential.getToken(`https://vault.azure.net/${end}.default`)).rejects.toMatchObject({
        code: 'CREDENTIAL_FILE_UNREADABLE',
      })
    },
  )

  test('takes null for no options, as JavaScript may pass it', async () => {
    expect((await (await open()).getToken(scope(), null as never)).token).not.toBe('')
  })

  const listeners = { addEventListener() {}, removeEventListener() {} }
  test.each<[what: string, options: GetTokenOptions, code: string]>([
    ['an aborted signal of the platform', { abortSignal: AbortSignal.abort() }, 'TOKEN_CANCELLED'],
    ['an aborted signal of a library', { abortSignal: { aborted: true, ...listeners } }, 'TOKEN_CANCELLED'],
    ['what is not a signal', { abortSignal: 5 as never }, 'ARGUMENT_INVALID'],
    ['another tenant', { tenantId: '11111111-1111-4111-8111-111111111111' }, 'ARGUMENT_INVALID'],
  ])('with %s sends no request, also where the token is cached', async (_what, options, code) => {
    const credential = await open()
    await credential.getToken(scope())
    running.cloud.clearRequests()
    const message = expect.stringContaining(options.tenantId ?? '') as string
    await expect(credential.getToken(scope(), options)).rejects.toMatchObject({ code, message })
    expect(running.cloud.requests).toEqual([])
  })

  test.each([
    ['of the plan in other letter case', (tenant: string) => tenant.toUpperCase()],
    ['that is blank', () => ''],
  ])('takes a tenantId %s, which SDKs read from a challenge', async (_what, tenantOf) => {
    const { tenantId } = running.cloud
    const { token } = await (await open()).getToken(scope(), { tenantId: tenantOf(tenantId) })
    expect(decodeJwt(token)['tid']).toBe(tenantId)
  })
})

describe('An identity endpoint that the process does not have', () => {
  const identity = (endpoint: string) => ({ IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: 'header' })
  const elsewhere = 'http://127.0.0.1:9/'

  test.each([
    ['another IDENTITY_HEADER', { IDENTITY_HEADER: 'another' }, 'IDENTITY_HEADER'],
    ['no IDENTITY_HEADER', { IDENTITY_HEADER: '' }, 'IDENTITY_HEADER'],
    ['a thumbprint', { IDENTITY_SERVER_THUMBPRINT: 'ab' }, 'IDENTITY_SERVER_THUMBPRINT'],
    ['a secret', { MSI_SECRET: 'hunter2' }, 'MSI_SECRET'],
  ])('is refused by name with %s beside an equal host', async (_what, other, name) => {
    const own = identity(`${elsewhere}token`)
    for (const [variable, value] of Object.entries(own)) vi.stubEnv(variable, value)
    const env = { AUTH_MODE: 'managedIdentity', ...own, ...other }
    const plan = createCredentialPlan(running.cloud.profile, env)
    const credential = await createCredential(plan)
    const error: unknown = await credential.getToken(scope()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'MANAGED_IDENTITY_ENDPOINT_FIXED' })
    expect(String(error)).toContain(`another value of ${name} than the process`)
    expect(JSON.stringify([String(error), plan, inspect(plan)])).not.toMatch(/another"|hunter2|header"/)
  })
})

test('a reference in the file of the federated token is sent nowhere', async () => {
  const { cloud, files } = running
  const path = join(files.directory, 'reference')
  writeFileSync(path, '{{ token }}\n')
  const env = { ...cloud.environment('workloadIdentity', files), PLATFORM_FEDERATED_TOKEN_FILE: path }
  const credential = await createCredential(createCredentialPlan(cloud.profile, env))
  cloud.clearRequests()
  await expect(credential.getToken(scope())).rejects.toMatchObject({ code: 'REFERENCE_UNRESOLVED' })
  expect(cloud.requests).toEqual([])
})

describe('A rejected federated token', () => {
  const reject = async (mode: 'workloadIdentity' | 'default', number: number) => {
    const { cloud, files } = running
    await cloud.setFault({ kind: 'aadsts', number, error: 'invalid_client' }, 'login/token')
    const env = { ...cloud.environment('workloadIdentity', files), AUTH_MODE: mode }
    const credential = await createCredential(createCredentialPlan(cloud.profile, env))
    return credential.getToken(scope()).catch((error: unknown) => error)
  }

  test.each([
    ['workloadIdentity', 70021],
    ['default', 70021],
  ] as const)(
    'of mode %s (AADSTS%i) is explained by its issuer, subject and audience, without the token',
    async (mode, number) => {
      const error = await reject(mode, number)
      const assertion = readFileSync(running.files.federatedTokenPath, 'utf8').trim()
      const { iss, sub, aud } = decodeJwt(assertion)
      expect(error).toMatchObject({
        code: 'CLIENT_ASSERTION_REJECTED',
        evidence: { issuer: iss, subject: sub, assertionAudience: [aud].flat()[0] },
        message: expect.stringContaining(`issuer ${iss}, subject ${sub}, audience ${[aud].flat()[0]}`) as string,
      })
      for (const part of assertion.split('.')) expect(inspect(error, { depth: 10 })).not.toContain(part)
    },
  )

  test('of another reason has no such text', async () => {
    expect(String(await reject('workloadIdentity', 700016))).not.toContain('issuer')
  })
})
