import { readFileSync } from 'node:fs'
import type { AnySchemaObject } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { fieldPaths } from '../../../src/lib/profile/field-path.ts'
import { createProfileJsonSchema } from '../../../scripts/generate/profile-schema.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument } from '../../support/profile-document.ts'

const read = (name: string): string => readFileSync(new URL(`../../../cloud-profiles/${name}`, import.meta.url), 'utf8')
const schema = JSON.parse(read('schema.json')) as AnySchemaObject

/** A node of the schema by a field's dotted path. */
const nodeOf = (path: string): AnySchemaObject =>
  path.split('.').reduce((node, key) => (node['properties'] as Record<string, AnySchemaObject>)[key] ?? {}, schema)

test('cloud-profiles/schema.json is made from the table of the profile, in its order', () => {
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
