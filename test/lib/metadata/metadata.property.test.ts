import { describe, expect, test } from 'vitest'
import { isServiceError } from '../../../src/lib/errors.ts'
import { type WholeCloudMetadata } from '../../../src/lib/metadata/cloud-metadata.ts'
import { fillProfile } from '../../../src/lib/metadata/fill-profile.ts'
import { documentRows } from '../../../src/lib/metadata/cloud-metadata.ts'
import { parseWholeMetadata } from '../../../src/lib/metadata/parse-cloud-metadata.ts'
import { checkDocument } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { orders } from '../../support/sample-profiles.ts'
import { fc } from '../../support/properties.ts'

const endpoint = 'https://management.enclave.test/'

const odd = fc.oneof(
  fc.constantFrom(...orders, '', ' ', '/', '//', '.', '..', '@', '?', '#', '[::1]', '0x7f.1', '__proto__'),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc
    .constantFrom('/', '.', '-', 'a')
    .chain((one) => fc.constantFrom(250, 2048, 5000).map((length) => one.repeat(length))),
)
const url = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:/', 'api://', 'javascript:', ''),
    fc.constantFrom('management.enclave.test', 'management.enclave.test.', '1.2.3', 'a', '[::1]:1', 'u:p@x'),
    fc.array(fc.oneof(fc.constant('/'), odd), { maxLength: 3 }),
  )
  .map(([scheme, host, rest]) => `${scheme}${host}${rest.join('')}`)
const good = fc.constantFrom(
  'https://management.enclave.test/',
  'https://management.enclave.test./arm',
  'https://portal.enclave.test/#home',
  'http://a.test:8443/?x=1',
  'https://\u202Ex.test/é',
)
const mostly = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: other })
const value = mostly(good, fc.oneof(url, odd, fc.jsonValue({ maxDepth: 1 })))
const suffix = mostly(fc.constantFrom('core.enclave.test', '.vault.enclave.test', 'core.1', 'a.b.', 'blob.core.x'), odd)
const withNames = (names: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...names, 'unknown'), values, { maxKeys: 5 })

const rows = Object.keys(documentRows)
const addressNames = ['resourceManager', 'name', 'portalEndpoint', ...rows.filter((name) => !name.includes('.'))]
const suffixNames = rows.flatMap((name) => name.split('suffixes.')[1] ?? [])
const authority = fc.constantFrom('https://login.enclave.test/', 'https://login.windows.net', 'https://a.test./ADFS')
const audience = fc.constantFrom('https://management.core.enclave.test/', 'api://x', 'urn://a/b/.default')
const cloud = fc
  .record({
    addresses: withNames(addressNames, value),
    suffixes: fc.option(withNames(suffixNames, suffix), { nil: undefined }),
    loginEndpoint: mostly(authority, url),
    audiences: fc.array(mostly(audience, url), { minLength: 1, maxLength: 3 }),
    tenant: mostly(fc.constantFrom('common', 'adfs', 'ADFS', '', undefined), odd),
  })
  .map(({ addresses, suffixes, loginEndpoint, audiences, tenant }) => ({
    ...addresses,
    suffixes,
    authentication: { loginEndpoint, audiences, tenant },
  }))
const documents = fc.oneof(
  { weight: 8, arbitrary: cloud },
  { weight: 2, arbitrary: fc.array(cloud, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
)

/** The metadata of a document. `undefined` if the parser refused it with one of its codes. */
function parsed(document: unknown): WholeCloudMetadata | undefined {
  try {
    return parseWholeMetadata(document, endpoint)
  } catch (error) {
    if (isServiceError(error) && /^METADATA_(INVALID|CLOUD_NOT_LISTED)$/.test(error.code)) {
      if (/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,3000}$/u.test(error.message)) return undefined
    }
    throw error
  }
}

describe('whatever a cloud answers', () => {
  test('is metadata of printable ASCII, or refused by the name of a field', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const metadata = parsed(document)
        for (const text of JSON.stringify(metadata ?? {}).split('"')) expect(text).toMatch(/^[\x20-\x7e]{0,8192}$/)
      }),
    )
  })

  test('makes a draft that every profile may be, or names what is not taken over', () => {
    let drafted = 0
    fc.assert(
      fc.property(documents, (document) => {
        const metadata = parsed(document)
        if (metadata === undefined) return
        drafted++
        const { profile, refused, fields } = fillProfile({ metadata, endpoint })
        expect(checkDocument(profile).problems).toBeUndefined()
        for (const { path, value: text } of refused) {
          expect(profile.notes).toContain(path)
          expect(fields.find((field) => field.path === path)?.value).not.toBe(text)
        }
      }),
    )
    expect(drafted).toBeGreaterThan(20)
  })
})
