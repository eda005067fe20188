import { createHash } from 'node:crypto'
import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import { codesFold, passedFold, rootCauseSection, troublesSection } from './checks.ts'
import { identityFold, placeholdersSection, profileFold, runtimeFold, scheduleFold, supportFold } from './details.ts'
import {
  distanceText,
  iconShapes,
  plainText,
  secondsFrom,
  shownText,
  tabIcon,
  timestampOf,
  verdictWords,
} from './elements.ts'
import { renderDiagram, renderMatrix } from './endpoints.ts'
import { html, type Markup, trusted } from './html.ts'
import { pageScript, pageStyle } from './page-files.ts'
import { instanceName, signInSection, unconfiguredSection, verdictSection } from './verdict.ts'

// This folder turns a report into HTML. It decides nothing, and reads only the files of its style and script.

/** The content of a page. */
export interface PageInput {
  readonly report: DiagnosticsReport
  readonly profile: ExplainedProfile
  /** The classification marking at the top and bottom, on screen and on paper. */
  readonly banner?: string | undefined
  /** The time that ages and remaining times are relative to. Default is now. */
  readonly now?: Date
}

interface RenderedPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

const script = `const distanceText=${String(distanceText)};${pageScript}`
let headers: RenderedPage['headers'] | undefined

/** Renders the page at `/`, and its response headers. All values are escaped. The `ETag` stays the same while only ages change. */
export function renderPage({ now = new Date(), ...input }: PageInput): RenderedPage {
  // Hashed for the first page and not at load, so that cold starts for other routes are faster.
  headers ??= pageHeaders()
  const etag = `"${hashOf(JSON.stringify(input))}"`
  return { html: pageDocument(input, now, etag).toString(), headers: { ...headers, etag } }
}

/** Seconds between two polls: by the script, by the script while a sign-in waits, and without a script while a sign-in waits. */
const interval = { watching: 10, waiting: 5, withoutScript: 10 }

function pageDocument({ report, profile, banner }: PageInput, now: Date, etag: string): Markup {
  const { status, token, rootCause } = report
  const placeholdersFirst = rootCause?.code === 'PLACEHOLDER_PROFILE'
  const placeholders = placeholdersSection(profile, placeholdersFirst)
  const waiting = token.status === 'pending'
  const matrix = renderMatrix(report, now)
  const troubles = troublesSection(report)
  // For other verdicts, the diagram says more than the list of troubles.
  const troublesFirst = status === 'warning' || status === 'pending'
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${verdictWords[status]} · ${plainText(report.cloud.name, 120)}</title>
        ${tabIcon(status)} ${trusted(`<style>${pageStyle}</style>`)}
        ${waiting && html`<noscript><meta http-equiv="refresh" content="${interval.withoutScript}" /></noscript>`}
      </head>
      <body
        class="${status}"
        data-etag="${etag}"
        data-instance="${instanceName(report.instance)}"
        data-started="${timestampOf(report.instance.startedAt)}"
        data-uptime="${-(secondsFrom(report.instance.startedAt, now) ?? 0)}"
        data-every="${waiting ? interval.waiting : interval.watching}"
      >
        ${iconShapes(waiting || status === 'pending')} ${bannerElement(banner, 'top')}
        ${matrix && html`<a class="skip-link" href="#checks">Skip to the checks</a>`}
        <a class="skip-link" href="#details">Skip to the details</a>
        <main>
          ${unconfiguredSection(report)} ${verdictSection(report, now)}
          ${rootCause !== undefined && rootCauseSection(rootCause)}
          ${waiting && token.signIn !== undefined && signInSection(token.signIn, now)} ${troublesFirst && troubles}
          ${renderDiagram(report)} ${placeholdersFirst && placeholders} ${matrix} ${!troublesFirst && troubles}
          ${!placeholdersFirst && placeholders}
          <div class="folds" id="details" tabindex="-1">
            ${passedFold(report)} ${profileFold(profile)} ${identityFold(report)} ${scheduleFold(report, now)}
            ${runtimeFold(report)} ${codesFold(report)} ${supportFold(report, profile)}
          </div>
        </main>
        <footer>
          <nav aria-label="As JSON">
            <ul>
              <li><a href="api/diagnostics" data-api>Diagnostics (JSON)</a></li>
              <li><a href="api/profile" data-api>Profile (JSON)</a></li>
              <li><a href="api/health" data-api>Health (JSON)</a></li>
            </ul>
          </nav>
        </footer>
        ${bannerElement(banner, 'bottom')} ${trusted(`<script>${script}</script>`)}
      </body>
    </html> `
}

/** Classification levels by the first words of a marking. The first match applies. The style has their colors. */
const levels: readonly (readonly [RegExp, string])[] = [
  [/^TOP[ _-]?SECRET.*\bSCI\b/i, 'sci'],
  [/^TOP[ _-]?SECRET|^TS\b/i, 'top-secret'],
  [/^SECRET/i, 'secret'],
  [/^CONFIDENTIAL/i, 'confidential'],
  [/^CUI\b|^CONTROLLED/i, 'cui'],
  [/^UNCLASSIFIED/i, 'unclassified'],
]

/** The banner at one end of the page. `undefined` if its text is blank. */
function bannerElement(text: string | undefined, end: 'top' | 'bottom'): Markup | undefined {
  const marking = text?.trim() ?? ''
  if (marking === '') return undefined
  const level = levels.find(([pattern]) => pattern.test(marking))?.[1]
  const label = end === 'top' ? 'Classification' : 'Classification, end of page'
  return html`<aside class="banner ${end} ${level}" aria-label="${label}">${shownText(marking, 200)}</aside> `
}

/** Browser features that this page never uses. Copying the report needs clipboard-write. */
const deniedFeatures =
  'accelerometer autoplay camera clipboard-read display-capture encrypted-media geolocation gyroscope hid magnetometer microphone midi ' +
  'payment picture-in-picture publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking'

/** The headers of a page with one inline style and one inline script, which the policy allows by their hashes. */
function pageHeaders(): RenderedPage['headers'] {
  const policy = [
    "default-src 'none'",
    // https://www.w3.org/TR/CSP3/#external-hash
    `style-src 'sha256-${hashOf(pageStyle)}'`,
    `script-src 'sha256-${hashOf(script)}'`,
    "connect-src 'self'",
    // The icon of the browser tab is a data URL.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // For browsers and scanners that don't know frame-ancestors.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': deniedFeatures
      .split(' ')
      .map((feature) => `${feature}=()`)
      .join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** SHA-256 in base64. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')
