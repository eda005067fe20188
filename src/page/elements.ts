import type { Check, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, type Content, type Markup } from './html.ts'

/** A verdict as people read it. */
export const verdictWords: Readonly<Record<ReportStatus, string>> = {
  ok: 'OK',
  warning: 'Warning',
  failed: 'Failed',
  pending: 'Waiting for sign-in',
}

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

/** As {@link shownText}, for sentences: a name in backticks becomes code. */
export function proseText(value: string): Content {
  if (value.trim() === '' || value.length > longest) return shownText(value)
  return value
    .split(/`([^`\n]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? html`<code>${shownText(part)}</code>` : part.trim() === '' ? part : shownText(part),
    )
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

/** A name and its value. A value of `undefined` or `false` is left out. */
export type Fact = readonly [name: string, value: Content]

/** Names and values as a description list. */
export function factList(facts: readonly Fact[], className = 'rows'): Markup {
  const pairs = facts
    .filter(([, value]) => value !== undefined && value !== false)
    .map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )
  return html`<dl class="${className}">${pairs}</dl>`
}

/** A literal value: monospaced, unbroken, with hidden characters visible. */
export function codeValue(value: string | undefined): Markup | undefined {
  return value === undefined ? undefined : html`<code>${shownText(value)}</code>`
}

/** A folded part of the page. @param note A summary, visible while the part is folded. */
export function fold(id: string, title: string, note: Content, content: Content): Markup {
  return html`<details class="${id}">
    <summary>
      <h2>${title}</h2>
      ${note !== undefined && note !== false && html`<span class="note">${note}</span>`}
    </summary>
    ${content}
  </details>`
}

/** A bar of the part that is left, such as of a lifetime. Decorative: the words beside it have the same meaning. @param share 0 to 1. */
export function shareBar(share: number, status: Check['status']): Markup {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return html`<svg class="bar ${status}" aria-hidden="true">
    <rect width="${percent}%" />
  </svg>`
}
