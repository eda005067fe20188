import { expect, test } from 'vitest'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { isPlaceholder, placeholderFields } from '../../../src/lib/profile/field-path.ts'
import { profileDocument } from '../../support/profile-document.ts'

test.each([
  'https://login.secret.placeholder.invalid/',
  'https://LOGIN.SECRET.INVALID/',
  'https://login.invalid./',
  'https://login.invalid:8443/adfs/',
  'https://login.invalid/.default',
  '.blob.secret.placeholder.invalid',
])('%s is a placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(true)
})

test.each([
  'https://login.enclave.example/',
  'https://login.enclave.example/x.invalid',
  'https://login.invalid.example/',
  'https://notinvalid/',
  '.invalid.example',
  'placeholder.invalid',
  '',
])('%j is no placeholder', (value) => {
  expect(isPlaceholder(value)).toBe(false)
})

test('the fields that hold placeholders are named in the order of the profile', () => {
  const document = profileDocument({
    'serviceAudiences.keyVault': 'https://vault.x.invalid/',
    authorityHost: 'https://login.x.invalid/',
    notes: 'See https://x.invalid/',
    'serviceDnsSuffixes.sqlServer': '.x.invalid',
  })
  expect(placeholderFields(parseCloudProfile(document))).toEqual([
    'authorityHost',
    'serviceDnsSuffixes.sqlServer',
    'serviceAudiences.keyVault',
  ])
})
