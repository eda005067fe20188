import * as z from 'zod/v4/core'
import { profileTable } from '../../src/lib/profile/cloud-profile.ts'
import { factsOf, type Rule } from '../../src/lib/profile/field.ts'
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
  const { $schema, properties, ...schema } = z.toJSONSchema(profileTable, { io: 'input', override: describe }) as Schema
  const definitions = ruleLists
    .map(([name, rules]): [string, Schema] => [name, schemaOf(rules)])
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
  return {
    $schema,
    $id: 'urn:cloud-profile-service:schema:cloud-profile',
    title: 'Cloud profile',
    description: 'Every environment-specific value of one cloud.',
    $comment: `The service also checks: ${kinds.checkedByCodeOnly}.`,
    ...schema,
    properties: {
      $schema: { type: 'string', description: 'Address of this schema, for editors.' },
      ...(properties as Schema),
    },
    additionalProperties: unknownField,
    $defs: Object.fromEntries(definitions),
  }
}

interface DescribedNode {
  readonly zodSchema: z.$ZodType
  readonly jsonSchema: Schema
  readonly path: readonly (string | number)[]
}

/** Puts the facts of the table on a node of the schema. */
function describe({ zodSchema, jsonSchema, path }: DescribedNode): void {
  const isOptional = zodSchema instanceof z.$ZodOptional
  const facts = factsOf(zodSchema)
  if (facts === undefined) return
  const { description, examples, rules, most } = facts
  // Keywords that an optional field inherits from the field itself.
  const { $ref: _reference, ...keywords } = jsonSchema
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
  Object.assign(jsonSchema, { title: titleOf(path), description, ...keywords })
  if (most !== undefined) Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: most })
  if (rules !== undefined && keywords['type'] !== 'object') Object.assign(jsonSchema, valuesOf(rules, isOptional))
  if (rules !== undefined && keywords['type'] === 'object') jsonSchema['propertyNames'] = valuesOf(rules, false)
  if ('properties' in keywords) jsonSchema['additionalProperties'] = unknownField
  if (examples !== undefined) Object.assign(jsonSchema, { examples })
}

/** `Key vault` for `keyVault`. */
function titleOf(path: readonly (string | number)[]): string {
  const key = String(path.findLast((part) => part !== 'items' && part !== 'additionalProperties'))
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\b(?:arm|dns|id|sql|url)\b/gi, (word) =>
    word.toUpperCase(),
  )
}

function valuesOf(rules: readonly Rule[], isOptional: boolean): Schema {
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
