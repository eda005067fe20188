import { html, type Markup } from './html.ts'
import { plainText, shownText } from './shown-text.ts'

/** Before the commands for a shell at the end of a text, as the registration of a cloud in the command-line tool has them. */
const mark = ': az '

/** A text for people; commands at its end become a block with a copy button, one command a line. */
export function textWithCommand(text: string, id: string): Markup {
  const at = text.indexOf(mark)
  const before = text.slice(0, at + 1)
  const commands = text.slice(at + 2)
  if (at < 0 || text.includes('\n') || !commands.includes(' --')) return html`<p>${shownText(text)}</p>`
  const lines = commands.split(' && ').map((line) => plainText(line))
  return html`<p>${shownText(before)}</p>
    <div class="command">
      <pre id="${id}" tabindex="0" aria-label="Commands">${lines.join('\n')}</pre>
      <button type="button" data-copy="${id}">Copy the commands</button>
    </div>`
}
