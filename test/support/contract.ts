import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly schemas: object }
}
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'deprecationMessage'])
ajv.addSchema({ $id: 'openapi.json', components: document.components })

/** How a body differs from its schema in docs/openapi.json. */
export function contractProblems(schema: string, body: unknown): string[] {
  const validate = ajv.getSchema(`openapi.json#/components/schemas/${schema}`)
  if (validate === undefined) throw new Error(`docs/openapi.json has no schema ${schema}`)
  // As it is sent.
  if (validate(JSON.parse(JSON.stringify(body)))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
