import { documentFields } from '../../../src/lib/metadata/metadata-document.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { describe, expect, test } from 'vitest'
import { compareWithProfile } from '../../../src/lib/metadata/compare-with-profile.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { mergeMetadata } from '../../../src/lib/metadata/cloud-metadata.ts'
import { parseCloudMetadata, parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataVersions, writeMetadata } from '../../../src/lib/metadata/write-metadata.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { fc } from '../../support/properties.ts'
import { enclave, stack } from '../../support/sample-profiles.ts'

const versions = fc.constantFrom(...metadataVersions)
/**
 * A cloud's own addresses: an audience of printable ASCII, or no document can hold it, and a resource manager whose path
 * has no double slash, which discovery takes for one.
 */
const clouds = arbitraryProfile.filter(
  ({ resourceManagerAudience, resourceManagerEndpoint, serviceAudiences: { arm } }) =>
    [resourceManagerAudience, arm].every((audience) => /^[\x21-\x7e]+$/.test(audience)) &&
    !new URL(resourceManagerEndpoint).pathname.includes('//'),
)

describe('what is written is read back', () => {
  test('as a document that agrees with the profile in every field that both have', () => {
    fc.assert(
      fc.property(clouds, versions, (profile, version) => {
        const metadata = parseWholeMetadata(writeMetadata(profile, version), profile.resourceManagerEndpoint)
        const compared = compareWithProfile(profile, metadata)
        expect(compared.filter(({ equal }) => !equal)).toStrictEqual([])
        expect(compared.map(({ path }) => path)).toEqual(
          expect.arrayContaining(['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience']),
        )
        expect(compared.length).toBeGreaterThanOrEqual(version >= '2019' ? 8 : 4)
      }),
    )
  })

  test.each([
    enclave,
    stack,
    ...['platform-commercial', 'platform-us-government'].map((name) => resolveCloudProfile({ name, env: {} })),
  ])('as the profile itself, but for its names and audiences: $name', (profile) => {
    const endpoint = profile.resourceManagerEndpoint
    const [first, newer] = (['2015-01-01', '2022-09-01'] as const).map((version) =>
      parseWholeMetadata(writeMetadata(profile, version), endpoint),
    )
    if (first === undefined || newer === undefined) throw new Error('Two versions were written')
    const { metadata, warnings } = mergeMetadata(first, newer, '2022-09-01')
    expect(warnings).toStrictEqual([])
    const draft = fillProfile({ metadata, endpoint, name: profile.name }).profile
    const { authorityHost, resourceManagerEndpoint, resourceManagerAudience, tenantId, portalUrl } = profile
    const { serviceDnsSuffixes, services = {} } = profile
    expect(draft).toMatchObject({ authorityHost, resourceManagerEndpoint, resourceManagerAudience })
    expect([draft.serviceDnsSuffixes, draft.tenantId, draft.portalUrl]).toStrictEqual([
      serviceDnsSuffixes,
      tenantId,
      portalUrl,
    ])
    const written = documentFields.filter(
      (path) => path.startsWith('services.') && valueAt({ services }, path) !== undefined,
    )
    expect(written.map((path) => valueAt(draft, path))).toStrictEqual(
      written.map((path) => valueAt({ services }, path)),
    )
    expect(parseCloudProfile(draft)).toStrictEqual(draft)
  })
})

test('the newer documents end neither the authority nor the resource manager with a slash, for clients append paths', () => {
  const { resourceManager, authentication } = writeMetadata(enclave, '2022-09-01') as {
    resourceManager: string
    authentication: { loginEndpoint: string }
  }
  expect([resourceManager, authentication.loginEndpoint].filter((address) => address.endsWith('/'))).toStrictEqual([])
})

test('what a profile does not say is left out, but for the graph that two clients insist on', () => {
  const { portalUrl: _, services: _none, ...profile } = enclave
  expect(writeMetadata(profile, '2015-01-01')).toStrictEqual({
    graphEndpoint: 'https://graph.placeholder.invalid/',
    authentication: {
      loginEndpoint: 'https://login.enclave.test:8443/',
      audiences: ['https://management.core.enclave.test'],
    },
  })
  expect(parseCloudMetadata(writeMetadata(profile, '2015-01-01'), enclave.resourceManagerEndpoint)).not.toHaveProperty(
    'graphEndpoint',
  )
})

test('the audience of a directory graph without an address is no address', () => {
  const audience = 'https://graph.enclave.test/'
  const document = writeMetadata({ ...enclave, services: { directoryGraph: { audience } } }, '2022-09-01')
  expect(document).toMatchObject({ graph: 'https://graph.placeholder.invalid/', graphAudience: audience })
})
