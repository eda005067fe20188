import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode, Fault } from '../../src/enclave/enclave.ts'
import { countRequests, diagnose, useEnclaveService } from '../support/serve-enclave.ts'

const open = useEnclaveService()

const failing = (checks: readonly { readonly id: string; readonly status: string }[]) =>
  checks.filter(({ status }) => status === 'fail' || status === 'warn').map(({ id }) => id)

const modes = [
  'clientSecret',
  'clientCertificate',
  'workloadIdentity',
  'usernamePassword',
  'managedIdentity',
  'default',
] as const satisfies readonly EnclaveAuthMode[]

describe('the service in the enclave', () => {
  test.each(modes)('acquires a token with %s, and all is ok', async (mode) => {
    const { serve, enclave } = await open()
    const report = await diagnose(await serve(mode))
    expect(failing(report.checks)).toEqual([])
    expect(report).toMatchObject({
      status: 'ok',
      authMode: mode,
      token: { status: 'acquired', scope: `${enclave.resourceManagerAudience}.default`, cached: false },
      warnings: [],
    })
    expect(report.checks).toContainEqual(
      expect.objectContaining({ id: 'resource-manager.accepts-token', status: 'pass' }),
    )
  })

  test('acquires a token from a federation service', async () => {
    const { serve } = await open({ federationService: true })
    const report = await diagnose(await serve('clientSecret'))
    expect(report).toMatchObject({ token: { status: 'acquired' }, cloud: { disableInstanceDiscovery: true } })
    expect(failing(report.checks)).toEqual([])
  })

  test('lists the requests of the attempt without their content', async () => {
    const { serve, enclave } = await open()
    const { token } = await diagnose(await serve('clientSecret'))
    const host = new URL(enclave.authorityHost).host
    expect(token.trace).toEqual([
      {
        step: 'openid-configuration',
        method: 'GET',
        host,
        path: expect.stringMatching(/openid-configuration$/),
        outcome: 'ok',
        status: 200,
        durationMs: expect.any(Number),
      },
      {
        step: 'token',
        method: 'POST',
        host,
        path: expect.stringMatching(/token$/),
        outcome: 'ok',
        status: 200,
        durationMs: expect.any(Number),
      },
    ])
  })

  test('does not show a token for another audience to the resource manager', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'wrong-audience' }, 'login/token')
    const { checks } = await diagnose(await serve('clientSecret'))
    expect(checks).toContainEqual(expect.objectContaining({ id: 'resource-manager.accepts-token', status: 'skip' }))
    // The challenge is asked for without a token, and answered with 401; nothing else asks for subscriptions.
    expect(enclave.requests.filter(({ path }) => path === '/subscriptions')).toHaveLength(1)
  })

  test('identifies itself by the claims of its token', async () => {
    const { serve, enclave } = await open()
    const { identity } = await diagnose(await serve('clientSecret'))
    expect(identity).toMatchObject({
      tenantId: enclave.tenantId,
      clientId: enclave.clientId,
      subscriptionId: enclave.subscriptionId,
      objectId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
  })

  test('two hundred requests at once on a cold process ask the authority for one token', async () => {
    const { serve, enclave } = await open()
    const service = await serve('clientSecret')
    const reports = await Promise.all(Array.from({ length: 200 }, () => diagnose(service)))
    expect(new Set(reports.map(({ token }) => token.status))).toEqual(new Set(['acquired']))
    expect(countRequests(enclave, /\/oauth2\/v2\.0\/token$/)).toBe(1)
    expect(countRequests(enclave, /openid-configuration$/)).toBe(1)
  })

  test('a second request reuses token and checks', async () => {
    const { serve, enclave } = await open()
    const service = await serve('clientSecret')
    await diagnose(service)
    const before = enclave.requests.length
    expect(await diagnose(service)).toMatchObject({ status: 'ok', token: { cached: true } })
    expect(enclave.requests).toHaveLength(before)
  })

  test('the other routes answer at once while an attempt hangs', async () => {
    const { serve, enclave } = await open()
    const service = await serve('clientSecret')
    await enclave.setFault({ kind: 'silent' }, 'login')
    let hangs = true
    // The service closes with the attempt open.
    const asked = diagnose(service).finally(() => (hangs = false))
    asked.catch(() => {})
    await enclave.waitForRequest(({ role }) => role === 'login')
    for (let round = 0; round < 10; round++) await service.request(round % 2 === 0 ? '/api/profile' : '/api/health')
    expect(hangs).toBe(true)
  })

  test('takes the audience from live metadata if PLATFORM_DISCOVER_AUDIENCE is true', async () => {
    const { serve, enclave } = await open()
    const report = await diagnose(await serve('clientSecret', { PLATFORM_DISCOVER_AUDIENCE: 'true' }))
    expect(report.token).toMatchObject({ status: 'acquired', scope: `${enclave.resourceManagerAudience}.default` })
    expect(enclave.requests.some(({ path }) => path === '/metadata/endpoints')).toBe(true)
  })

  test('a failing discovery of the audience is an error, never a silent default', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'html' }, 'resource-manager/metadata')
    const report = await diagnose(await serve('clientSecret', { PLATFORM_DISCOVER_AUDIENCE: 'true' }))
    expect(report.token).toMatchObject({ status: 'failed', error: { code: 'METADATA_RESPONSE_INVALID' } })
    expect(countRequests(enclave, /\/token$/)).toBe(0)
  })

  test.each([
    ['AZURE_AUTHORITY_HOST', 'https://evil.example/'],
    ['AZURE_TOKEN_CREDENTIALS', 'dev'],
  ])('%s has no effect but a warning', async (name, value) => {
    const { serve, enclave } = await open()
    const report = await diagnose(await serve('clientSecret', { [name]: value }))
    expect(report).toMatchObject({ status: 'warning', token: { status: 'acquired' } })
    expect(report.warnings).toContainEqual({
      code: 'LIBRARY_VARIABLE_IGNORED',
      message: expect.stringContaining(name) as string,
    })
    expect(enclave.foreign.received).toEqual([])
  })

  test('a token endpoint on another host is followed only when the operator lists it', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'foreign-token-endpoint' })
    const foreign = new URL(enclave.foreign.origin).host
    expect(await diagnose(await serve('clientSecret'))).toMatchObject({
      token: { error: { code: 'TOKEN_ENDPOINT_FOREIGN' } },
    })
    expect(enclave.foreign.received).toEqual([])
    await diagnose(await serve('clientSecret', { PLATFORM_ALLOWED_TOKEN_HOSTS: foreign }))
    expect(enclave.foreign.received).not.toEqual([])
  })
})

describe('signing in with a device code', () => {
  test('is pending until the person approves, and one sign-in serves all who ask', async () => {
    const { serve, enclave } = await open()
    const service = await serve('deviceCode')
    const [first, second] = await Promise.all([diagnose(service), diagnose(service)])
    expect(first).toMatchObject({ status: 'pending', token: { status: 'pending' } })
    expect(second.token.signIn).toEqual(first.token.signIn)
    expect(countRequests(enclave, /devicecode$/)).toBe(1)
    enclave.approveDeviceCode(first.token.signIn?.userCode ?? '')
    await expect.poll(async () => (await diagnose(service)).status, { interval: 200 }).toBe('ok')
  })

  test('is failed when the person declines, and no new one starts at once', async () => {
    const { serve, enclave } = await open()
    const service = await serve('deviceCode')
    const { token } = await diagnose(service)
    enclave.declineDeviceCode(token.signIn?.userCode ?? '')
    await expect
      .poll(async () => (await diagnose(service)).token.error?.code, { interval: 200 })
      .toBe('DEVICE_CODE_DECLINED')
    expect(countRequests(enclave, /devicecode$/)).toBe(1)
  })

  test('is failed when it expires', async () => {
    const { serve, enclave } = await open()
    const service = await serve('deviceCode')
    const { token } = await diagnose(service)
    enclave.expireDeviceCode(token.signIn?.userCode ?? '')
    await expect
      .poll(async () => (await diagnose(service)).token.error?.code, { interval: 200 })
      .toBe('DEVICE_CODE_EXPIRED')
  })

  test('an authority that names no interval is polled every 5 seconds', async () => {
    const { serve, enclave } = await open()
    await enclave.setFault({ kind: 'device-missing-interval' }, 'login/device-code')
    const service = await serve('deviceCode')
    const started = performance.now()
    const { token } = await diagnose(service)
    expect(token.status).toBe('pending')
    await enclave.waitForRequest(({ path }) => path.endsWith('/token'))
    for (let asked = 0; asked < 10; asked++) await diagnose(service)
    // A busy machine may take longer than one interval.
    const polls = countRequests(enclave, /\/token$/)
    expect(polls).toBeLessThanOrEqual(1 + Math.floor((performance.now() - started) / 4900))
  })

  test.each([{ kind: 'html' }, { kind: 'aadsts', number: 700016 }] satisfies Fault[])(
    '$kind ends it at once',
    async (fault) => {
      const { serve, enclave } = await open()
      await enclave.setFault(fault, 'login/device-code')
      const report = await diagnose(await serve('deviceCode'))
      const codes = ['AUTHORITY_RESPONSE_INVALID', 'CLIENT_UNKNOWN']
      expect(codes).toContain(report.token.error?.code)
      expect(countRequests(enclave, /devicecode$/)).toBe(1)
      expect(countRequests(enclave, /\/token$/)).toBe(0)
    },
  )
})
