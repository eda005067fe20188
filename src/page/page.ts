import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { bannerElement } from './banner.ts'
import { passedFold, troublesSection } from './checks.ts'
import { identityFold, runtimeFold, scheduleFold } from './details.ts'
import { rootCauseSection } from './root-cause.ts'
import { pageHeaders } from './headers.ts'
import { historySection } from './history.ts'
import { html, trusted, type Markup } from './html.ts'
import { iconShapes, tabIcon } from './icons.ts'
import { probeMatrix } from './probe-matrix.ts'
import { pageScript, pageStyle } from './page-files.ts'
import type { DiagnosedWarning, PageInput } from './page-input.ts'
import { connectionDiagram } from './connection-diagram.ts'
import { placeholdersSection } from './placeholders.ts'
import { profileFold } from './profile-table.ts'
import { plainText, shownText } from './shown-text.ts'
import { signInSection } from './sign-in.ts'
import { stateMark, stateWords } from './state.ts'
import { supportFold } from './support-report.ts'
import { timeElement } from './time.ts'
import { verdictSection } from './verdict.ts'

/** A page as the functions host sends it. */
export interface RenderedPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

let headers: RenderedPage['headers'] | undefined

/** Renders the page at `/`. It makes no request of its own, and every value on it is text. */
export function renderPage(input: PageInput): RenderedPage {
  // Hashed at the first page, not at load: a cold start for another route must not pay for it.
  headers ??= pageHeaders(pageStyle, pageScript)
  return { html: pageDocument(input).toString(), headers }
}

/** Seconds between two looks at the report, by the script and, while a sign-in waits, without it. */
const interval = { watching: 10, waiting: 5, withoutScript: 10 }

function pageDocument({ report, profile, warnings: all, banner, now = new Date() }: PageInput): Markup {
  const { status, token, rootCause } = report
  const placeholders = placeholdersSection(profile)
  const placeholdersFirst = rootCause?.code === 'PLACEHOLDER_PROFILE'
  const waiting = token.status === 'pending'
  const warnings = distinctWarnings(all)
  const troubles = troublesSection(report, warnings)
  // A warning is what a page that works has to tell; of one that does not, the picture tells more.
  const troublesFirst = status === 'warning' || status === 'pending'
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${stateWords[status].title} · ${plainText(report.cloud.name, 120)}</title>
        ${tabIcon(status)} ${trusted(`<style>${pageStyle}</style>`)}
        ${waiting && html`<noscript><meta http-equiv="refresh" content="${interval.withoutScript}" /></noscript>`}
      </head>
      <body
        class="${status}"
        data-mark="${stateMark(report)}"
        data-checked="${report.checkedAt}"
        data-every="${waiting ? interval.waiting : interval.watching}"
      >
        ${iconShapes(waiting || status === 'pending')} ${bannerElement(banner, 'top')} ${topLine(report)}
        <main>
          ${verdictSection(report, now)} ${rootCause !== undefined && rootCauseSection(rootCause)}
          ${waiting && token.signIn !== undefined && signInSection(token.signIn, now)} ${troublesFirst && troubles}
          ${connectionDiagram(report)} ${placeholdersFirst && placeholders} ${probeMatrix(report, now)}
          ${historySection(report.history, now)} ${!troublesFirst && troubles} ${!placeholdersFirst && placeholders}
          <div class="folds">
            ${passedFold(report)} ${profileFold(profile)} ${identityFold(report)} ${scheduleFold(report, now)}
            ${runtimeFold(report)} ${supportFold({ report, profile, warnings })}
          </div>
        </main>
        <footer>
          <nav aria-label="The same as JSON">
            <ul>
              <li><a href="api/diagnostics" data-api>Diagnostics</a></li>
              <li><a href="api/profile" data-api>Profile</a></li>
              <li><a href="api/health" data-api>Health</a></li>
            </ul>
          </nav>
        </footer>
        ${bannerElement(banner, 'bottom')} ${trusted(`<script>${pageScript}</script>`)}
      </body>
    </html> `
}

/** What this is and which process answers: two screens of two instances must be told apart. */
function topLine({ version, instance }: DiagnosticsReport): Markup {
  const { hostName, id, startedAt } = instance
  return html`<header class="top">
    <a class="skip-link" href="#checks">Skip to the checks</a>
    <p>Cloud profile service ${shownText(version, 40)}</p>
    <p>
      ${shownText(hostName, 100)}${id !== undefined && html` <span>instance <code>${shownText(id, 60)}</code></span>`}
      <span>since ${timeElement(startedAt)}</span>
    </p>
  </header>`
}

/** The warnings, each once, without those that the fields to replace stand for. */
function distinctWarnings(warnings: readonly DiagnosedWarning[]): readonly DiagnosedWarning[] {
  const each = new Map(warnings.map((warning) => [warning.message, warning]))
  return [...each.values()].filter((warning) => warning.code !== 'PLACEHOLDER_FIELD')
}
