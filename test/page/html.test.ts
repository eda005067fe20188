import { describe, expect, test } from 'vitest'
import { html, trusted, webAddress } from '../../src/page/html.ts'

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
