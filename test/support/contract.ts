import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Texts<Value> = Readonly<Record<string, Value>>
interface Operation {
  readonly responses: Texts<{ readonly content?: Texts<{ readonly schema: { readonly $ref?: string } }> }>
}

const document = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly schemas: object }
  readonly paths: Texts<Texts<Operation>>
}
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['components'])
ajv.addSchema({ $id: 'openapi.json', components: document.components })

/** How a body differs from its schema in docs/reference/openapi.json. */
export function contractProblems(schema: string, body: unknown): string[] {
  const validate = ajv.getSchema(`openapi.json#/components/schemas/${schema}`)
  if (validate === undefined) throw new Error(`docs/reference/openapi.json has no schema ${schema}`)
  // As it is sent.
  if (validate(JSON.parse(JSON.stringify(body)))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** How the response of a documented route differs from docs/reference/openapi.json. A route that isn't documented has no contract. */
export async function differences(method: string, path: string, response: Response): Promise<string[]> {
  const [pathname = ''] = path.split('?')
  const operation = document.paths[pathname]?.[method.toLowerCase()]
  if (operation === undefined) return []
  const documented = operation.responses[response.status]
  if (documented === undefined) return [`status ${response.status}`]
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  // Without a content type there is no body: the server answered in place of the route.
  if (documented.content === undefined || type === '') return []
  const schema = documented.content[type]?.schema
  if (schema === undefined) return [`content type ${type}`]
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? [] : contractProblems(name, await response.clone().json())
}
