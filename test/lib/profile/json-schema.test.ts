import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnySchemaObject } from 'ajv'
import { expect, test } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { fieldPaths } from '../../../src/lib/profile/field-path.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { skipped } from '../../support/missing.ts'
import { profileDocument, profileWithout } from '../../support/profile-document.ts'
import { schemathesis } from '../../support/schemathesis.ts'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../cloud-profiles/${name}`, import.meta.url), 'utf8'))
const schema = read('schema.json') as AnySchemaObject

/** A node of the schema by a field's dotted path. */
const nodeOf = (path: string): AnySchemaObject =>
  path.split('.').reduce((node, key) => (node['properties'] as Record<string, AnySchemaObject>)[key] ?? {}, schema)

test.each([...fieldPaths, 'serviceDnsSuffixes', 'serviceAudiences'])('%s has a description and examples', (path) => {
  const { description, examples = [] } = nodeOf(path) as { description?: string; examples?: readonly string[] }
  expect(description).toEqual(expect.any(String))
  for (const example of examples)
    expect(parseCloudProfile(profileDocument({ [path]: example }))).toHaveProperty(path, example)
  expect(examples.length > 0).toBe((fieldPaths as readonly string[]).includes(path))
})

test('the schema has a name that no program fetches, and no keyword of a single tool', () => {
  expect(schema['$id']).toMatch(/^urn:/)
  expect(JSON.stringify(schema)).not.toMatch(/"(errorMessage|patternErrorMessage|deprecationMessage|format|\$ref)":/)
})

/** Documents with one broken value, most with a line break, which the expressions of two languages read differently. */
const broken = [
  profileWithout('serviceAudiences.arm'),
  profileDocument({ displayName: '\n' }),
  profileDocument({ environment: 'Public' }),
  profileDocument({ authorityHost: 'https://u:p@host.example/' }),
  profileDocument({ resourceManagerEndpoint: 'https://host.example/\n' }),
  profileDocument({ resourceManagerAudience: 'https://host.example' }),
  profileDocument({ tenantId: 'a\n' }),
  profileDocument({ portalUrl: 'ftp://portal.example/' }),
  profileDocument({ 'serviceDnsSuffixes.storage': '.a\n' }),
  profileDocument({ notes: '\u0007' }),
  profileDocument({ absent: ['authorityHost'] }),
]
const valid: readonly unknown[] = [
  ...builtInProfileNames.map((name) => read(`${name}.json`)),
  profileDocument({ absent: ['serviceDnsSuffixes.sqlServer', 'file'], 'serviceDnsSuffixes.sqlServer': '.sql.invalid' }),
  profileDocument({ tenantId: '' }),
  { ...profileDocument(), portalURL: 'x' },
]

const venv = join(dirname(schemathesis), 'python')
const python = [existsSync(venv) ? venv : 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import jsonschema']).status === 0,
)
const withoutPython = skipped(python === undefined && 'jsonschema is not installed (.ci/schemathesis)')

const program = `
import json, sys, jsonschema
schema, documents = json.load(sys.stdin)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
print(json.dumps([validator(schema).is_valid(each) for each in documents]))
`

// profile.property.test.ts compares Ajv with the parser, for any document.
test.skipIf(python === undefined)(
  `jsonschema of Python accepts what the service accepts, and no broken value${withoutPython}`,
  () => {
    for (const document of valid) parseCloudProfile(document)
    const input = JSON.stringify([schema, [...valid, ...broken]])
    const verdicts = execFileSync(python ?? '', ['-c', program], { input, encoding: 'utf8' })
    expect(JSON.parse(verdicts)).toEqual([...valid.map(() => true), ...broken.map(() => false)])
  },
)
