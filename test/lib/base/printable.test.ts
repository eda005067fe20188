import { expect, test } from 'vitest'
import {
  escapeHidden,
  printable,
  printableJson,
  quote,
  shortPrintable,
  showValue,
  withoutHidden,
} from '../../../src/lib/base/printable.ts'
import { secretInFile } from '../../../src/lib/base/secret.ts'
import { startCpuTime } from '../../support/cpu-time.ts'

const hidden = [
  ['a line break', '\n', String.raw`\u000a`],
  ['an escape of a terminal', '\u001b', String.raw`\u001b`],
  ['a mark that turns the direction of reading', '\u202e', String.raw`\u202e`],
  ['a half of a character', '\ud800', String.raw`\ud800`],
  ['a character beyond 16 bits', '\u{e0001}', String.raw`\udb40\udc01`],
] as const

test.each(hidden)('%s is shown as an escape, which JSON reads, or taken out', (_name, character, escape) => {
  expect(escapeHidden(`a${character}b`)).toBe(`a${escape}b`)
  expect(JSON.parse(quote(`a${character}b`))).toBe(`a${character}b`)
  expect(withoutHidden(`a${character}b`, 10)).toBe('ab')
})

test.each([
  ['##vso[task.setvariable variable=x]y', '\\u0023#vso[task.setvariable variable=x]y'],
  ['a cloud ##[error]x', 'a cloud \\u0023#[error]x'],
  ['::stop-commands::x', '\\u003a:stop-commands::x'],
  ['##VSO[x] ::Debug::', '\\u0023#VSO[x] \\u003a:Debug::'],
])('an order to a pipeline is shown, and not obeyed: %s', (order, shown) => {
  expect(printable(order)).toBe(shown)
  const json = printableJson({ name: [order, '\u202e'] })
  expect(json).not.toMatch(/##|(?<!\w):[:]|\u202e/)
  expect(JSON.parse(json)).toEqual({ name: [order, '\u202e'] })
})

const harmless = [
  '::1',
  'fe80::dead beef',
  '## heading',
  'https://portal.test/#home',
  'std::a::b',
  'Über „é“ 雲 🙂 a-z',
]
test.each(harmless)('%s orders nothing, and stays as it is', (text) => {
  expect([printable(text), withoutHidden(text, 100)]).toEqual([text, text])
})

test('a text that is too long is cut, and says so', () => {
  expect(shortPrintable('abcdef', 3)).toBe('abc…')
  expect(printable('a\nb\tc')).toBe(String.raw`a\nb\tc`)
  expect(withoutHidden('abcdef', 3)).toBe('abc')
})

test.each<[unknown, string]>([
  // User information, however the URL is written.
  ['https://user:hunter2@host/', '"https://[redacted]@host/"'],
  ['https://user:hunter2@more@host/', '"https://[redacted]@host/"'],
  ['user:hunter2@host/', '"user:[redacted]@host/"'],
  ['//user:hunter2@host/', '"//user:[redacted]@host/"'],
  [`https://${'x'.repeat(5000)}@host/`, '"https://[redacted]@host/"'],
  ['https://host/?sig=hunter2', '"https://host/?[redacted]"'],
  ['https://host/#x=hunter2', '"https://host/#[redacted]"'],
  ['?sig=hunter2', '"?[redacted]"'],
  ...['0 0 12 ? * 1', 'a@b', 'https://host/', 'https://host/?', ''].map((text): [string, string] => [
    text,
    `"${text}"`,
  ]),
  ['x'.repeat(120), `"${'x'.repeat(120)}"`],
  ['x'.repeat(121), `"${'x'.repeat(120)}…"`],
  [null, 'null'],
  [[1], 'an array'],
  [{}, 'an object'],
])('the value %j is shown as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown)
})

test('a megabyte of any one character is shown at once', () => {
  const cpuTime = startCpuTime()
  for (const character of [':', '/', '@', '?', '\\', 'x', '.', '\u0000']) showValue(`a:${character.repeat(1_000_000)}`)
  expect(cpuTime()).toBeLessThan(1000)
})

test('a secret in a file loses its byte order mark and the line breaks at its end, and keeps all others', () => {
  expect(secretInFile(new TextEncoder().encode('\u{feff}a\n b \r\n\n'))).toBe('a\n b ')
})
