import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, test } from 'vitest'
import { builtInProfileNames } from '../../../src/lib/clouds/known-clouds.ts'
import { fieldPaths } from '../../../src/lib/profile/field-path.ts'
import { parseCloudProfile } from '../../../src/lib/profile/parse-cloud-profile.ts'
import { profileDocument, profileWithout } from '../../support/profile-document.ts'
import { schemathesis } from '../../support/schemathesis.ts'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../cloud-profiles/${name}`, import.meta.url), 'utf8'))
const schema = read('schema.json') as AnySchemaObject

/** A node of the schema by a field's dotted path. */
const nodeOf = (path: string): AnySchemaObject =>
  path.split('.').reduce((node, key) => (node['properties'] as Record<string, AnySchemaObject>)[key] ?? {}, schema)

test.each([...fieldPaths, 'serviceDnsSuffixes', 'serviceAudiences'])(
  'the schema has a description and valid examples for %s',
  (path) => {
    const { description, examples = [] } = nodeOf(path) as { description?: string; examples?: readonly string[] }
    expect(description).toEqual(expect.any(String))
    for (const example of examples) {
      expect(parseCloudProfile(profileDocument({ [path]: example }))).toHaveProperty(path, example)
    }
    expect(examples.length > 0).toBe((fieldPaths as readonly string[]).includes(path))
  },
)

test('the schema has a name that no program fetches, and no keyword of a single tool', () => {
  expect(schema['$id']).toMatch(/^urn:/)
  expect(JSON.stringify(schema)).not.toMatch(/"(errorMessage|patternErrorMessage|deprecationMessage|format|\$ref)":/)
})

/**
 * A broken value for each kind of rule, most with a line break, which the expressions of two languages read differently.
 * profile.property.test.ts compares schema and parser for any document.
 */
const broken = Object.fromEntries(
  (
    [
      ['name', undefined],
      ['authorityHost', undefined],
      ['serviceDnsSuffixes', undefined],
      ['serviceAudiences.arm', undefined],
      ['name', null],
      ['displayName', '\n'],
      ['environment', 'Public'],
      ['authorityHost', 'http://login.enclave.example/'],
      ['authorityHost', 'https://u:p@host.example/'],
      ['resourceManagerEndpoint', 'https://host.example/\n'],
      ['resourceManagerAudience', 'https://host.example'],
      ['serviceAudiences.keyVault', 'vault.example/'],
      ['tenantId', 'a\n'],
      ['portalUrl', 'ftp://portal.example/'],
      ['metadataEndpoint', '/metadata/endpoints'],
      ['serviceDnsSuffixes.storage', '.a\n'],
      ['notes', '\u0007'],
      ['absent', ['authorityHost']],
    ] as const
  ).map(([path, value]) => [
    `${path} = ${JSON.stringify(value)}`,
    value === undefined ? profileWithout(path) : profileDocument({ [path]: value }),
  ]),
)
const valid: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(builtInProfileNames.map((name) => [name, read(`${name}.json`)])),
  'a profile with every field': profileDocument({
    absent: ['serviceDnsSuffixes.sqlServer', 'file'],
    'serviceDnsSuffixes.sqlServer': '.database.invalid',
  }),
  'a blank optional field': profileDocument({ tenantId: '' }),
  'an unknown field': { ...profileDocument(), portalURL: 'x' },
}

const venv = join(dirname(schemathesis), 'python')
const python = [existsSync(venv) ? venv : 'python3'].find(
  (command) => spawnSync(command, ['-c', 'import jsonschema']).status === 0,
)
if (python === undefined)
  process.stderr.write('jsonschema is not installed (.ci/schemathesis): schema.json is not compiled in Python\n')

const program = `
import json, sys, jsonschema
schema, documents = json.load(sys.stdin)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
print(json.dumps([validator(schema).is_valid(each) for each in documents]))
`

type Verdicts = (documents: readonly unknown[]) => readonly boolean[]
const validators: Readonly<Record<string, Verdicts>> = {
  'Ajv without an option': (documents) => {
    const validate = new Ajv().compile(schema)
    return documents.map((each) => validate(each) === true)
  },
  ...(python !== undefined && {
    'jsonschema of Python': (documents) =>
      JSON.parse(
        execFileSync(python, ['-c', program], { input: JSON.stringify([schema, documents]), encoding: 'utf8' }),
      ) as boolean[],
  }),
}

describe.each(Object.entries(validators))('%s', (_name, verdictsOf) => {
  test('accepts each built-in profile and every document that the service accepts', () => {
    for (const document of Object.values(valid)) parseCloudProfile(document)
    const refused = verdictsOf(Object.values(valid)).flatMap((isValid, at) => (isValid ? [] : [Object.keys(valid)[at]]))
    expect(refused).toEqual([])
  })

  test('refuses each broken value', () => {
    const accepted = verdictsOf(Object.values(broken)).flatMap((isValid, at) =>
      isValid ? [Object.keys(broken)[at]] : [],
    )
    expect(accepted).toEqual([])
  })
})
