import { html, type Content, type Markup } from './html.ts'
import { shownText } from './shown-text.ts'

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
