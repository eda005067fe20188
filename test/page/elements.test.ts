import { describe, expect, test } from 'vitest'
import { html } from '../../src/page/html.ts'
import { plainText, shownText } from '../../src/page/elements.ts'

const shown = (value: string, most?: number) => html`${shownText(value, most)}`.toString()

describe('shownText', () => {
  test.each([
    ['a right-to-left override', '\u202E', 'U+202E'],
    ['a zero-width space', '\u200B', 'U+200B'],
    ['a no-break space', '\u00A0', 'U+00A0'],
    ['a line separator', '\u2028', 'U+2028'],
    ['a tag character', '\u{E0041}', 'U+E0041'],
    ['half a surrogate pair', '\uD800', 'U+D800'],
  ])('%s shows its number instead of working', (_, character, number) => {
    expect(shown(`a${character}b`)).toBe(`a<b class="hidden">${number}</b>b`)
  })

  test('letters of any script and emoji are left alone', () => {
    expect(shown('Zürich Ωmega 中国 שלום 🚀')).toBe('Zürich Ωmega 中国 שלום 🚀')
  })

  test('an empty value says so', () => {
    expect(shown('')).toContain('>empty<')
    expect(shown('  ')).toContain('>empty<')
  })

  test('line breaks of any kind of system become line breaks', () => {
    expect(shown('a\nb\r\nc')).toBe('a<br />b<br />c')
  })

  test('2000 characters are shown in full and the 2001st is counted', () => {
    expect(shown('A'.repeat(2000))).toBe('A'.repeat(2000))
    expect(shown('A'.repeat(2001))).toMatch(/^A{2000} <i class="none">… and 1 more characters<\/i>$/)
  })

  test('a cut never halves a character', () => {
    expect(shown('ab🚀', 3)).toMatch(/^ab <i/)
  })
})

test('plainText keeps everything on one line and spells out what hides', () => {
  expect(plainText('a\nb\u202Ec')).toBe('a ⏎ b<U+202E>c')
  expect(plainText('abcdef', 3)).toBe('abc…')
})
