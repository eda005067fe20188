import type { Check, DiagnosticsReport, Headline } from '../lib/diagnostics/report.ts'
import { textWithCommand } from './command.ts'
import { html, rowAnchor, type Content, type Markup } from './html.ts'
import { checkIcon, icon } from './icons.ts'
import type { ExplainedWarning } from './page-input.ts'
import { plainText, shownText } from './shown-text.ts'

const titles = { fail: 'Failed', warn: 'Warnings', pass: 'Passed', skip: 'Skipped' } as const

/** What failed and what wants attention, open; there is no section when nothing does. */
export function troublesSection(report: DiagnosticsReport, warnings: readonly ExplainedWarning[]): Markup | undefined {
  const groups = (['fail', 'warn'] as const).map((status) => {
    const items = withStatus(report, status).map((check) => checkItem(check, report.headline))
    if (status === 'warn') items.push(...warningItems(warnings))
    return items.length > 0 && group(status, items)
  })
  return groups.every((each) => each === false)
    ? undefined
    : html`<section aria-labelledby="troubles">
        <h2 id="troubles">What needs attention</h2>
        ${groups}
      </section>`
}

/** What passed and what was not asked, folded. */
export function passedFold(report: DiagnosticsReport): Markup {
  const groups = (['pass', 'skip'] as const).map((status) => ({ status, checks: withStatus(report, status) }))
  const summary = groups
    .filter(({ status, checks }) => status === 'pass' || checks.length > 0)
    .map(({ status, checks }) => `${checks.length} ${titles[status].toLowerCase()}`)
  return html`<details class="passed">
    <summary>${summary.join(', ')}</summary>
    ${groups.map(
      ({ status, checks }) =>
        checks.length > 0 &&
        group(
          status,
          checks.map((check) => checkItem(check)),
        ),
    )}
    ${report.checks.length === 0 && html`<p class="none">No check has run yet.</p>`}
  </details>`
}

function withStatus({ checks }: DiagnosticsReport, status: Check['status']): readonly Check[] {
  return checks.filter((check) => check.status === status)
}

function group(status: Check['status'], items: readonly Markup[]): Markup {
  const title = titles[status]
  return html`<div class="${status}">
    <h3>${icon(checkIcon(status))}${title} <span class="count">${items.length}</span></h3>
    <ul class="checks" aria-label="Checks: ${title.toLowerCase()}">
      ${items}
    </ul>
  </div>`
}

function checkItem(check: Check, headline?: Headline): Markup {
  const { id, code, message } = check
  const told = headline?.checks.includes(id) === true && headline.code === code
  const what = html`${shownText(message)}${code !== undefined && html` <code class="tag">${code}</code>`}`
  const why = told ? html` <a href="#finding">Cause and fix</a> stand at the top of this page.` : explanation(check)
  return html`<li${rowAnchor(id)}><code>${plainText(id)}</code> ${told && headline.message === message ? undefined : what}${why}</li>`
}

function explanation({ cause, fix }: Pick<ExplainedWarning, 'cause' | 'fix'>): Content {
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
    const same = warnings.filter((warning) => warning.code === code)
    return html`<li>
      <code>${code}</code>
      ${same.map(({ message }, index) => textWithCommand(message, `command-${code}-${index}`))}
      ${explanation(same[0] ?? {})}
    </li>`
  })
}
