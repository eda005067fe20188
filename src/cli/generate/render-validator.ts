import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { createProfileJsonSchema } from '../../lib/profile/json-schema.ts'

/**
 * The schema phase as plain code, made by ajv from the profile's JSON schema: building a validator at every cold start
 * would cost more than all the rest of resolving a profile.
 */
export function renderValidator(): string {
  const ajv = new Ajv2020({
    allErrors: true,
    messages: false,
    unicodeRegExp: false,
    code: { source: true, esm: true, lines: true },
  })
  ajv.addSchema(withoutAnnotations(createProfileJsonSchema()), 'profile')
  const code = standalone.default(ajv, { validateProfile: 'profile' })
  if (code.includes('require(')) throw new Error('The validator must need nothing at run time')
  return `// Made from src/lib/profile/json-schema.ts by npm run generate.\n${code.trim()}\n`
}

/** What is for editors only would be carried along. No field of a profile has one of these names. */
function withoutAnnotations(schema: object): object {
  const annotations = new Set(['$schema', 'title', 'description', 'examples'])
  const text = JSON.stringify(schema, (key, value: unknown) => (annotations.has(key) ? undefined : value))
  return JSON.parse(text) as object
}
