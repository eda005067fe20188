import { bannerElement } from './banner.ts'
import { checksSection } from './checks.ts'
import { identitySection, runtimeSection, scheduleSection } from './details.ts'
import { pageHeaders } from './headers.ts'
import { stateMark, stateWords } from './headline.ts'
import { html, trusted, type Markup } from './html.ts'
import { iconShapes, tabIcon } from './icons.ts'
import { pageScript, pageStyle } from './page-files.ts'
import type { ExplainedWarning, PageInput } from './page-input.ts'
import { placeholdersSection } from './placeholders.ts'
import { profileSection } from './profile-table.ts'
import { plainText } from './shown-text.ts'
import { signInSection } from './sign-in.ts'
import { supportSection } from './support-report.ts'
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
const interval = { watching: 60, waiting: 5, withoutScript: 10 }

function pageDocument({ report, profile, warnings: all, banner, now = new Date() }: PageInput): Markup {
  const waiting = report.token.status === 'pending'
  const placeholders = placeholdersSection(profile)
  const warnings = distinctWarnings(all)
  const placeholdersFirst = report.headline?.code === 'PLACEHOLDER_PROFILE'
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${stateWords[report.status].title} · ${plainText(report.cloud.name, 120)}</title>
        ${tabIcon(report.status)} ${trusted(`<style>${pageStyle}</style>`)}
        ${waiting && html`<noscript><meta http-equiv="refresh" content="${interval.withoutScript}" /></noscript>`}
      </head>
      <body
        class="${report.status}"
        data-mark="${stateMark(report)}"
        data-every="${waiting ? interval.waiting : interval.watching}"
      >
        ${iconShapes()} ${bannerElement(banner, 'top')}
        <header class="top">
          <a class="skip-link" href="#checks">Skip to the checks</a>
          <p>Cloud profile service</p>
        </header>
        <main>
          ${verdictSection(report, now)}
          ${waiting && report.token.signIn !== undefined && signInSection(report.token.signIn, now)}
          <div class="columns">
            ${placeholdersFirst && placeholders} ${checksSection(report, warnings)}
            ${!placeholdersFirst && placeholders}
            <div class="profile">${profileSection(profile)} ${identitySection(report)}</div>
            ${scheduleSection(report, now)} ${runtimeSection(report)}
          </div>
        </main>
        <footer>
          <nav aria-labelledby="links">
            <h2 id="links">The same as JSON</h2>
            <ul>
              <li><a href="api/diagnostics" data-api>Diagnostics</a></li>
              <li><a href="api/profile" data-api>Profile</a></li>
              <li><a href="api/health" data-api>Health</a></li>
            </ul>
          </nav>
          ${supportSection(report, profile, warnings)}
        </footer>
        ${bannerElement(banner, 'bottom')} ${trusted(`<script>${pageScript}</script>`)}
      </body>
    </html> `
}

/** The warnings, each once, without those that the fields to replace stand for. */
function distinctWarnings(warnings: readonly ExplainedWarning[]): readonly ExplainedWarning[] {
  const each = new Map(warnings.map((warning) => [warning.message, warning]))
  return [...each.values()].filter((warning) => warning.code !== 'PLACEHOLDER_FIELD')
}
