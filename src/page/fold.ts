import { html, type Content, type Markup } from './html.ts'

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
