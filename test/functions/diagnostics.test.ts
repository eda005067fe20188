import { describe, expect, test } from 'vitest'
import { visibleReport } from '../../src/functions/diagnostics.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useService, type ServedApp } from '../support/use-service.ts'

const directory = useTemporaryDirectory()
const reportOf = async (service: ServedApp, query = ''): Promise<DiagnosticsReport> =>
  (await (await service.request(`/api/diagnostics${query}`)).json()) as DiagnosticsReport
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('GET /api/diagnostics of a placeholder profile without credential variables', () => {
  const env = {
    ...offline,
    PLATFORM_CLIENT_ID: 'my-client',
    PLATFORM_SUBSCRIPTION_ID: 'my-subscription',
    PLATFORM_STORAGE_DNS_SUFFIX: '.blob.real.invalid',
  }
  const service = useService(env)

  test('it answers 200 and says that it failed: a failed token is a result, not an HTTP error', async () => {
    const response = await service().request('/api/diagnostics')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'failed', checkedAt: expect.stringMatching(dateTime) })
  })

  test('it describes the cloud that was detected and what was overridden', async () => {
    expect((await reportOf(service())).cloud).toEqual({
      name: 'platform-us-gov-secret',
      displayName: 'US Government Secret cloud',
      environment: 'usgovernmentsecret',
      authorityHost: 'https://login.secret.placeholder.invalid/',
      resourceManagerEndpoint: 'https://management.secret.placeholder.invalid/',
      resourceManagerAudience: 'https://management.secret.placeholder.invalid/',
      disableInstanceDiscovery: true,
      placeholder: true,
      source: { kind: 'built-in', name: 'platform-us-gov-secret' },
      selectedBy: 'PLATFORM_CLOUD',
      overrides: ['PLATFORM_STORAGE_DNS_SUFFIX'],
    })
  })

  test('placeholders are the error of the token, before variables that are missing, and only what does not derive is to be replaced', async () => {
    expect((await reportOf(service())).token).toEqual({
      status: 'failed',
      scope: 'https://management.secret.placeholder.invalid/.default',
      durationMs: expect.any(Number),
      cached: expect.any(Boolean),
      error: {
        code: 'PLACEHOLDER_PROFILE',
        message:
          'This profile contains placeholders; replace authorityHost, resourceManagerEndpoint, serviceDnsSuffixes.storage, serviceDnsSuffixes.keyVault, serviceDnsSuffixes.sqlServer, serviceDnsSuffixes.containerRegistry',
        cause: expect.stringMatching(/\w+/),
        fix: expect.stringMatching(/\w+/),
      },
    })
  })

  test('the placeholders are a warning that names the fields, and no host of them is contacted', async () => {
    const { warnings, checks } = await reportOf(service())
    expect(warnings).toContainEqual({ code: 'PLACEHOLDER_FIELD', message: expect.stringContaining('authorityHost') })
    expect(checks.filter(({ id, status }) => id !== 'token.acquired' && status !== 'skip')).toEqual([])
  })

  test('?explain=true adds the origin of every field, and nothing else does', async () => {
    const { fields } = await reportOf(service(), '?explain=true')
    expect(fields?.['authorityHost']?.from).toBe('built-in platform-us-gov-secret')
    expect(fields?.['serviceDnsSuffixes.storage']).toEqual({
      value: '.blob.real.invalid',
      by: 'variable',
      from: 'PLATFORM_STORAGE_DNS_SUFFIX',
      overridden: [
        { value: '.blob.secret.placeholder.invalid', by: 'profile', from: 'built-in platform-us-gov-secret' },
      ],
    })
    for (const query of ['', '?explain', '?explain=false', '?explain=1', '?Explain=true']) {
      expect(await reportOf(service(), query)).not.toHaveProperty('fields')
    }
  })
})

describe('GET /api/diagnostics of a custom file with a complete credential', () => {
  const document = unreachableDocument()
  const path = directory.write('custom.json', document)
  const service = useService({
    CUSTOM_CLOUD_PROFILE_PATH: path,
    AUTH_MODE: 'clientSecret',
    PLATFORM_CLIENT_ID: 'my-client',
    PLATFORM_CLIENT_SECRET: 'hunter2-hunter2',
    PLATFORM_AUTHORITY_HOST: 'https://unused.example/',
  })

  test('a placeholder authority fails the token at once, offline, and the fields to replace are listed', async () => {
    const { token, cloud, warnings } = await reportOf(service())
    expect(token.error).toMatchObject({
      code: 'PLACEHOLDER_PROFILE',
      message: expect.stringContaining('authorityHost'),
    })
    expect(cloud).toMatchObject({ source: { kind: 'file', path }, overrides: [] })
    expect(warnings).toContainEqual({
      code: 'OVERRIDE_UNUSED',
      message: expect.stringContaining('PLATFORM_AUTHORITY_HOST'),
    })
  })
})

const waiting = {
  status: 'pending',
  token: {
    status: 'pending',
    signIn: { userCode: 'ABCD', verificationUri: 'https://login.test/device', expiresOn: '' },
  },
} as unknown as DiagnosticsReport

test.each(['function', 'admin'] as const)('a pending code is shown with the access level %s', (httpAuthLevel) => {
  expect(visibleReport(waiting, { httpAuthLevel })).toBe(waiting)
})

test('a pending code is hidden with anonymous access', () => {
  const report = visibleReport(waiting, { httpAuthLevel: 'anonymous' })
  expect(report.token).toEqual({ status: 'pending' })
  expect(report.status).toBe('pending')
})
