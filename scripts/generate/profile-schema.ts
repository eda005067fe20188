import * as z from 'zod/mini'
import { cloudProfileSchema } from '../../src/lib/clouds/cloud-profile.ts'
import { fieldFacts, type Rule } from '../../src/lib/clouds/field-rules.ts'

/** The rules that schema.json can't express. */
const checkedByCodeOnly =
  'ports up to 65535, percent escapes of a host name (https://%zz/), suffixes that end like an IPv4 address (.10.0.0.1), and that absent names no field with a value'

type Schema = z.core.JSONSchema.JSONSchema

/** The JSON schema of a profile file (draft 7), for any standard validator. Unknown fields are valid. */
export function createProfileJsonSchema(): Schema {
  const { $schema, properties, ...schema } = schemaOf('input')
  return {
    ...($schema === undefined ? {} : { $schema }),
    $id: 'urn:cloud-profile-service:schema:cloud-profile',
    title: 'Cloud profile',
    $comment: `The service also checks: ${checkedByCodeOnly}.`,
    ...schema,
    properties: { $schema: { type: 'string', description: 'Address of this schema, for editors.' }, ...properties },
  }
}

/** The JSON schema of a resolved profile. Unknown fields are invalid. */
export function resolvedProfileSchema(): Schema {
  const { $schema: _draft, ...schema } = schemaOf('output')
  return schema
}

const rulesOf = ({ _zod }: z.core.$ZodCheck) =>
  (_zod.def as { params?: { rules?: readonly Rule<never>[] } }).params?.rules ?? []

const schemaOf = (io: 'input' | 'output'): Schema =>
  z.toJSONSchema(cloudProfileSchema, {
    target: 'draft-7',
    io,
    metadata: fieldFacts,
    override({ zodSchema, jsonSchema }) {
      delete jsonSchema['overrides']
      const { type, checks = [] } = zodSchema._zod.def
      for (const { keywords = {} } of checks.flatMap(rulesOf)) {
        const isTaken = Object.keys(keywords).some((key) => key !== 'type' && key in jsonSchema)
        if (isTaken || 'not' in keywords) (jsonSchema.allOf ??= []).push(keywords)
        else Object.assign(jsonSchema, keywords)
      }
      // A blank optional field counts as absent.
      if (io === 'output' || type !== 'optional' || jsonSchema.type !== 'string') return
      const rules: Schema = {}
      for (const key of ['maxLength', 'pattern', 'allOf'] as const) {
        if (jsonSchema[key] !== undefined) Object.assign(rules, { [key]: jsonSchema[key] })
        delete jsonSchema[key]
      }
      jsonSchema.anyOf = [rules, { pattern: '^\\s*$' }]
    },
  })
