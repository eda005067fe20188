import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadPackage } from '../../support/some-packages.ts'
import { profileDocument, profileWithout } from '../../support/profile-document.ts'

const schemaUri = 'file:///cloud-profiles/schema.json'
const schema = JSON.parse(readFileSync(new URL('../../../cloud-profiles/schema.json', import.meta.url), 'utf8')) as {
  readonly $id?: string
}

/** What of the package of editors is used here. */
interface JsonService {
  readonly TextDocument: { create(uri: string, language: string, version: number, text: string): object }
  getLanguageService: (options: object) => {
    configure(options: object): void
    parseJSONDocument(text: object): object
    doValidation(text: object, document: object, options: object): Promise<readonly Mark[]>
  }
}
interface Mark {
  /** 1 is an error, 2 a warning. */
  readonly severity?: number
  readonly message: string | { readonly value: string }
}
const { TextDocument, getLanguageService } = await loadPackage<JsonService>('vscode-json-languageservice')

/** What an editor shows for a document that names the schema, as `severity message`. */
async function markedBy(document: object): Promise<string[]> {
  const service = getLanguageService({ schemaRequestService: async () => JSON.stringify(schema) })
  service.configure({ validate: true, schemas: [{ uri: schemaUri, fileMatch: ['*.json'], schema }] })
  const text = TextDocument.create(
    'file:///cloud-profiles/enclave.json',
    'json',
    1,
    JSON.stringify(document, undefined, 2),
  )
  const marks = await service.doValidation(text, service.parseJSONDocument(text), {
    schemaValidation: 'error',
    schemaRequest: 'error',
  })
  return marks.map(({ severity, message }) => {
    const text = typeof message === 'string' ? message : message.value
    return `${severity === 2 ? 'warning' : 'error'}: ${text}`
  })
}

test('the schema has a name that no program fetches', () => {
  expect(schema.$id).toMatch(/^urn:/)
})

test('an editor marks nothing in a profile', async () => {
  expect(await markedBy({ $schema: './schema.json', ...profileDocument() })).toEqual([])
})

test.each([
  ['authorityHost', 'https://login.enclave.example', 'error: must end with "/"'],
  ['name', ' ', 'error: must not be empty'],
])('%s = %j is marked in the words of the start', async (path, value, mark) => {
  expect(await markedBy(profileDocument({ [path]: value }))).toEqual([mark])
})

test('an optional field may be blank', async () => {
  expect(await markedBy(profileDocument({ tenantId: '' }))).toEqual([])
})

test('an unknown field is a warning, in a group too', async () => {
  const document = profileDocument()
  const serviceAudiences = { ...document.serviceAudiences, sql: 'x' }
  const warning = 'warning: No profile has this field; it is ignored.'
  expect(await markedBy({ ...document, portalURL: 'x', serviceAudiences })).toEqual([warning, warning])
})

test('a missing field is an error that names it', async () => {
  expect(await markedBy(profileWithout('authorityHost'))).toEqual([expect.stringMatching(/^error: .*"authorityHost"/)])
})
