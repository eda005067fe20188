import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { codeValue, factList } from './facts.ts'
import { stateWords } from './headline.ts'
import { html, type Markup } from './html.ts'
import { icon } from './icons.ts'
import { shownText, shownValue } from './shown-text.ts'
import { distanceText, timeElement } from './time.ts'

/** The first thing on the page: does this workload get a token here? Then, when it does not, why and what to change. */
export function verdictSection(report: DiagnosticsReport, now: Date): Markup {
  const { cloud, status } = report
  return html`<section class="verdict" aria-labelledby="verdict">
      <div>
        <p class="cloud">
          <span>${shownText(cloud.displayName, 200)}</span> <code>${shownValue(cloud.name, 200)}</code>
        </p>
        <h1 id="verdict">${icon(status)}<span>${stateWords[status].verdict}</span></h1>
        <p class="lead">${leadText(report)}</p>
        <p id="live" role="status"></p>
      </div>
      ${factList(
        [
          ['Auth mode', codeValue(report.authMode)],
          ['Token', tokenText(report, now)],
          ['Checked', html`${timeElement(report.checkedAt)}<span id="confirmed"></span>`],
        ],
        'facts',
      )}
    </section>
    ${findingSection(report)}`
}

function leadText({ status, token, cloud }: DiagnosticsReport): Markup {
  const name = shownText(cloud.displayName, 200)
  switch (token.status) {
    case 'acquired':
      return status === 'failed'
        ? html`A token for ${name} was acquired, but a check failed.`
        : html`This workload gets tokens for ${name}.`
    case 'failed':
      return html`This workload gets no token for ${name}.`
    case 'pending':
      return html`A person must approve this sign-in to ${name}.`
    case 'skipped':
      return html`No token for ${name} was asked for.`
  }
}

function tokenText({ token }: DiagnosticsReport, now: Date): Markup | string {
  switch (token.status) {
    case 'acquired':
      return token.expiresOn === undefined
        ? 'acquired'
        : html`expires ${distanceText(token.expiresOn, now)} <small>${timeElement(token.expiresOn)}</small>`
    case 'failed':
      return 'none'
    case 'pending':
      return 'none yet'
    case 'skipped':
      return 'not asked for'
  }
}

function findingSection(report: DiagnosticsReport): Markup | undefined {
  const { headline } = report
  if (headline === undefined) return undefined
  const { message, code, cause, fix } = headline
  return html`<section class="finding" id="finding" aria-label="Cause and fix">
    <p class="message">
      ${message !== undefined && shownText(message)} ${code !== undefined && html`<code class="tag">${code}</code>`}
    </p>
    <div class="pair">
      ${
        cause !== undefined &&
        html`<div>
          <h2>Cause</h2>
          <p>${shownText(cause)}</p>
        </div>`
      }
      ${
        fix !== undefined &&
        html`<div>
          <h2>Fix</h2>
          <p>${shownText(fix)}</p>
        </div>`
      }
    </div>
  </section>`
}
