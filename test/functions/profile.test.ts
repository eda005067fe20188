import type { Warning } from '../../src/lib/errors.ts'
import { describe, expect, test } from 'vitest'
import { servicesOf } from '../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { callerOf } from './call.ts'

const directory = useTemporaryDirectory()

describe('GET /api/profile', () => {
  const env = { ...offline, PLATFORM_STORAGE_DNS_SUFFIX: '.blob.real.invalid', PLATFORM_TENANT_ID: 'real.example' }
  const call = callerOf(env)

  test('it is the whole resolved profile, with its fields in their order', async () => {
    const profile = (await call('/api/profile'))?.json() as object
    expect(profile).toEqual(resolveCloudProfile({ env }))
    expect(Object.keys(profile)).toEqual(Object.keys(resolveCloudProfile({ env })))
    expect(Object.keys(profile).slice(0, 2)).toEqual(['name', 'displayName'])
  })

  test('saved, it resolves to the same profile as a custom file, without a further warning', async () => {
    const saved = directory.write('saved.json', (await call('/api/profile'))?.body)
    const { profile, warnings } = explainProfile({ customProfilePath: saved, env: {} })
    expect(profile).toEqual(resolveCloudProfile({ env }))
    expect(servicesOf(profile)).toEqual(servicesOf(resolveCloudProfile({ env })))
    const codesOf = (all: readonly Warning[]) => all.map(({ code }) => code)
    expect(codesOf(warnings)).toEqual(codesOf(explainProfile({ env }).warnings))
  })
})

test('HTML in displayName and notes is text in the JSON, which no browser takes for a page', async () => {
  const hostile = {
    displayName: `</title></script><script>alert('displayName')</script><img src=x onerror=alert(1)>`,
    notes: `"><svg/onload=alert('notes')> & {{7*7}} \u202E <!-- ]]> javascript:alert(1)`,
  }
  const path = directory.write('hostile.json', unreachableDocument(hostile))
  const call = callerOf({ ...offline, CUSTOM_CLOUD_PROFILE_PATH: path })
  for (const route of ['/api/profile', '/api/diagnostics', '/api/diagnostics?explain=true', '/api/health']) {
    const response = await call(route)
    expect(response?.type).toMatch(/^application\/(health\+)?json$/)
    expect(response?.headers['x-content-type-options']).toBe('nosniff')
  }
  expect((await call('/api/profile'))?.json()).toMatchObject(hostile)
})
