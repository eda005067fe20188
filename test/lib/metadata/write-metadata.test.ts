import { expect, test } from 'vitest'
import { documentFields } from '../../../src/lib/metadata/metadata-document.ts'
import { publishedFields } from '../../../src/lib/metadata/cloud-metadata.ts'
import { valueAt } from '../../../src/lib/base/json.ts'
import { compareWithProfile } from '../../../src/lib/metadata/compare-with-profile.ts'
import { parseCloudMetadata, parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { metadataVersions, writeMetadata } from '../../../src/lib/metadata/write-metadata.ts'
import { arbitraryProfile } from '../../support/arbitrary-profile.ts'
import { fc } from '../../support/properties.ts'
import { enclave, government } from '../../support/sample-profiles.ts'

const versions = fc.constantFrom(...metadataVersions)
/**
 * A cloud's own addresses: an audience of printable ASCII, which a document can contain, and a resource manager whose path
 * has no double slash, which discovery takes for one.
 */
const clouds = arbitraryProfile.filter(
  ({ resourceManagerAudience, resourceManagerEndpoint, serviceAudiences: { arm } }) =>
    [resourceManagerAudience, arm].every((audience) => /^[\x21-\x7e]+$/.test(audience)) &&
    !new URL(resourceManagerEndpoint).pathname.includes('//'),
)

test('what is written is read back as a document that agrees with the profile in every field that both have', () => {
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

test('a value that a document has a name for is written, of services too', () => {
  const profile = { ...enclave, services: government.services ?? {} }
  const document = writeMetadata(profile, '2022-09-01')
  const published = publishedFields(parseWholeMetadata(document, profile.resourceManagerEndpoint))
  const missing = documentFields.filter((path) => valueAt(profile, path) !== undefined && !published.has(path))
  expect(missing).toEqual([])
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

test('a directory graph with an audience and no address is written with a placeholder address', () => {
  const audience = 'https://graph.enclave.test/'
  const document = writeMetadata({ ...enclave, services: { directoryGraph: { audience } } }, '2022-09-01')
  expect(document).toMatchObject({ graph: 'https://graph.placeholder.invalid/', graphAudience: audience })
})
