import type { RootCause } from '../lib/diagnostics/report.ts'
import type { Warning } from '../lib/errors.ts'
import { lineOfChange } from '../lib/base/printable.ts'
import { findingOf } from '../lib/findings/catalog.ts'
import { codeValue, factList, plainText, proseText, shownText } from './elements.ts'
import { html, rowAnchor, type Content, type Markup } from './html.ts'

/** Values of evidence that the page shows, without those that its texts have. The JSON has them all. */
const mostEvidence = 8

/** The root cause: what it is, its cause and fix, and below its evidence. */
export function rootCauseSection(rootCause: RootCause): Markup {
  const { message, code, cause, fix, change, hosts = [], evidence = {}, checks } = rootCause
  const told = [message, cause, fix, ...hosts].join('\n')
  const line = lineOfChange(change)
  const facts = Object.entries(evidence)
    .filter(([name, value]) => (value.length < 3 || !told.includes(value)) && !(name === 'host' && hosts.length > 0))
    .slice(0, mostEvidence)
  return html`<section class="root-cause" id="root-cause" aria-labelledby="root-cause-title">
    <h2 id="root-cause-title">${findingOf(code).title} <code class="tag">${code}</code></h2>
    <p class="message">${proseText(message)}</p>
    <div class="pair">
      <div>
        <h3>Cause</h3>
        <p>${proseText(cause)}</p>
      </div>
      <div>
        <h3>Fix</h3>
        <p>${proseText(fix)}</p>
        ${line !== undefined && command([line], 'change')}
      </div>
    </div>
    ${factList(
      [
        [
          hosts.length === 1 ? 'Host' : 'Hosts',
          hosts.length > 0 && list(hosts.map((host) => html`<code>${shownText(host, 200)}</code>`)),
        ],
        ...facts.map(([name, value]): [string, Content] => [words(name), codeValue(value)]),
        ['Checks', checks.length > 0 && list(checks.map((id) => html`<code${rowAnchor(id)}>${plainText(id)}</code>`))],
      ],
      'evidence',
    )}
  </section>`
}

const list = (items: readonly Markup[]): Content => items.map((item, index) => [index > 0 && ', ', item])

/** `tlsCode` as `TLS code`. */
function words(name: string): string {
  const spaced = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const spelled = spaced.replace(/\b(?:tls|ca|id)\b/g, (short) => short.toUpperCase()).replace('sha256', 'SHA-256')
  return plainText(spelled.charAt(0).toUpperCase() + spelled.slice(1), 60)
}

/** The message of a warning; the commands at its end become a block with a copy button, one command a line. */
export function warningText({ message, commands = [] }: Pick<Warning, 'message' | 'commands'>, id: string): Markup {
  if (commands.length === 0) return html`<p>${proseText(message)}</p>`
  return html`<p>${proseText(message.slice(0, -commands.join(' && ').length))}</p>
    ${command(commands, id)}`
}

function command(lines: readonly string[], id: string): Markup {
  return html`<div class="command">
    <pre id="${id}" tabindex="0" aria-label="To copy">${lines.map((line) => plainText(line)).join('\n')}</pre>
    <button type="button" data-copy="${id}">Copy</button>
  </div>`
}
