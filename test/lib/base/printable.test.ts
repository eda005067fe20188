import { expect, test } from 'vitest'
import {
  escapeHidden,
  printable,
  printableJson,
  quote,
  shortPrintable,
  withoutHidden,
} from '../../../src/lib/base/printable.ts'

const hidden = [
  ['a line break', '\n', String.raw`\u000a`],
  ['an escape of a terminal', '\u001b', String.raw`\u001b`],
  ['a mark that turns the direction of reading', '\u202e', String.raw`\u202e`],
  ['a space of no width', '\u200b', String.raw`\u200b`],
  ['a filler that looks like nothing', '\u3164', String.raw`\u3164`],
  ['a half of a character', '\ud800', String.raw`\ud800`],
  ['a character beyond 16 bits', '\u{e0001}', String.raw`\udb40\udc01`],
] as const

test.each(hidden)('%s is shown as an escape, or taken out', (_name, character, escape) => {
  expect(escapeHidden(`a${character}b`)).toBe(`a${escape}b`)
  expect(withoutHidden(`a${character}b`, 10)).toBe('ab')
})

test('an escape is one that JSON reads', () => {
  for (const [, character] of hidden) expect(JSON.parse(quote(`a${character}b`))).toBe(`a${character}b`)
})

test.each([
  ['##vso[task.setvariable variable=x]y', '\\u0023#vso[task.setvariable variable=x]y'],
  ['a cloud ##[error]x', 'a cloud \\u0023#[error]x'],
  ['::stop-commands::x', '\\u003a:stop-commands::x'],
  [' ::error file=a,line=1::x', ' \\u003a:error file=a,line=1::x'],
  ['##VSO[x] ::Debug::', '\\u0023#VSO[x] \\u003a:Debug::'],
])('an order to a pipeline is shown, and not obeyed: %s', (order, shown) => {
  expect(printable(order)).toBe(shown)
  const json = printableJson({ name: [order, '\u202e'] })
  expect(json).not.toMatch(/##|(?<!\w):[:]|\u202e/)
  expect(JSON.parse(json)).toEqual({ name: [order, '\u202e'] })
})

test.each([
  'fe80::1',
  '::1',
  'fe80::dead beef',
  'a::b',
  '## heading',
  'https://portal.test/#home',
  'Foo::Bar',
  'std::a::b',
])('%s orders nothing, and stays as it is', (text) => expect(printable(text)).toBe(text))

test('what people write stays as it is', () => {
  const text = 'Über-Cloud „é“ 雲 🙂 a-z'
  expect(printable(text)).toBe(text)
  expect(withoutHidden(text, 100)).toBe(text)
})

test('a text that is too long is cut, and says so', () => {
  expect(shortPrintable('abcdef', 3)).toBe('abc…')
  expect(printable('a\nb\tc')).toBe(String.raw`a\nb\tc`)
  expect(withoutHidden('abcdef', 3)).toBe('abc')
})
