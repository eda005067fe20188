import { profileTable } from '../../src/lib/profile/profile-table.ts'
import type { Field, Rule } from '../../src/lib/profile/field.ts'
import * as kinds from '../../src/lib/profile/field.ts'

type Schema = Record<string, unknown>

/** Every exported list of rules, by name. */
const ruleLists: readonly (readonly [name: string, rules: readonly Rule[]])[] = Object.entries(kinds).flatMap(
  ([name, value]) => (Array.isArray(value) ? [[name, value as readonly Rule[]] as const] : []),
)

const unknownField = { deprecated: true, deprecationMessage: 'No profile has this field; it is ignored.' }

/**
 * The JSON schema of a profile file (draft 2020-12), made from the table. Unknown fields are allowed, but an editor marks them.
 * `patternErrorMessage`, `errorMessage` and `deprecationMessage` are keywords that editors understand and other validators ignore.
 */
export function createProfileJsonSchema(): Schema {
  const { properties, ...schema } = keywordsOf(profileTable)
  const definitions = ruleLists
    .map(([name, rules]): [string, Schema] => [name, schemaOf(rules)])
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:cloud-profile-service:schema:cloud-profile',
    title: 'Cloud profile',
    description: profileTable.description,
    $comment: `The service also checks: ${kinds.checkedByCodeOnly}.`,
    ...schema,
    properties: {
      $schema: { type: 'string', description: 'Address of this schema, for editors.' },
      ...(properties as Schema),
    },
    $defs: Object.fromEntries(definitions),
  }
}

function describe(key: string, field: Field): Schema {
  const { description, examples } = field
  if (description === undefined) return keywordsOf(field)
  const shown = field.kind === 'list' ? examples?.map((example) => [example]) : examples
  return { title: titleOf(key), description, ...keywordsOf(field), ...(shown === undefined ? {} : { examples: shown }) }
}

function keywordsOf(field: Field): Schema {
  switch (field.kind) {
    case 'text':
      return { type: 'string', ...valuesOf(field.rules, field.isOptional) }
    case 'choice':
      return { type: 'string', enum: field.words }
    case 'number':
      return { type: 'integer', minimum: 1, maximum: field.most }
    case 'flag':
      return { type: 'boolean' }
    case 'list':
      return { type: 'array', items: { type: 'string', ...valuesOf(field.rules) } }
    case 'record':
      return {
        type: 'object',
        propertyNames: valuesOf(field.names),
        additionalProperties: keywordsOf(field.values),
      }
    case 'group': {
      const entries = Object.entries(field.fields)
      const required = entries.flatMap(([key, { isOptional }]) => (isOptional === true ? [] : [key]))
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([key, each]) => [key, describe(key, each)])),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: unknownField,
      }
    }
  }
}

/** `Key vault` for `keyVault`. */
function titleOf(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\b(?:arm|dns|id|sql|url)\b/gi, (word) =>
    word.toUpperCase(),
  )
}

function valuesOf(rules: readonly Rule[], isOptional = false): Schema {
  const [name] = ruleLists.find(([, known]) => known === rules) ?? []
  if (name === undefined) throw new Error('field.ts exports every list of rules by name')
  const reference = { $ref: `#/$defs/${name}` }
  // A blank optional field counts as absent.
  return isOptional ? { anyOf: [reference, { type: 'string', pattern: '^\\s*$' }] } : reference
}

function schemaOf(rules: readonly Rule[]): Schema {
  const limits = rules.flatMap((rule) => ('atMost' in rule ? [{ maxLength: rule.atMost }] : []))
  const patterns = rules.flatMap((rule): Schema[] => {
    if ('has' in rule) return [{ pattern: rule.has.source, patternErrorMessage: rule.message }]
    return 'hasNot' in rule ? [{ not: { pattern: rule.hasNot.source }, errorMessage: rule.message }] : []
  })
  return Object.assign({ type: 'string' }, ...limits, { allOf: patterns }) as Schema
}
