import { describe, expect, test } from 'vitest'
import { visibleReport } from '../../src/functions/app.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { callerOf } from './call.ts'

const directory = useTemporaryDirectory()

describe('GET /api/diagnostics of a placeholder profile without credential variables', () => {
  const call = callerOf({ ...offline, PLATFORM_STORAGE_DNS_SUFFIX: '.blob.real.invalid' })
  const reportOf = async (query = '') => (await call(`/api/diagnostics${query}`))?.json() as DiagnosticsReport

  test('responds 200 with a failed status: a failed token is a result, not an HTTP error', async () => {
    expect((await call('/api/diagnostics'))?.status).toBe(200)
    const checkedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
    expect(await reportOf()).toMatchObject({ status: 'failed', checkedAt })
  })

  test('describes the cloud that was detected and what was overridden', async () => {
    expect((await reportOf()).cloud).toMatchObject({
      name: 'platform-us-gov-secret',
      placeholder: true,
      source: { kind: 'built-in', name: 'platform-us-gov-secret' },
      selectedBy: 'PLATFORM_CLOUD',
      overrides: ['PLATFORM_STORAGE_DNS_SUFFIX'],
    })
  })

  test('names the placeholders before missing variables, only fields that nothing derives, and contacts no host of them', async () => {
    const { token, warnings, checks } = await reportOf()
    expect(token).toMatchObject({
      status: 'failed',
      error: {
        code: 'PLACEHOLDER_PROFILE',
        message:
          'This profile contains placeholders; replace authorityHost, resourceManagerEndpoint, serviceDnsSuffixes.storage, serviceDnsSuffixes.keyVault, serviceDnsSuffixes.sqlServer, serviceDnsSuffixes.containerRegistry',
      },
    })
    expect(warnings).toContainEqual({
      code: 'PLACEHOLDER_FIELD',
      message: expect.stringContaining('authorityHost'),
      commands: expect.objectContaining({ length: 6 }),
    })
    expect(checks.filter(({ id, status }) => id !== 'token.acquired' && status !== 'skip')).toEqual([])
  })

  test('?explain=true adds the origin of every field, and nothing else does', async () => {
    const { fields } = await reportOf('?explain=true')
    const built = { by: 'profile', from: 'built-in platform-us-gov-secret' }
    expect(fields?.['authorityHost']).toMatchObject(built)
    expect(fields?.['serviceDnsSuffixes.storage']).toEqual({
      value: '.blob.real.invalid',
      by: 'variable',
      from: 'PLATFORM_STORAGE_DNS_SUFFIX',
      overridden: [{ ...built, value: '.blob.secret.placeholder.invalid' }],
    })
    for (const query of ['', '?explain', '?explain=false', '?explain=1', '?Explain=true'])
      expect(await reportOf(query)).not.toHaveProperty('fields')
  })
})

test('the report of a custom file names the file, and the overrides that it does not use', async () => {
  const path = directory.write('custom.json', unreachableDocument())
  const env = { CUSTOM_CLOUD_PROFILE_PATH: path, PLATFORM_AUTHORITY_HOST: 'https://unused.example/' }
  const report = (await callerOf({ ...offline, ...env })('/api/diagnostics'))?.json() as DiagnosticsReport
  expect(report.cloud).toMatchObject({ source: { kind: 'file', path }, overrides: [] })
  const message = expect.stringContaining('PLATFORM_AUTHORITY_HOST') as string
  expect(report.warnings).toContainEqual({ code: 'OVERRIDE_UNUSED', message })
})

const waiting = {
  status: 'pending',
  token: {
    status: 'pending',
    signIn: { userCode: 'ABCD', verificationUri: 'https://login.test/device', expiresOn: '' },
  },
} as unknown as DiagnosticsReport

test('a pending code is shown with a key, and hidden with anonymous access', () => {
  for (const httpAuthLevel of ['function', 'admin'] as const)
    expect(visibleReport(waiting, { httpAuthLevel })).toBe(waiting)
  const report = visibleReport(waiting, { httpAuthLevel: 'anonymous' })
  expect(report).toEqual({ status: 'pending', token: { status: 'pending' } })
})
