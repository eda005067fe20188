import { decodeJwt } from 'jose'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createCredential,
  createCredentialPlan,
  type LogEvent,
  resolveCloudProfile,
  scopeFor,
} from '../../../src/lib/index.ts'
import { useEnclave } from '../../support/use-enclave.ts'

const running = useEnclave()
const scope = () => scopeFor(running.cloud.resourceManagerAudience)
const planFor = (mode: 'clientSecret' | 'deviceCode', env = {}) =>
  createCredentialPlan(running.cloud.profile, { ...running.cloud.environment(mode), ...env })

afterEach(() => vi.restoreAllMocks())

describe('The deadline of a credential', () => {
  test('is PLATFORM_TOKEN_TIMEOUT_MS of the environment that the plan came from', async () => {
    // Loads the library, which must not take from a short deadline.
    await (await createCredential(planFor('clientSecret'))).getToken(scope())
    await running.cloud.setFault({ kind: 'silent' }, 'login')
    const plan = planFor('clientSecret', { PLATFORM_TOKEN_TIMEOUT_MS: '1000' })
    expect(plan.timeoutMs).toBe(1000)
    const credential = await createCredential(plan)
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

describe('A sign-in by device code', () => {
  test('is one line on stderr without it', async () => {
    const lines: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
      lines.push(String(line))
      running.cloud.approveDeviceCode(/code (\S+)/.exec(String(line))?.[1] ?? '')
      return true
    })
    const credential = await createCredential(planFor('deviceCode'))
    await credential.getToken(scope())
    expect(lines).toEqual([expect.stringMatching(/^To sign in, open https:\/\/\S+ and enter the code \S+\n$/)])
  })
})

describe('The log of a credential', () => {
  test('has the events of the service, without secrets', async () => {
    const { cloud } = running
    const events: LogEvent[] = []
    const log = (event: LogEvent) => events.push(event)
    await (await createCredential(planFor('clientSecret'), { log })).getToken(scope())
    const wrong = planFor('clientSecret', { PLATFORM_CLIENT_SECRET: 'planted-wrong-secret' })
    await expect((await createCredential(wrong, { log })).getToken(scope())).rejects.toThrow('invalid_client')
    let userCode = ''
    const onDeviceCode = (prompt: { readonly userCode: string }) =>
      cloud.approveDeviceCode((userCode = prompt.userCode))
    await (await createCredential(planFor('deviceCode'), { log, onDeviceCode })).getToken(scope())
    const { name: profile } = cloud.profile
    const durationMs = expect.any(Number) as number
    const token = { event: 'token', profile, scope: scope(), cached: false, durationMs }
    const message = expect.stringContaining('https:') as string
    expect(events).toEqual([
      { ...token, level: 'info', status: 'acquired' },
      { ...token, level: 'error', status: 'failed', code: 'CLIENT_SECRET_INVALID' },
      { level: 'warning', event: 'sign-in', profile, status: 'pending', message },
      { ...token, level: 'info', status: 'acquired' },
    ])
    const text = JSON.stringify(events)
    expect(text).not.toContain(userCode)
    expect(text).not.toContain('planted')
  })
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

  test.each([
    ['throws', (): void => fail('throws')],
    ['rejects', async (): Promise<void> => fail('rejects')],
  ])('log that %s costs no token, and is a warning of the process', async (how, log) => {
    const warned = nextWarning()
    const credential = await createCredential(planFor('clientSecret'), { log })
    expect((await credential.getToken(scope())).token).not.toBe('')
    expect(await warned).toBe(`The log of a credential failed: Error: a callback that ${how}`)
  })

  test.each([
    ['throws', (): void => fail('throws')],
    ['rejects', async (): Promise<void> => fail('rejects')],
  ])('onDeviceCode that %s ends the attempt with its reason', async (how, onDeviceCode) => {
    const credential = await createCredential(planFor('deviceCode'), { onDeviceCode })
    await expect(credential.getToken(scope())).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: `onDeviceCode failed before a person could sign in: Error: "a callback that ${how}"`,
    })
  })

  const fail = (how: string): never => {
    throw new Error(`a callback that ${how}`)
  }
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
    const credential = await createCredential(planFor('clientSecret'))
    await expect(credential.getToken(scopes as string)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringMatching(/^scopes must be an audience followed by "\.default"/) as string,
    })
  })

  test.each([
    ['platform-us-government', 'https://vault.azure.net/.default', /for keyVault of another cloud \(.*\)/],
    ['platform-us-government', 'https://vault.azure.net//.default', /for keyVault of another cloud \(.*\)/],
    ['platform-commercial', 'https://graph.microsoft.us/.default', /for microsoftGraph of another cloud/],
  ])('with %s refuses %s by its owner, before any request', async (name, foreign, message) => {
    const secret = { mode: 'clientSecret', clientId: 'c', tenantId: 't', clientSecret: 's' } as const
    const credential = await createCredential(createCredentialPlan(resolveCloudProfile({ name, env: {} }), secret))
    await expect(credential.getToken(foreign)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringMatching(message) as string,
    })
  })

  test.each(['', '/', '//'])(
    'takes an audience of another cloud that the profile names, with %j at its end',
    async (end) => {
      const { serviceAudiences, ...profile } = resolveCloudProfile({ env: {} })
      const own = { ...profile, serviceAudiences: { ...serviceAudiences, keyVault: 'https://vault.azure.net/' } }
      // A missing file ends the attempt before any request.
      const secret = { mode: 'clientSecret', clientId: 'c', tenantId: 't', clientSecretPath: '/nowhere' } as const
      const credential = await createCredential(createCredentialPlan(own, secret))
      await expect(credential.getToken(`https://vault.azure.net/${end}.default`)).rejects.toMatchObject({
        code: 'CREDENTIAL_FILE_UNREADABLE',
      })
    },
  )

  test('takes null for no options, as JavaScript may pass it, and refuses what is no signal', async () => {
    const credential = await createCredential(planFor('clientSecret'))
    expect((await credential.getToken(scope(), null as never)).token).not.toBe('')
    await expect(credential.getToken(scope(), { abortSignal: 5 as never })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
    })
  })

  const aborted = { aborted: true, addEventListener() {}, removeEventListener() {} }
  test.each([
    ['of the platform', AbortSignal.abort()],
    ['of a library', aborted],
  ])('with an aborted signal %s is canceled, also where the token is cached', async (_what, abortSignal) => {
    const credential = await createCredential(planFor('clientSecret'))
    await credential.getToken(scope())
    running.cloud.clearRequests()
    await expect(credential.getToken(scope(), { abortSignal })).rejects.toMatchObject({ code: 'TOKEN_CANCELLED' })
    expect(running.cloud.requests).toEqual([])
  })

  test.each([
    ['of the plan in other letter case', (tenant: string) => tenant.toUpperCase()],
    ['that is blank', () => ''],
  ])('takes a tenantId %s, which SDKs read from a challenge', async (_what, tenantOf) => {
    const { cloud } = running
    const credential = await createCredential(planFor('clientSecret'))
    const { token } = await credential.getToken(scope(), { tenantId: tenantOf(cloud.tenantId) })
    expect(decodeJwt(token)['tid']).toBe(cloud.tenantId)
  })

  test('refuses another tenant by name, before any request', async () => {
    const credential = await createCredential(planFor('clientSecret'))
    const tenantId = '11111111-1111-4111-8111-111111111111'
    running.cloud.clearRequests()
    await expect(credential.getToken(scope(), { tenantId })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining(tenantId) as string,
    })
    expect(running.cloud.requests).toEqual([])
  })
})

describe('The identity endpoint of another environment than that of the process', () => {
  const identity = (endpoint: string) => ({ IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: 'header' })
  const elsewhere = 'http://127.0.0.1:9/'
  afterEach(() => vi.unstubAllEnvs())

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
    ['workloadIdentity', 700024],
    ['default', 70021],
  ] as const)(
    'of mode %s (AADSTS%i) is explained by its issuer, subject and audience, without the token',
    async (mode, number) => {
      const error = await reject(mode, number)
      const assertion = readFileSync(running.files.federatedTokenPath, 'utf8').trim()
      const { iss, sub, aud } = decodeJwt(assertion)
      expect(error).toMatchObject({
        code: 'CLIENT_ASSERTION_REJECTED',
        evidence: { assertionIssuer: iss, assertionSubject: sub, assertionAudience: [aud].flat()[0] },
        message: expect.stringContaining(`issuer ${iss}, subject ${sub}, audience ${[aud].flat()[0]}`) as string,
      })
      for (const part of assertion.split('.')) expect(inspect(error, { depth: 10 })).not.toContain(part)
    },
  )

  test('of another reason has no such text', async () => {
    expect(String(await reject('workloadIdentity', 700016))).not.toContain('issuer')
  })
})
