import { describe, expect, test } from 'vitest'
import type { EnclaveAuthMode, FaultChoice } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import type { HealthReport } from '../../src/lib/service/health-report.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { openApp } from './call.ts'

const directory = useTemporaryDirectory()
const enclave = useEnclave()
const reportOf = async (app: ReturnType<typeof openApp>) =>
  (await app.call('/api/diagnostics'))?.json() as DiagnosticsReport

test('the timer checks the five built-in profiles and the active one, and health and diagnostics show the run', async () => {
  const app = openApp({ ...offline, SMOKE_TEST_CHECK_TOKEN: 'false' })
  expect(await app.runTimer()).toMatchObject({ error: undefined })
  const { smokeTest } = await reportOf(app)
  expect(smokeTest?.status).toBe('warn')
  expect(smokeTest?.results.map(({ profile, status }) => [profile, status])).toEqual([
    ['platform-commercial', 'pass'],
    ['platform-us-government', 'pass'],
    ['platform-us-gov-secret', 'pass'],
    ['platform-us-gov-topsecret', 'pass'],
    ['platformstack-custom', 'pass'],
    ['platform-us-gov-secret', 'warn'],
  ])
  const checks = { smokeTest: [{ time: smokeTest?.startedAt, output: 'warn' }] }
  expect((await app.call('/api/health'))?.json()).toMatchObject({ checks })
})

test('a custom file that becomes invalid fails the run, health by 503 and the report, and the resolved profile is still served', async () => {
  const path = directory.write('active.json', unreachableDocument())
  const app = openApp({ ...offline, CUSTOM_CLOUD_PROFILE_PATH: path })
  expect((await app.call('/api/health'))?.status).toBe(200)
  directory.write('active.json', unreachableDocument({ authorityHost: 'http://evil.example/' }))
  const { error, events } = await app.runTimer()
  expect(String(error)).toContain('Smoke test failed for active profile')
  const message = expect.stringContaining('authorityHost: must start with https://') as string
  expect(events.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'smoke-test.profile', profile: 'active profile', status: 'fail', code: 'PROFILE_INVALID', message },
    { event: 'smoke-test', status: 'fail' },
  ])
  const health = await app.call('/api/health')
  expect([health?.status, health?.type]).toEqual([503, 'application/health+json'])
  expect(health?.json()).toMatchObject({ status: 'fail', checks: { profile: [{ status: 'fail' }] } })
  expect((await app.call('/api/profile'))?.json()).toEqual(unreachableDocument())
  // The page must not be green while health says 503.
  const { status, checks, smokeTest } = await reportOf(app)
  expect(status).toBe('failed')
  expect(checks).toContainEqual(expect.objectContaining({ id: 'profile.valid', code: 'PROFILE_INVALID' }))
  expect(smokeTest?.results.at(-1)).toMatchObject({ profile: 'active profile', status: 'fail' })
})

describe('page, report, health and schedule agree', () => {
  const refused = { kind: 'refused' } as const
  test.each<[string, EnclaveAuthMode, FaultChoice | undefined, readonly (string | undefined)[]]>([
    ['nothing is wrong', 'clientSecret', undefined, ['OK', 'ok', '200 pass', 'pass', 'passed']],
    ['there is no token', 'clientSecret', refused, ['Failed', 'failed', '200 warn', 'fail', 'failed']],
    ['a person has to sign in', 'deviceCode', undefined, ['Waiting', 'pending', '200 warn', 'pass', 'passed']],
  ])('when %s', async (_state, mode, fault, expected) => {
    if (fault !== undefined) await enclave.cloud.setFault(fault, 'login')
    const app = openApp(enclave.cloud.environment(mode, enclave.files))
    await app.runTimer()
    const page = (await app.call('/'))?.body ?? ''
    const { status, smokeTest } = await reportOf(app)
    const health = await app.call('/api/health')
    const schedule = page.slice(page.indexOf('<details class="schedule"'))
    expect([
      /<title>(\w+)/.exec(page)?.[1],
      status,
      `${health?.status} ${(health?.json() as HealthReport | undefined)?.status}`,
      smokeTest?.status,
      />(passed|passed, with warnings|failed)<\/span>/.exec(schedule)?.[1],
    ]).toEqual(expected)
  })
})
