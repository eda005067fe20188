import { deepFreeze } from '../../../src/lib/base/json.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LogEvent } from '../../../src/lib/base/app.ts'
import { ServiceError } from '../../../src/lib/errors.ts'
import { reportHealth } from '../../../src/lib/service/health.ts'
import { createService } from '../../../src/lib/service/service.ts'
import { offline } from '../../support/environment.ts'
import { errorOf } from '../../support/error-of.ts'
import { profileDocument } from '../../support/profile-document.ts'
import { useTemporaryDirectory } from '../../support/temporary-directory.ts'

const directory = useTemporaryDirectory()
const silent = () => {}
const unattended = { ...offline, AUTH_MODE: 'managedIdentity', SMOKE_TEST_CHECK_TOKEN: 'false' }

describe('createService', () => {
  test('it reads settings and profile from the environment it is given, and changes nothing there', () => {
    const { settings, cloud } = createService(deepFreeze({ ...offline, PORT: '8080' }))
    expect(settings).toMatchObject({ authMode: 'clientSecret', port: 8080 })
    expect(cloud.profile.name).toBe('platform-us-gov-secret')
  })

  test.each([
    ['a setting', { PORT: 'x' }, 'SETTING_INVALID'],
    ['an override', { PLATFORM_AUTHORITY_HOST: 'x' }, 'PROFILE_INVALID'],
    ['a name', { PLATFORM_CLOUD: 'x' }, 'UNSUPPORTED_CLOUD'],
    ['a file', { CUSTOM_CLOUD_PROFILE_PATH: '/dev/null' }, 'PROFILE_UNREADABLE'],
  ])('%s that is wrong fails the start', (_what, env, code) => {
    expect(errorOf(() => createService(env)).code).toBe(code)
  })

  test.each([
    ['a misspelled variable', { PLATFORM_AUTHORTY_HOST: 'x' }],
    ['a tenant that no authority knows', { PLATFORM_TENANT_ID: 'my-tenant' }],
    ['a key vault audience of another cloud', { PLATFORM_KEYVAULT_AUDIENCE: 'https://vault.azure.net/' }],
  ])('%s is a warning of health, of the scheduled run and of the report alike', async (_what, variables) => {
    const env = { ...unattended, PLATFORM_CLOUD: 'platform-us-government' }
    const quiet = createService(env)
    expect([await quiet.warnings(), (await quiet.health()).status]).toEqual([[], 'pass'])
    const service = createService({ ...env, ...variables })
    expect(await service.warnings()).toHaveLength(1)
    expect(await service.health()).toMatchObject({ status: 'warn', checks: { profile: [{ status: 'warn' }] } })
    expect((await service.runSmokeTest(silent)).results.at(-1)?.warnings).toEqual(await service.warnings())
  })
})

test('The log of a service: an event goes to the invocation that is under way, not to the first there was', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = createService(offline)
  const logs: (LogEvent | string)[][] = [[], []]
  for (const log of logs) {
    const diagnostics = await service.diagnostics((event) => log.push(event))
    await diagnostics.report()
    vi.advanceTimersByTime(60_000)
  }
  const failed = expect.objectContaining({ event: 'token', status: 'failed', code: 'PLACEHOLDER_PROFILE' })
  expect(logs).toEqual([[failed], [failed]])
})

describe('The scheduled smoke test of a service', () => {
  test('a run that dies replaces the last one as failed', async () => {
    let isBroken = false
    const get = (target: NodeJS.ProcessEnv, name: string | symbol) => {
      if (isBroken) throw new RangeError('broken')
      return Reflect.get(target, name) as string
    }
    const service = createService(new Proxy<NodeJS.ProcessEnv>({ ...unattended }, { get }))
    await service.runSmokeTest(silent)
    expect((await service.health()).checks.smokeTest).toMatchObject([{ output: 'warn' }])
    isBroken = true
    await expect(service.runSmokeTest(silent)).rejects.toThrow(RangeError)
    expect(await service.health()).toMatchObject({ checks: { smokeTest: [{ status: 'warn', output: 'fail' }] } })
    isBroken = false
    const { smokeTest } = await service.cachedState(silent)
    expect(smokeTest?.results).toMatchObject([{ profile: 'platform-us-gov-secret', status: 'fail' }])
  })

  test('it requests a token unless SMOKE_TEST_CHECK_TOKEN is false', async () => {
    const idsOf = async (env: Record<string, string>) => {
      const { results } = await createService({ ...offline, ...env }).runSmokeTest(silent)
      return results.at(-1)?.checks.map(({ id }) => id)
    }
    expect(await idsOf({ SMOKE_TEST_CHECK_TOKEN: 'false' })).toEqual(['profile.valid'])
    expect(await idsOf({})).toContain('token.acquired')
  })

  test('an active profile that becomes invalid fails health until it is valid again', async () => {
    const path = directory.write('active.json', profileDocument())
    const service = createService({ ...unattended, CUSTOM_CLOUD_PROFILE_PATH: path })
    await service.runSmokeTest(silent)
    expect((await service.health()).status).toBe('pass')
    directory.write('active.json', '{')
    expect((await service.runSmokeTest(silent)).status).toBe('fail')
    expect((await service.health()).status).toBe('fail')
    directory.write('active.json', profileDocument())
    await service.runSmokeTest(silent)
    expect((await service.health()).status).toBe('pass')
  })

  test('a profile file that changes under the service is a warning of the report until it restarts', async () => {
    const path = directory.write('changed.json', profileDocument())
    const service = createService({ AUTH_MODE: 'clientSecret', CUSTOM_CLOUD_PROFILE_PATH: path })
    directory.write('changed.json', profileDocument({ displayName: 'Another name' }))
    const report = await (await service.diagnostics(silent)).report()
    const changed = { id: 'profile.valid', status: 'warn', code: 'PROFILE_FILE_CHANGED' }
    expect(report.checks).toContainEqual(expect.objectContaining(changed))
    expect(report.cloud.displayName).not.toBe('Another name')
  })
})

const sound = { profile: 'platform-us-government', warnings: [], profileInvalid: false }
test.each([
  ['acquired', 'pass', 'acquired'],
  ['pending', 'warn', 'pending'],
  ['failed', 'warn', 'TOKEN_TIMEOUT'],
] as const)('a token that is %s is %s of health', (status, expected, output) => {
  const token = { status, ...(status === 'failed' && { error: new ServiceError('TOKEN_TIMEOUT', 'x') }) }
  const report = reportHealth({ ...sound, token })
  expect([report.status, report.checks.token]).toEqual([expected, [{ status: expected, output }]])
})

test('a diagnostics run that found something wrong is a warning, whatever the token', () => {
  const checkedAt = '2026-11-21T02:10:00.000Z'
  const healthOf = (token: 'acquired' | 'pending', status: 'ok' | 'failed' | 'pending') =>
    reportHealth({ ...sound, token: { status: token }, report: { status, checkedAt } })
  const diagnostics = [{ status: 'warn', time: checkedAt, output: 'failed' }]
  expect(healthOf('acquired', 'failed')).toMatchObject({ status: 'warn', checks: { diagnostics } })
  for (const status of ['ok', 'pending'] as const) expect(healthOf('acquired', status).status).toBe('pass')
  expect(healthOf('pending', 'pending').status).toBe('warn')
})
