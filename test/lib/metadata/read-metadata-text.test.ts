import { expect, test } from 'vitest'
import { readMetadataText } from '../../../src/lib/metadata/discover-cloud.ts'

const document = '{"authentication":{"loginEndpoint":"https://login.enclave.test/","audiences":["https://a.test"]}}'

test('a byte order mark and white space around the document do not matter', () => {
  expect(readMetadataText(`\u{feff}\n ${document} \r\n`, 'm.test')).toStrictEqual(JSON.parse(document))
})

test('a document is said to break off wherever it is cut', () => {
  for (let length = 1; length < document.length; length++) {
    expect(() => readMetadataText(document.slice(0, length), 'm.test')).toThrow(/m\.test .*breaks off before its end/)
  }
})

test.each([
  ['an empty body', ' \n', /an empty body/],
  ['a page', '<!DOCTYPE html><title>Sign in</title>', /a page of HTML or XML/],
  ['UTF-16', Buffer.from(`\u{feff}${document}`, 'utf16le').toString('utf8'), /UTF-16/],
  ['UTF-16 without a mark', Buffer.from(document, 'utf16le').toString('utf8'), /UTF-16/],
  ['Latin-1', Buffer.from('{"name":"Z\u00fcrich"}', 'latin1').toString('utf8'), /not UTF-8/],
  ['plain text', 'not found', /something that is not JSON/],
  ['text after the document', `${document} and more`, /something that is not JSON/],
])('%s is refused by name', (_name, text, message) => {
  expect(() => readMetadataText(text, 'm.test')).toThrow(
    expect.objectContaining({ code: 'METADATA_RESPONSE_INVALID', message: expect.stringMatching(message) as string }),
  )
})

test('nothing of the body is quoted', () => {
  expect(() => readMetadataText('{"secret-of-theirs": oops', 'm.test')).toThrow(/^(?!.*secret-of-theirs)/)
})
