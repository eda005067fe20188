import type { Check, DiagnosticsReport, Explanation } from '../lib/diagnostics/report.ts'
import { repeatsHeadline } from './headline.ts'
import type { ExplainedWarning } from './page-input.ts'
import { html, type Content, type Markup } from './html.ts'
import { checkIcon, icon } from './icons.ts'
import { breakableName, shownText } from './shown-text.ts'
import { durationText } from './time.ts'

/** Worst first; within a status the checks keep the order in which they were asked. */
const groups = [
  ['fail', 'Failed'],
  ['warn', 'Warnings'],
  ['pass', 'Passed'],
  ['skip', 'Skipped'],
] as const

/** Every check by status, failures first, with the warnings about the profile and the settings beside the checks'. */
export function checksSection(report: DiagnosticsReport, warnings: readonly ExplainedWarning[]): Markup {
  const { headline } = report
  const sections = groups.map(([status, title]) => {
    const checks = report.checks.filter((check) => check.status === status)
    const items = checks.map((check) => checkItem(check, headline))
    if (status === 'warn') items.push(...warningItems(warnings))
    if (items.length === 0) return undefined
    const word = title.toLowerCase()
    return html`<div class="${status}">
      <h3>${icon(checkIcon(status))}${title} <span class="count">${items.length}</span></h3>
      <ul class="checks" aria-label="Checks: ${word}">
        ${items}
      </ul>
    </div> `
  })
  const empty = sections.every((section) => section === undefined)
  return html`<section aria-labelledby="checks">
    <h2 id="checks" tabindex="-1">Checks</h2>
    ${empty ? html`<p class="none">No check has run yet.</p>` : sections}
  </section>`
}

function checkItem(check: Check, headline: Partial<Explanation> | undefined): Markup {
  const { id, code, message, durationMs, status } = check
  return html`<li>
    <p class="what">
      <code>${breakableName(id)}</code
      >${status !== 'skip' && html`<span class="took">${durationText(durationMs)}</span>`}
    </p>
    <div>
      <p>${shownText(message)}${code !== undefined && html` <code class="tag">${code}</code>`}</p>
      ${
        repeatsHeadline(check, headline)
          ? html`<p class="why"><a href="#finding">Cause and fix</a> stand at the top of this page.</p>`
          : explanation(check)
      }
    </div>
  </li> `
}

function explanation({ cause, fix }: Pick<Partial<Explanation>, 'cause' | 'fix'>): Content {
  const parts = Object.entries({ Cause: cause, Fix: fix }).map(
    ([name, text]) =>
      text !== undefined &&
      html`<div>
        <dt>${name}</dt>
        <dd>${shownText(text)}</dd>
      </div>`,
  )
  return parts.some(Boolean) && html`<dl class="why">${parts}</dl>`
}

/** One item per code: what a code means is said once, however many fields it was found in. */
function warningItems(warnings: readonly ExplainedWarning[]): Markup[] {
  const codes = [...new Set(warnings.map(({ code }) => code))]
  return codes.map((code) => {
    const messages = warnings.filter((warning) => warning.code === code)
    return html`<li>
      <p class="what"><code>${code}</code></p>
      ${messages.map(({ message }) => html`<p>${shownText(message)}</p>`)} ${explanation(messages[0] ?? {})}
    </li> `
  })
}
