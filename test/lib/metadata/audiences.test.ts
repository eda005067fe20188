import { describe, expect, test } from 'vitest'
import { allowedAudience, isAllowedAudience } from '../../../src/lib/metadata/cloud-metadata.ts'
import { parseCloudMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { resolveCloudProfile } from '../../../src/lib/cloud.ts'
import { withValueAt } from '../../../src/lib/profile/field-path.ts'
import { errorOf } from '../../support/error-of.ts'
import { enclave, stack } from '../../support/sample-profiles.ts'
import { metadataDocument } from './fixture.ts'

const government = resolveCloudProfile({ name: 'platform-us-government', env: {} })
const named = {
  ...enclave,
  authorityHost: 'https://management.login.test/',
  serviceAudiences: { ...enclave.serviceAudiences, keyVault: 'https://management.vault.test/' },
  services: { directoryGraph: { url: 'https://management.graph.test/' } },
}
const guid = 'e2bf6aa1-7a8f-4bb9-b8cb-caef446339ec'

test.each([
  ["the profile's own audience", enclave, enclave.resourceManagerAudience],
  ['it without its final slash and in capitals', enclave, 'https://MANAGEMENT.core.enclave.test'],
  ['serviceAudiences.arm', withValueAt(enclave, 'serviceAudiences.arm', 'urn://arm/'), 'urn://arm/'],
  ['the endpoint itself', enclave, 'https://management.enclave.test:8444/'],
  ["an identifier of the endpoint's host", enclave, 'https://management.enclave.test/'],
  ["a known cloud's other identifier", government, 'https://management.core.usgovcloudapi.net/'],
  ["a stack's", stack, `https://management.contoso.onmicrosoft.com/${guid}`],
  ['a private one', enclave, 'https://management.core.other.test/'],
])('a token is asked for: %s', (_name, profile, audience) => {
  expect(isAllowedAudience(profile, audience)).toBe(true)
})

describe('no token is asked for', () => {
  test.each([
    ['the directory graph', enclave, 'https://graph.enclave.test/'],
    ["the profile's storage", enclave, 'https://storage.azure.com/'],
    ['a storage account called management', enclave, 'https://management.blob.core.enclave.test/'],
    ['a vault called management', enclave, 'https://management.vault.enclave.test/'],
    ['a public storage account called management', enclave, 'https://management.dfs.core.windows.net/'],
    ['the resource manager of another known cloud', enclave, 'https://management.azure.com/'],
    ['a host that only begins alike', enclave, 'https://management-graph.enclave.test/'],
    ['a namespace of a public service called management', stack, 'https://management.servicebus.windows.net/'],
    ['a storage account with a last dot', enclave, 'https://management.blob.core.enclave.test./'],
    ['a host with an empty label', enclave, 'https://management..enclave.test/'],
    ['another port of a like name', enclave, 'https://management.other.test:444/'],
    ['plain http', enclave, 'http://management.other.test/'],
    ['plain http of the endpoint, which has TLS', enclave, 'http://management.enclave.test:8444/'],
    ['an identifier that is no URL of the web', enclave, 'api://management.other.test/'],
    ['user information', enclave, 'https://management.x.test@graph.test/'],
    ['no URL', enclave, 'management'],
    ['something behind the host of another audience', named, 'https://management.vault.test/anything'],
    ["something behind the host of another tool's address", named, 'https://management.graph.test/anything/'],
    ['a host in other letters', enclave, 'https://ｍanagement.blob.core.enclave.test/'],
    ['a host of escapes', enclave, 'https://management%2eblob.core.enclave.test/'],
    ['an address for a host', enclave, 'https://management.1.2.3/'],
  ])('%s', (_name, profile, audience) => {
    expect(isAllowedAudience(profile, audience)).toBe(false)
  })

  test('and the refusal names the audience', () => {
    const authentication = { loginEndpoint: 'https://login.enclave.test/', audiences: ['https://graph.enclave.test/'] }
    const metadata = parseCloudMetadata(metadataDocument({ authentication }), enclave.resourceManagerEndpoint)
    const message = /"https:\/\/graph\.enclave\.test\/"/
    expect(errorOf(() => allowedAudience(enclave, metadata))).toMatchObject({ code: 'METADATA_INVALID', message })
  })
})
