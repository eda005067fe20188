import { html, type Content } from './html.ts'

/** Longer text is cut, so that one field cannot fill the page. Characters. */
const longest = 2000

// Controls, bidi and zero-width characters, unassigned and private ones, and every space but the ordinary one:
// whatever could hide or reorder text. A newline is not hidden: it breaks the line.
const hidden = /(?!\n)(?:[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs})/gu

/** Text of another system, made safe for the page: hidden characters become visible, and an empty value gets a word. */
export function shownText(value: string, most = longest): Content {
  if (value.trim() === '') return html`<i class="none">empty</i>`
  const { text, cut } = cutText(value, most)
  const showLines = (plain: string) => plain.split('\n').map((line, index) => [index > 0 && html`<br />`, line])
  const parts: Content[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    parts.push(showLines(text.slice(end, match.index)), html`<b class="hidden">${codePoint(match[0])}</b>`)
    end = match.index + match[0].length
  }
  parts.push(showLines(text.slice(end)))
  if (cut > 0) parts.push(html` <i class="none">… and ${cut} more characters</i>`)
  return parts
}

/** As {@link shownText}, for plain text on one line: a title, an attribute, the support report. */
export function plainText(value: string, most = longest): string {
  const { text, cut } = cutText(value, most)
  return text.replace(hidden, (character) => `<${codePoint(character)}>`).replaceAll('\n', ' ⏎ ') + (cut > 0 ? '…' : '')
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function cutText(value: string, most: number): { text: string; cut: number } {
  const lines = value.replaceAll('\r\n', '\n')
  if (lines.length <= most) return { text: lines, cut: 0 }
  // A cut between the two halves of a surrogate pair would leave half a character.
  const text = lines.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return { text, cut: lines.length - text.length }
}
