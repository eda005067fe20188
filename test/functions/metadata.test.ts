import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillProfile } from '../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataVersions } from '../../src/lib/metadata/write-metadata.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { enclave } from '../support/sample-profiles.ts'
import { offline } from '../support/environment.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { serveApp, useService, type ServedApp } from '../support/use-service.ts'

const temp = useTemporaryDirectory()
const profile: CloudProfile = { ...enclave, notes: 'Ask ops@enclave.test.' }
const file = temp.write('profile.json', profile)
const service = useService({ ...offline, CUSTOM_CLOUD_PROFILE_PATH: file, PLATFORM_SERVE_METADATA: 'true' })
const ask = (version: string, init?: RequestInit) =>
  service().request(`/metadata/endpoints?api-version=${version}`, init)

describe.each(metadataVersions)('the version %s', (version) => {
  test('is a document that our own discovery reads as this profile', async () => {
    const response = await ask(version)
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, 'application/json'])
    expect(response.headers.get('x-metadata-version')).toBe(version)
    expect(response.headers.get('warning')).toBeNull()
    const metadata = parseWholeMetadata(await response.json(), profile.resourceManagerEndpoint)
    const draft = fillProfile({ metadata, endpoint: profile.metadataEndpoint ?? '', name: profile.name })
    const { authorityHost, resourceManagerEndpoint, resourceManagerAudience, portalUrl } = profile
    expect(draft.profile).toMatchObject({ authorityHost, resourceManagerEndpoint, resourceManagerAudience, portalUrl })
  })

  test('holds no note, no path of a file and no placeholder but that of the graph', async () => {
    const body = await (await ask(version)).text()
    expect(body).not.toMatch(/ops@|profile\.json/)
    expect(body.replaceAll('https://graph.placeholder.invalid/', '')).not.toContain('.invalid')
  })

  test('may be kept, and is not sent again to who has it', async () => {
    const first = await ask(version)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(version, { headers: { 'if-none-match': known } })
      expect([known, again.status, await again.text()]).toStrictEqual([known, 304, ''])
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await ask(version, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })
})

describe('an unknown version', () => {
  test.each([
    ['2019-04-30', '2018-01-01'],
    ['2021-01-01-preview', '2020-06-01'],
    ['2001-01-01', '2015-01-01'],
    ['constructor', '2015-01-01'],
  ])('%s gets the shape of %s, and is told so', async (asked, served) => {
    const response = await ask(asked)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-metadata-version')).toBe(served)
    expect(response.headers.get('warning')).toBe(
      `299 - "This api-version is unknown; the document has version ${served}"`,
    )
    expect(await response.json()).toStrictEqual(await (await ask(served)).json())
  })

  test.each(['/metadata/endpoints', '/metadata/endpoints?api-version='])(
    'none at all is an error: %s',
    async (path) => {
      const response = await service().request(path)
      expect([response.status, response.headers.get('content-type')]).toStrictEqual([400, 'application/problem+json'])
      expect(await response.json()).toMatchObject({
        status: 400,
        detail: expect.stringContaining('2022-09-01') as string,
      })
    },
  )
})

test('the report and the page say where it is', async () => {
  const report = (await (await service().request('/api/diagnostics')).json()) as Record<string, unknown>
  expect(report['metadataHost']).toBe('/metadata/endpoints')
  expect(await (await service().request('/')).text()).toMatch(
    /Metadata host<\/dt>\s*<dd>\s*<code[^>]*>\s*\/(<wbr>)?metadata/,
  )
})

describe('elsewhere', () => {
  let off: ServedApp
  let placeholders: ServedApp
  beforeAll(async () => {
    off = await serveApp(offline)
    placeholders = await serveApp({
      ...offline,
      PLATFORM_CLOUD: 'platform-us-gov-secret',
      PLATFORM_SERVE_METADATA: 'true',
    })
  })
  afterAll(() => Promise.all([off.close(), placeholders.close()]))

  test('without the setting there is no such route', async () => {
    expect((await off.request('/metadata/endpoints?api-version=2015-01-01')).status).toBe(404)
    expect(off.functions.map(({ name }) => name)).not.toContain('metadata')
    expect(await (await off.request('/api/diagnostics')).json()).not.toHaveProperty('metadataHost')
  })

  test('a profile with placeholders is refused by the list of them', async () => {
    const response = await placeholders.request('/metadata/endpoints?api-version=2022-09-01')
    expect([response.status, response.headers.get('content-type')]).toStrictEqual([409, 'application/problem+json'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      code: 'PLACEHOLDER_PROFILE',
      fields: expect.arrayContaining([
        'authorityHost',
        'serviceDnsSuffixes.storage',
        'serviceAudiences.keyVault',
      ]) as string[],
    })
  })
})
