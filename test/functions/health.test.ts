import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EnclaveAuthMode, FaultChoice } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import type { HealthReport } from '../../src/lib/service/health-report.ts'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { chunkOf } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { serveApp, useService } from '../support/use-service.ts'
import { openApp } from './call.ts'

const service = useService(offline)
const directory = useTemporaryDirectory()
const enclave = useEnclave()
const health = async () => (await service().request('/api/health')).json()
const reportOf = async (app: ReturnType<typeof openApp>) =>
  (await app.call('/api/diagnostics'))?.json() as DiagnosticsReport

test('health names the missing variables of the credential from the start, and requests no token itself', async () => {
  const output =
    'CREDENTIAL_SETTING_MISSING: AUTH_MODE clientSecret needs PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, which are not set'
  const token = [{ status: 'warn', output }]
  const smokeTest = [{ status: 'pass', output: 'No scheduled run since the start of this process' }]
  expect(await health()).toMatchObject({ status: 'warn', checks: { token, smokeTest }, version: '2.0.0' })
  await service().request('/api/diagnostics')
  expect(await health()).toMatchObject({ status: 'warn', checks: { token } })
})

const keep = (length: (text: string) => number) => (path: string, text: string) =>
  writeFileSync(path, text.slice(0, length(text)))

test.each<[part: string, fault: string, route: string, happen: (path: string, text: string) => void]>([
  ['diagnostics', 'is missing', '/api/diagnostics', (path) => rmSync(path)],
  ['lint-profile', 'is cut in half', '/api/diagnostics', keep((text) => text.length / 2)],
  ['page', 'lost all but its first words', '/', keep((text) => text.indexOf(';') + 1)],
  ['metrics', 'is empty', '/api/metrics', keep(() => 0)],
])('an instance is alive, not ready while %s %s, and heals', async (part, _fault, route, happen) => {
  const app = join(directory.path, part)
  cpSync(builtService().deployable, app, { recursive: true })
  const chunk = chunkOf(app, part)
  const text = readFileSync(chunk, 'utf8')
  happen(chunk, text)
  const broken = await serveApp(offline, { directory: app })
  onTestFinished(() => broken.close())
  const statuses = async () =>
    Promise.all(['/api/health', '/api/health?ready', route].map(async (path) => (await broken.request(path)).status))
  expect(await statuses()).toEqual([200, 503, 500])
  writeFileSync(chunk, text)
  expect(await statuses()).toEqual([200, 200, 200])
})

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
  const failed = { profile: 'active profile', status: 'fail' }
  const message = /authorityHost: must start with https:\/\//
  expect(events.filter(({ level }) => level === 'error')).toMatchObject([
    { ...failed, event: 'smoke-test.profile', code: 'PROFILE_INVALID', message },
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
  expect(smokeTest?.results.at(-1)).toMatchObject(failed)
})

describe('page, report, health and schedule agree', () => {
  const refused = { kind: 'refused' } as const
  test.each<[string, EnclaveAuthMode, FaultChoice | undefined, readonly (string | undefined)[]]>([
    ['nothing is wrong', 'clientSecret', undefined, ['OK', 'ok', '200 pass', 'pass', 'passed']],
    ['there is no token', 'clientSecret', refused, ['Failed', 'failed', '200 warn', 'fail', 'failed']],
    ['a person has to sign in', 'deviceCode', undefined, ['Waiting', 'pending', '200 warn', 'pass', 'passed']],
  ])('when %s', async (_state, mode, fault, expected) => {
    await enclave.cloud.setFault(fault, 'login')
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
