import { isoDate } from '../lib/base/dates.ts'
import type { Check, Glyph, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, trusted, type Content, type Markup } from './html.ts'

/** A verdict as people read it. */
export const verdictWords: Readonly<Record<ReportStatus, string>> = {
  ok: 'OK',
  warning: 'Warning',
  failed: 'Failed',
  pending: 'Waiting for sign-in',
}

/** Longer text is cut, so that one value can't fill the page. Characters. */
const longest = 2000

// Characters that can hide or reorder text: control, bidi, zero-width, unassigned and private ones, and every space except U+0020.
// A newline isn't one of them: it breaks the line. The group makes `split` keep them.
const hidden = /((?!\n)(?:[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}))/gu

/** Makes text of other systems safe to read: hidden characters become visible, and an empty value is called empty. */
export function shownText(value: string, most = longest): Content {
  if (value.trim() === '') return html`<i class="none">empty</i>`
  const { text, cut } = cutText(value, most)
  const linesOf = (plain: string) => plain.split('\n').map((line, index) => [index > 0 && html`<br />`, line])
  const parts = text
    .split(hidden)
    .map((part, index) => (index % 2 === 1 ? html`<b class="hidden">${codePoint(part)}</b>` : linesOf(part)))
  return [parts, cut > 0 && html` <i class="none">… and ${cut} more characters</i>`]
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

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

function cutText(value: string, most: number): { text: string; cut: number } {
  const lines = value.replaceAll('\r\n', '\n')
  if (lines.length <= most) return { text: lines, cut: 0 }
  // Don't cut between the halves of a surrogate pair.
  const text = lines.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
  return { text, cut: lines.length - text.length }
}

/** A name and a value. A fact with the value `undefined` or `false` is left out. */
export type Fact = readonly [name: Content, value: Content]

/** Names and values as a description list. */
export function factList(facts: readonly Fact[], className = 'rows'): Markup {
  const pairs = facts.map(
    ([name, value]) =>
      value !== undefined &&
      value !== false &&
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  )
  return html`<dl class="${className}">${pairs}</dl>`
}

/** A value in code style, with hidden characters visible. */
export const codeValue = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : html`<code>${shownText(value)}</code>`

/** A fold of the page. @param note A summary that is visible while it is closed. */
export function fold(id: string, title: string, note: Content, content: Content): Markup {
  return html`<details class="${id}">
    <summary>
      <h2>${title}</h2>
      ${note !== undefined && note !== false && html`<span class="note">${note}</span>`}
    </summary>
    ${content}
  </details>`
}

/** Each icon has another outline, so that it is readable without color. */
type IconName = ReportStatus | 'skip'

/** Outlines of 24 by 24 units. The sign is cut out of the shape, so that one color is enough. */
const shapes: Readonly<Record<IconName, string>> = {
  ok: 'M12 1a11 11 0 1 1 0 22a11 11 0 0 1 0-22zM10.4 17.2l7.4-7.6l-1.9-1.9l-5.5 5.7l-2.5-2.5l-1.9 1.9z',
  warning: 'M12 1.5l11.2 20.4h-22.4zM10.8 9v6.4h2.4v-6.4zM10.8 17v2.4h2.4v-2.4z',
  failed:
    'M7.4 1h9.2l6.4 6.4v9.2l-6.4 6.4h-9.2l-6.4-6.4v-9.2zM8.3 6.5l-1.8 1.8l3.7 3.7l-3.7 3.7l1.8 1.8l3.7-3.7l3.7 3.7l1.8-1.8l-3.7-3.7l3.7-3.7l-1.8-1.8l-3.7 3.7z',
  pending: 'M12 1a11 11 0 1 1 0 22a11 11 0 0 1 0-22zM10.8 5.5v7.1l4.9 3l1.3-2l-3.8-2.4v-5.7z',
  skip: 'M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM12 5.2a6.8 6.8 0 1 0 0 13.6a6.8 6.8 0 0 0 0-13.6zM8 10.9h8v2.2h-8z',
}

/** The icons of the nodes in the connection diagram: lines in a square of 24 units. */
const glyphs: Readonly<Record<Glyph, string>> = {
  server: 'M4 4h16v6H4zM4 14h16v6H4zM7.5 7h.1M7.5 17h.1M11 7h5M11 17h5',
  arrows: 'M3 8h14m-4-4l4 4l-4 4M21 16H7m4-4l-4 4l4 4',
  key: 'M8 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM12 12h9v4M17 12v3',
  layers: 'M12 3l9 5l-9 5l-9-5zM3 12l9 5l9-5M3 16l9 5l9-5',
  cylinder: 'M4 6c0-4 16-4 16 0s-16 4-16 0v12c0 4 16 4 16 0V6M4 12c0 4 16 4 16 0',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3M12 14.5v2',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
}

/** The icon of a node. */
export function glyphIcon(glyph: Glyph): Markup {
  return html`<svg viewBox="0 0 24 24" role="none">
    <path fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" d="${glyphs[glyph]}" />
  </svg>`
}

/** Colors that are readable on light and dark browser tabs. */
const tabColors: Readonly<Record<ReportStatus, string>> = {
  ok: '1a8a4f',
  warning: 'c77700',
  failed: 'd92d36',
  pending: '3b74d8',
}

const checkIcons = { pass: 'ok', warn: 'warning', fail: 'failed', skip: 'skip' } as const

/** The address of the icon of a verdict, or of the status of a check. */
const iconAddress = (status: IconName | Check['status']): Markup =>
  trusted(`#${(checkIcons as Partial<Record<string, IconName>>)[status] ?? status}`)

/** A decorative icon: the text next to it says the same. */
export function icon(status: IconName | Check['status']): Markup {
  return html`<svg role="none"><use href="${iconAddress(status)}" /></svg>`
}

/** The outlines that each {@link icon} refers to. */
export function iconShapes(): Markup {
  const symbols = Object.entries(shapes).map(
    ([name, shape]) =>
      html`<symbol id="${name}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="${shape}" /></symbol>`,
  )
  return html`<svg hidden aria-hidden="true">${symbols}</svg>`
}

/** The verdict as the icon of the browser tab. Inline, because the page makes no other request. */
export function tabIcon(status: ReportStatus): Markup {
  const path = `%3Cpath fill='%23${tabColors[status]}' fill-rule='evenodd' d='${shapes[status]}'/%3E`
  const image = `%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E${path}%3C/svg%3E`
  return html`<link rel="icon" href="${trusted(`data:image/svg+xml,${image}`)}" />`
}

/** `2026-11-21 02:10:00 UTC`; text that isn't a date is returned unchanged. */
export function utcText(iso: string): string {
  const date = isoDate(Date.parse(iso))
  return date === undefined ? iso : `${date.slice(0, 19).replace('T', ' ')} UTC`
}

/** A time as UTC for people, with its ISO 8601 form for machines. */
export function timeElement(iso: string): Content {
  const text = utcText(iso)
  return text === iso ? shownText(iso) : html`<time datetime="${iso}">${text}</time>`
}

/** The distance of a time from `now`, which the script updates. With `past`, it is never in the future, even if clocks differ. */
export function tickingDistance(iso: string, now: Date, tense: 'past' | 'any' = 'any'): Content {
  const distance = secondsFrom(iso, now)
  const seconds = distance && (tense === 'past' ? Math.min(0, distance) : distance)
  return seconds !== undefined && html`<time datetime="${iso}" data-in="${seconds}">${distanceText(seconds)}</time>`
}

/** A duration in milliseconds, such as `41 ms`, `1.2 s` or `2 min`. */
export function elapsedText(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'unknown'
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  return milliseconds < 99_950 ? `${(milliseconds / 1000).toFixed(1)} s` : distanceText(milliseconds / 1000, false)
}

/** Seconds from `now` to a time, negative if it has passed. `undefined` if the text isn't a time. */
export function secondsFrom(iso: string, now: Date): number | undefined {
  const milliseconds = Date.parse(iso) - now.getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/**
 * Seconds from now in words: `in 59 min`, `4 h ago`. The script of the page contains the source of this function, so it must not refer to
 * anything outside.
 *
 * @param isRelative Whether the text says past or future. Default is true.
 */
export function distanceText(seconds: number, isRelative = true): string {
  const length = Math.abs(seconds)
  const [size, unit] =
    length < 90
      ? ([1, 's'] as const)
      : length < 5400
        ? ([60, 'min'] as const)
        : length <= 172_800
          ? ([3600, 'h'] as const)
          : length < 86_356_800
            ? ([86_400, 'days'] as const)
            : ([31_557_600, 'years'] as const)
  const text = `${Math.round(length / size)} ${unit}`
  if (!isRelative) return text
  if (length < 1) return 'now'
  return seconds < 0 ? `${text} ago` : `in ${text}`
}

/** Lines to copy, with a button. */
export function commandLines(lines: readonly string[], id: string): Markup {
  return html`<div class="command">
    <pre id="${id}" tabindex="0" aria-label="To copy">${lines.map((line) => plainText(line)).join('\n')}</pre>
    <button type="button" data-copy="${id}">Copy</button>
  </div>`
}

/** Classification levels by the first words of a marking. The first match applies. The style has their colors. */
const levels: readonly (readonly [RegExp, string])[] = [
  [/^TOP[ _-]?SECRET.*\bSCI\b/i, 'sci'],
  [/^TOP[ _-]?SECRET|^TS\b/i, 'top-secret'],
  [/^SECRET/i, 'secret'],
  [/^CONFIDENTIAL/i, 'confidential'],
  [/^CUI\b|^CONTROLLED/i, 'cui'],
  [/^UNCLASSIFIED/i, 'unclassified'],
]

/** The banner at one end of the page. `undefined` if its text is blank. */
export function bannerElement(text: string | undefined, end: 'top' | 'bottom'): Markup | undefined {
  const marking = text?.trim() ?? ''
  if (marking === '') return undefined
  const level = levels.find(([pattern]) => pattern.test(marking))?.[1]
  const label = end === 'top' ? 'Classification' : 'Classification, end of page'
  return html`<aside class="banner ${end} ${level}" aria-label="${label}">${shownText(marking, 200)}</aside> `
}
