import { expect, test } from 'vitest'
import { findUnknownFields } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument } from '../../support/profile-document.ts'

const messagesOf = (document: unknown) => findUnknownFields(document).map(({ message }) => message)

test.each([
  ['portalURL', 'portalUrl'],
  ['AuthorityHost', 'authorityHost'],
  ['tenantID', 'tenantId'],
  ['resourceManagerEndpont', 'resourceManagerEndpoint'],
  ['serviceDnsSufixes', 'serviceDnsSuffixes'],
  ['displayname', 'displayName'],
  ['note', 'notes'],
  ['schema', '$schema'],
])('%s is a warning that names %s', (wrong, meant) => {
  expect(messagesOf({ ...profileDocument(), [wrong]: 'x' })).toEqual([
    `Unknown field "${wrong}" is ignored; did you mean ${meant}?`,
  ])
})

test('a field of a group is named with its group, and so is the field that was meant', () => {
  const document = profileDocument()
  const serviceDnsSuffixes = { ...document.serviceDnsSuffixes, keyvault: '.x' }
  const serviceAudiences = { ...document.serviceAudiences, sql: 'x' }
  expect(messagesOf({ ...document, serviceDnsSuffixes, serviceAudiences })).toEqual([
    'Unknown field "serviceDnsSuffixes.keyvault" is ignored; did you mean serviceDnsSuffixes.keyVault?',
    'Unknown field "serviceAudiences.sql" is ignored',
  ])
})

test('a field that resembles none gets no hint', () => {
  expect(messagesOf({ ...profileDocument(), classification: 'x' })).toEqual([
    'Unknown field "classification" is ignored',
  ])
})

test('$schema and every field of a profile are known', () => {
  expect(messagesOf({ $schema: './schema.json', ...profileDocument() })).toEqual([])
})

test('a hostile name is shortened and escaped', () => {
  const [message = ''] = messagesOf({ [`\u001B[2J\u009B\u202E<script>${'x'.repeat(100_000)}`]: 1 })
  expect(message.length).toBeLessThan(150)
  expect(message).toMatch(/^[ -~]*$/)
})

test('what is no object has no unknown fields', () => {
  expect([null, [], 'x', 1, undefined].flatMap((each) => findUnknownFields(each))).toEqual([])
  expect(findUnknownFields({ serviceAudiences: ['x'], serviceDnsSuffixes: 'x' })).toEqual([])
})

test('__proto__ in a file is a field like any other', () => {
  expect(messagesOf(JSON.parse('{"__proto__":{"name":"x"}}'))).toEqual(['Unknown field "__proto__" is ignored'])
})

test('of thousands of unknown fields, twenty are named and the rest are counted', () => {
  const document = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`zzz${index}`, 1]))
  const warnings = findUnknownFields(document)
  expect(warnings).toHaveLength(21)
  expect(warnings.at(-1)?.message).toBe('4980 more unknown fields are ignored')
})
