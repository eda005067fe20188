import { html, type Markup } from './html.ts'
import { plainText, shownText } from './shown-text.ts'

/** A text that ends with commands for a shell, as the registration of a cloud in the command-line tool has them. */
const ending = /^([^\n]*?:)\s(az [^\n]*)$/

/** A text for people; commands at its end become a block with a copy button, one command a line. */
export function textWithCommand(text: string, id: string): Markup {
  const [, before, commands] = ending.exec(text) ?? []
  if (before === undefined || commands === undefined || !commands.includes(' --'))
    return html`<p>${shownText(text)}</p>`
  const lines = commands.split(' && ').map((line) => plainText(line))
  return html`<p>${shownText(before)}</p>
    <div class="command">
      <pre id="${id}" tabindex="0" aria-label="Commands">${lines.join('\n')}</pre>
      <button type="button" data-copy="${id}" hidden>Copy the commands</button>
    </div>`
}
