import type { RootCause } from '../lib/diagnostics/report.ts'
import { textWithCommand } from './command.ts'
import { codeValue, factList } from './facts.ts'
import { html, type Content, type Markup } from './html.ts'
import { plainText, shownText } from './shown-text.ts'

/** Values of evidence that the page shows. The JSON has them all. */
const mostEvidence = 8

/** The root cause, its fix, and its evidence. */
export function rootCauseSection(rootCause: RootCause): Markup {
  const { message, code, cause, fix, hosts = [], evidence = {} } = rootCause
  const facts = Object.entries(evidence)
    .filter(([, value]) => !hosts.includes(value))
    .slice(0, mostEvidence)
  return html`<section class="root-cause" id="root-cause" aria-label="Root cause">
    <p class="message">${shownText(message)} <code class="tag">${code}</code></p>
    <div class="pair">
      <div>
        <h2>Cause</h2>
        <p>${shownText(cause)}</p>
      </div>
      <div>
        <h2>Fix</h2>
        ${textWithCommand(fix, 'fix-command')}
      </div>
    </div>
    ${factList(
      [
        [
          hosts.length === 1 ? 'Host' : 'Hosts',
          hosts.length > 0 && list(hosts.map((host) => html`<code>${shownText(host, 200)}</code>`)),
        ],
        ...facts.map(([name, value]): [string, Content] => [words(name), codeValue(value)]),
      ],
      'evidence',
    )}
  </section>`
}

const list = (items: readonly Markup[]): Content => items.map((item, index) => [index > 0 && ', ', item])

/** `tlsCode` as `TLS code`. */
function words(name: string): string {
  const spaced = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const spelled = spaced.replace(/\b(?:tls|ca|id)\b/g, (short) => short.toUpperCase())
  return plainText(spelled.charAt(0).toUpperCase() + spelled.slice(1), 60)
}
