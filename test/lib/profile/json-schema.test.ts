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

/** One broken value for each rule that a profile must meet. */
const broken: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    [
      'name',
      'displayName',
      'environment',
      'authorityHost',
      'resourceManagerEndpoint',
      'resourceManagerAudience',
      ...['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((key) => `serviceDnsSuffixes.${key}`),
      ...['arm', 'storage', 'keyVault'].map((key) => `serviceAudiences.${key}`),
      'serviceDnsSuffixes',
      'serviceAudiences',
    ].map((path) => [`without ${path}`, profileWithout(path)]),
  ),
  ...Object.fromEntries(
    (
      [
        ['name', '', ' ', 5, null],
        ['displayName', '', '\n', []],
        ['environment', 'azure', 'Public', ''],
        ...['authorityHost', 'resourceManagerEndpoint', 'resourceManagerAudience', 'serviceAudiences.arm'].map(
          (path) => [
            path,
            'https://host.example',
            'host.example/',
            '/relative/',
            'https://host.example/\n',
            'https://u:p@host.example/',
            7,
          ],
        ),
        ['authorityHost', 'http://login.enclave.example/'],
        ['serviceAudiences.storage', 'https://storage.example'],
        ['serviceAudiences.keyVault', 'vault.example/', 'https://vault.example'],
        ['tenantId', 'a/b', 'a\n', 3],
        ['portalUrl', 'portal.example', 'ftp://portal.example/'],
        ['metadataEndpoint', '/metadata/endpoints', 'not a url'],
        ...['storage', 'keyVault', 'sqlServer', 'containerRegistry'].map((key) => [
          `serviceDnsSuffixes.${key}`,
          'blob.example',
          '',
          '.a\n',
          1,
        ]),
        ['notes', 5, '\u0007'],
        ['absent', ['authorityHost'], ['serviceAudiences.arm'], ['resourceManagerEndpoint'], 'sqlServer'],
      ] as const
    ).flatMap(([path, ...values]) =>
      values.map((value) => [`${String(path)} = ${JSON.stringify(value)}`, profileDocument({ [String(path)]: value })]),
    ),
  ),
}
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

  test('refuses one broken value for each rule', () => {
    const accepted = verdictsOf(Object.values(broken)).flatMap((isValid, at) =>
      isValid ? [Object.keys(broken)[at]] : [],
    )
    expect(accepted).toEqual([])
  })
})

test('the service refuses the same broken values', () => {
  for (const document of Object.values(broken))
    expect(() => parseCloudProfile(document)).toThrow('Invalid cloud profile')
})
