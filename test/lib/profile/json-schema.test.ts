import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { builtInProfileNames, builtInProfiles } from '../../../src/lib/clouds/known-clouds.ts'
import { fieldPaths } from '../../../src/lib/profile/field-path.ts'
import { createProfileJsonSchema } from '../../../src/lib/profile/json-schema.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { deepFreeze, profileDocument, profileWithout } from '../../support/profile-document.ts'

const read = (name: string): string => readFileSync(new URL(`../../../cloud-profiles/${name}`, import.meta.url), 'utf8')
const schema = JSON.parse(read('schema.json')) as AnySchemaObject
const ajv = new Ajv2020({ strict: true, allErrors: true })
// Words for editors, which other validators pass over.
ajv.addVocabulary(['patternErrorMessage', 'errorMessage', 'deprecationMessage'])
const validate = ajv.compile(schema)

const isProfile = (document: unknown): boolean => {
  try {
    parseCloudProfile(document)
    return true
  } catch {
    return false
  }
}

/** A node of the schema by a field's dotted path. */
const nodeOf = (path: string): AnySchemaObject =>
  path.split('.').reduce((node, key) => (node['properties'] as Record<string, AnySchemaObject>)[key] ?? {}, schema)

test('cloud-profiles/schema.json is what the zod schema makes, in the same order', () => {
  expect(JSON.stringify(schema)).toBe(JSON.stringify(createProfileJsonSchema()))
})

test.each([...fieldPaths, 'serviceDnsSuffixes', 'serviceAudiences'])(
  'an editor finds a title, a description and valid examples for %s',
  (path) => {
    const { title, description, examples = [] } = nodeOf(path)
    expect({ title, description }).toEqual({ title: expect.any(String), description: expect.any(String) })
    for (const example of examples as readonly string[]) {
      expect(parseCloudProfile(profileDocument({ [path]: example }))).toHaveProperty(path, example)
    }
    expect((examples as readonly string[]).length > 0).toBe((fieldPaths as readonly string[]).includes(path))
  },
)

test.each(builtInProfileNames)('the built-in file %s.json satisfies the schema', (name) => {
  expect(validate(JSON.parse(read(`${name}.json`)))).toBe(true)
  expect(validate(builtInProfiles.get(name))).toBe(true)
})

describe('The schema and the parser agree', () => {
  const url = (path: string) =>
    [
      'https://h.example/',
      'HTTPS://H.example/a/',
      'https://h.example',
      'https://h.example/a',
      'http://h.example/',
      'ftp://h.example/',
      'api://x/',
      'https:///x/',
      'https://u:p@h.example/',
      'https://h.example/?q/',
      'https://h.example/#f/',
      ' https://h.example/',
      'https://h .example/',
      'https:\\h.example\\',
      'h.example/',
      '//h.example/',
      '',
      7,
      null,
    ].map((value) => ({ path, value }))
  const suffix = (path: string) =>
    ['.a', '.a.B-2.c', 'a', '.', '..a', '.a.', '.-a', '.a-', '.a_b', '.a b', '.a/', '', 7].map((value) => ({
      path,
      value,
    }))
  const rows: readonly { readonly path: string; readonly value: unknown }[] = [
    ...['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience', 'portalUrl', 'metadataEndpoint'].flatMap(
      url,
    ),
    ...['arm', 'storage', 'keyVault'].flatMap((key) => url(`serviceAudiences.${key}`)),
    ...['storage', 'keyVault', 'sqlServer', 'containerRegistry'].flatMap((key) => suffix(`serviceDnsSuffixes.${key}`)),
    ...['name', 'displayName', 'notes'].flatMap((path) =>
      ['x', '', ' ', 'ä', '\n', 7, null].map((value) => ({ path, value })),
    ),
    ...['adfs', 'a.b-c', '', '.a', '-a', 'a/b', 'a b', 7].map((value) => ({ path: 'tenantId', value })),
    ...['custom', 'public', 'Custom', '', 7].map((value) => ({ path: 'environment', value })),
    ...['x', 7].map((value) => ({ path: '$schema', value })),
    ...['serviceDnsSuffixes', 'serviceAudiences'].flatMap((path) =>
      [{}, [], 'x', null].map((value) => ({ path, value })),
    ),
    { path: 'unknown', value: {} },
  ]

  test('on rows of both kinds', () => {
    const accepted = rows.filter(({ path, value }) => isProfile(profileDocument({ [path]: value })))
    expect(accepted.length).toBeGreaterThan(20)
    expect(accepted.length).toBeLessThan(rows.length - 100)
  })

  test.each(rows)('on $path = $value', ({ path, value }) => {
    const document = profileDocument({ [path]: value })
    expect(validate(document)).toBe(path === '$schema' ? value === 'x' : isProfile(document))
  })

  test.each(fieldPaths)('on a profile without %s', (path) => {
    expect(validate(profileWithout(path))).toBe(isProfile(profileWithout(path)))
  })

  test.each([null, [], 'x', 1, {}])('on the document %j', (document) => {
    expect([validate(document), isProfile(document)]).toEqual([false, false])
  })

  test.each([
    ['authorityHost', 'https://[/'],
    ['authorityHost', 'https://h.example:99999/'],
    ['authorityHost', 'https://%00/'],
    ['serviceDnsSuffixes.storage', '.0.0.1'],
  ])('but for what only a URL parser can tell: %s = %s', (path, value) => {
    const document = deepFreeze(profileDocument({ [path]: value }))
    expect([validate(document), isProfile(document)]).toEqual([true, false])
  })
})
