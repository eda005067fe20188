import { describe, expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useService, type LogLine, type ServedApp } from '../support/use-service.ts'

const directory = useTemporaryDirectory()
const trigger = (service: ServedApp) =>
  service.request('/admin/functions/smokeTest', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":""}',
  })

/** The events of the service, as its log has them. */
const eventsOf = (service: ServedApp) =>
  service.logs
    .filter(({ category, functionName }) => category === 'app' && functionName === 'smokeTest')
    .map(({ level, message }) => ({ level, ...(JSON.parse(message) as { event: string; status: string }) }))

const isSummary = ({ message }: LogLine) => message.includes('"event":"smoke-test",')

describe('The timer, run by hand', () => {
  const service = useService({ ...offline, SMOKE_TEST_CHECK_TOKEN: 'false' })

  test('it answers 202, and then health and diagnostics show the run', async () => {
    expect((await trigger(service())).status).toBe(202)
    await service().logged(isSummary)
    const health = await (await service().request('/api/health')).json()
    const { smokeTest } = (await (await service().request('/api/diagnostics')).json()) as DiagnosticsReport
    expect(smokeTest?.status).toBe('warn')
    expect(smokeTest?.results.map(({ profile, status }) => [profile, status])).toEqual([
      ['platform-commercial', 'pass'],
      ['platform-us-government', 'pass'],
      ['platform-us-gov-secret', 'pass'],
      ['platform-us-gov-topsecret', 'pass'],
      ['platformstack-custom', 'pass'],
      ['platform-us-gov-secret', 'warn'],
    ])
    expect(health).toMatchObject({ checks: { smokeTest: [{ time: smokeTest?.startedAt, output: 'warn' }] } })
  })
})

describe('A custom file that becomes invalid while the service runs', () => {
  const path = directory.write('active.json', unreachableDocument())
  const service = useService({ ...offline, CUSTOM_CLOUD_PROFILE_PATH: path })

  test('the run fails, health becomes fail with 503, and the resolved profile is still served', async () => {
    expect((await service().request('/api/health')).status).toBe(200)
    directory.write('active.json', unreachableDocument({ authorityHost: 'http://evil.example/' }))
    expect((await trigger(service())).status).toBe(202)
    const failure = await service().logged(
      ({ category, level, message }) => category !== 'user' && level === 'error' && message.includes('smokeTest'),
    )
    expect(failure.message).toContain('Smoke test failed for active profile')

    const health = await service().request('/api/health')
    expect(health.status).toBe(503)
    expect(health.headers.get('content-type')).toBe('application/health+json')
    expect(await health.json()).toMatchObject({ status: 'fail', checks: { profile: [{ status: 'fail' }] } })

    const failed = eventsOf(service()).filter(({ level }) => level === 'error')
    expect(failed).toEqual([
      expect.objectContaining({
        event: 'smoke-test.profile',
        profile: 'active profile',
        status: 'fail',
        code: 'PROFILE_INVALID',
        message: expect.stringContaining('authorityHost: must start with https://'),
      }),
      expect.objectContaining({ event: 'smoke-test', status: 'fail' }),
    ])
    expect(await (await service().request('/api/profile')).json()).toEqual(unreachableDocument())
    const report = (await (await service().request('/api/diagnostics')).json()) as DiagnosticsReport
    const { smokeTest } = report
    // The page must not be green while health says 503.
    expect(report.status).toBe('failed')
    expect(report.checks).toContainEqual(expect.objectContaining({ id: 'profile.valid', code: 'PROFILE_INVALID' }))
    expect(smokeTest?.results.at(-1)).toMatchObject({ profile: 'active profile', status: 'fail' })
  })
})
