import { describe, expect, test } from 'vitest'
import { html, trusted, webAddress } from '../../src/page/html.ts'
import { runInNewContext } from 'node:vm'
import { distanceText, elapsedText, plainText, secondsFrom } from '../../src/page/elements.ts'
import { shownText, timeElement, utcText } from '../../src/page/elements.ts'

const hostile = `<b a="1" b='2'>&amp;`
const escaped = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;'

describe('html', () => {
  const item = (text: string) => html`<li>${text}</li>`
  // prettier-ignore
  test.each([
    ['text is escaped', html`<p>${hostile}</p>`, `<p>${escaped}</p>`],
    ['a double-quoted value is escaped', html`<p title="${hostile}"></p>`, `<p title="${escaped}"></p>`],
    ['a single-quoted value is escaped', html`<p title='${hostile}'></p>`, `<p title='${escaped}'></p>`],
    ['markup stays markup, in lists of any depth', html`<ul>${[item('a'), [item('<'), ['>']]]}</ul>`, '<ul><li>a</li><li>&lt;</li>&gt;</ul>'],
    ['zero is written', html`<p>${0}</p>`, '<p>0</p>'],
    ['undefined, false and an empty text leave nothing', html`<p>${undefined}${false}${''}</p>`, '<p></p>'],
  ])('%s', (_, markup, expected) => {
    expect(markup.toString().replace(/\n\s*/g, '')).toBe(expected)
  })

  test('an object that only looks like markup is refused', () => {
    const forged = { toString: () => '<script>' } as unknown as string
    expect(() => html`<p>${forged}</p>`).toThrow(TypeError)
  })

  test('a value without quotes is refused, whatever it is', () => {
    // prettier-ignore
    expect(() => html`<p title=${'harmless'}></p>`).toThrow('must stand in quotes')
    // prettier-ignore
    expect(() => html`<p title = ${trusted('x')}></p>`).toThrow('must stand in quotes')
  })

  test.each(['href', 'src', 'action', 'formaction'])('any plain text as %s is refused', (name) => {
    const strings = Object.assign([`<a ${name}="`, '"></a>'], { raw: [] })
    expect(() => html(strings, 'https://x/')).toThrow('takes a webAddress()')
  })

  test.each(['script', 'style'])('plain text inside %s is refused', (name) => {
    const strings = Object.assign([`<${name}>`, `</${name}>`], { raw: [] })
    expect(() => html(strings, 'x')).toThrow('takes trusted() text')
  })
})

describe('webAddress', () => {
  test.each([
    ['https://login.example/device', 'https://login.example/device'],
    ['HTTP://LOGIN.example', 'http://login.example/'],
    ['https://login.example/a?b=1&c="2"', 'https://login.example/a?b=1&amp;c=%222%22'],
    ["https://login.example/it's", 'https://login.example/it&#39;s'],
  ])('%s is one', (address, attribute) => {
    expect(webAddress(address)?.toString()).toBe(attribute)
    expect(html`<a href="${webAddress(address)}"></a>`.toString()).toBe(`<a href="${attribute}"></a>`)
  })

  test.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'https://bank.example@login.example/',
    'https://:secret@login.example/',
    '//login.example/',
    'login.example',
    '',
  ])('%j is not one', (address) => {
    expect(webAddress(address)).toBeUndefined()
  })
})

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

  test.each([
    ['letters of any script and emoji are left alone', 'Zürich Ωmega 中国 שלום 🚀', /^Zürich Ωmega 中国 שלום 🚀$/u],
    ['an empty value says so', '', />empty</],
    ['a blank value is empty', '  ', />empty</],
    ['line breaks of any system become line breaks', 'a\nb\r\nc', /^a<br \/>b<br \/>c$/],
    ['2000 characters are shown in full', 'A'.repeat(2000), /^A{2000}$/],
    ['the 2001st is counted', 'A'.repeat(2001), /^A{2000} <i class="none">… and 1 more characters<\/i>$/],
  ])('%s', (_, text, html) => {
    expect(shown(text)).toMatch(html)
  })

  test('a cut never halves a character', () => {
    expect(shown('ab🚀', 3)).toMatch(/^ab <i/)
  })
})

test('plainText keeps everything on one line and spells out what hides', () => {
  expect(plainText('a\nb\u202Ec')).toBe('a ⏎ b<U+202E>c')
  expect(plainText('abcdef', 3)).toBe('abc…')
})

const now = new Date('2026-11-21T02:10:00.000Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

test('a point in time with any offset is shown in UTC', () => {
  expect(utcText('2026-11-21T03:10:00+01:00')).toBe('2026-11-21 02:10:00 UTC')
  const element = html`${timeElement('2026-11-21T02:10:00Z')}`
  expect(String(element)).toBe('<time datetime="2026-11-21T02:10:00Z">2026-11-21 02:10:00 UTC</time>')
})

test.each([
  ['<soon>', '&lt;soon&gt;'],
  ['2026-13-45T99:99:99Z', '2026-13-45T99:99:99Z'],
])('%s is no date, and is shown as it is', (text, shown) => {
  expect(html`${timeElement(text)}`.toString()).toBe(shown)
  expect(secondsFrom(text, now)).toBeUndefined()
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.7, '1.0 s'],
  [1240, '1.2 s'],
])('%d milliseconds read %s', (milliseconds, text) => {
  expect(elapsedText(milliseconds)).toBe(text)
})

describe('distanceText', () => {
  test.each([
    [59, 'in 59 s'],
    [90, 'in 2 min'],
    [5400, 'in 2 h'],
    [259_200, 'in 3 days'],
    [-600, '10 min ago'],
    [-259_200, '3 days ago'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(distanceText(secondsFrom(after(seconds), now) ?? Number.NaN)).toBe(text)
  })

  test('without a side is a length, and needs nothing of its module: the page inlines its source', () => {
    expect(distanceText(-90, false)).toBe('2 min')
    const alone: unknown = runInNewContext(`(${String(distanceText)})(-259200)`)
    expect(alone).toBe('3 days ago')
  })
})
