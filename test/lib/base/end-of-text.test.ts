import { expect, test } from 'vitest'
import { endOfText } from '../../../src/lib/base/end-of-text.ts'

test.each([
  ['import armClient', /\w/, 'armClient'],
  ['a, b', /\w/, 'b'],
  ['all', /\w/, 'all'],
  ['ends here.', /\w/, ''],
  ['', /\w/, ''],
  ['secret\r\n\n', /[\r\n]/, '\r\n\n'],
])('the end of %j in which each character fits %s is %j', (text, character, end) => {
  expect(endOfText(text, character)).toBe(end)
})
