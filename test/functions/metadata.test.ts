import { describe, expect, test } from 'vitest'
import { fillProfile } from '../../src/lib/metadata/fill-profile.ts'
import { parseWholeMetadata } from '../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataVersions } from '../../src/lib/metadata/write-metadata.ts'
import type { CloudProfile } from '../../src/lib/clouds/cloud-profile.ts'
import { enclave } from '../support/sample-profiles.ts'
import { offline } from '../support/environment.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { callerOf } from './call.ts'

const temp = useTemporaryDirectory()
const profile: CloudProfile = { ...enclave, notes: 'Ask ops@enclave.test.' }
const file = temp.write('profile.json', profile)
const call = callerOf({ ...offline, CUSTOM_CLOUD_PROFILE_PATH: file, PLATFORM_SERVE_METADATA: 'true' })
async function ask(version: string, headers = {}) {
  const response = await call(`/metadata/endpoints?api-version=${version}`, headers)
  if (response === undefined) throw new Error('There is no such function')
  return response
}

describe.each(metadataVersions)('the version %s', (version) => {
  test('is a document that our own discovery reads as this profile', async () => {
    const { status, headers, type, json } = await ask(version)
    expect([status, type, headers['x-metadata-version'], headers['warning']]).toEqual([
      200,
      'application/json',
      version,
      undefined,
    ])
    const metadata = parseWholeMetadata(json(), profile.resourceManagerEndpoint)
    const draft = fillProfile({ metadata, endpoint: profile.metadataEndpoint ?? '', name: profile.name })
    const { authorityHost, resourceManagerEndpoint, resourceManagerAudience, portalUrl } = profile
    expect(draft.profile).toMatchObject({ authorityHost, resourceManagerEndpoint, resourceManagerAudience, portalUrl })
  })

  test('has no note, no path of a file and no placeholder but that of the graph', async () => {
    const { body } = await ask(version)
    expect(body).not.toMatch(/ops@|profile\.json/)
    expect(body.replaceAll('https://graph.placeholder.invalid/', '')).not.toContain('.invalid')
  })

  test('may be cached, and is not sent again to a client that has it', async () => {
    const { etag = '', 'cache-control': caching } = (await ask(version)).headers
    expect([etag, caching]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), 'public, max-age=300'])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await ask(version, { 'if-none-match': known })).toMatchObject({ status: 304, body: '', headers: { etag } })
    expect((await ask(version, { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

describe('an unknown version', () => {
  test.each([
    ['2019-04-30', '2018-01-01'],
    ['2021-01-01-preview', '2020-06-01'],
    ['2001-01-01', '2015-01-01'],
    ['constructor', '2015-01-01'],
  ])('%s gets the shape of %s, and a warning', async (requested, served) => {
    const { status, headers, body } = await ask(requested)
    const warning = `299 - "This api-version is unknown; the document has version ${served}"`
    expect([status, headers]).toMatchObject([200, { 'x-metadata-version': served, warning }])
    expect(body).toBe((await ask(served)).body)
  })

  test('without a value is an error that names the versions', async () => {
    const { status, type, json } = await ask('')
    expect([status, type]).toEqual([400, 'application/problem+json'])
    expect(json()).toMatchObject({ status: 400, detail: expect.stringContaining('2022-09-01') as string })
  })
})

test('the report and the page say where it is, and without the setting there is no such route', async () => {
  expect((await call('/api/diagnostics'))?.json()).toMatchObject({ metadataHost: '/metadata/endpoints' })
  expect((await call('/'))?.body).toMatch(/Metadata host<\/dt>\s*<dd>\s*<code[^>]*>\s*\/(<wbr>)?metadata/)
  const without = callerOf(offline)
  expect(await without('/metadata/endpoints?api-version=2015-01-01')).toBeUndefined()
  expect((await without('/api/diagnostics'))?.json()).not.toHaveProperty('metadataHost')
})

test('a profile with placeholders is refused by the list of them', async () => {
  const placeholders = callerOf({ ...offline, PLATFORM_SERVE_METADATA: 'true' })
  const response = await placeholders('/metadata/endpoints?api-version=2022-09-01')
  expect([response?.status, response?.type]).toEqual([409, 'application/problem+json'])
  expect(response?.headers['cache-control']).toBe('no-store')
  const fields = ['authorityHost', 'serviceDnsSuffixes.storage', 'serviceAudiences.keyVault']
  expect(response?.json()).toMatchObject({
    code: 'PLACEHOLDER_PROFILE',
    fields: expect.arrayContaining(fields) as string[],
  })
})
