import { createHash } from 'node:crypto'
import type { DiagnosticsReport, Instance, SignIn } from '../lib/diagnostics/report.ts'
import type { ExplainedProfile } from '../lib/profile/explained-profile.ts'
import { firstSettings } from '../lib/settings/settings.ts'
import { codesFold, passedFold, rootCauseSection, troublesSection } from './checks.ts'
import { identityFold, placeholdersSection, profileFold, runtimeFold, scheduleFold, supportFold } from './details.ts'
import {
  bannerElement,
  codeValue,
  commandLines,
  distanceText,
  factList,
  icon,
  iconShapes,
  plainText,
} from './elements.ts'
import { secondsFrom, shownText, tabIcon, tickingDistance, timeElement, utcText } from './elements.ts'
import { verdictWords } from './elements.ts'
import { renderDiagram, renderMatrix } from './endpoints.ts'
import { type Content, html, type Markup, trusted, webAddress } from './html.ts'
import { pageScript, pageStyle } from './page-files.ts'

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

/** Renders the page at `/`, and its response headers. All values are escaped. The `ETag` stays the same while only ages change. */
export function renderPage({ now = new Date(), ...input }: PageInput): RenderedPage {
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
        data-started="${Date.parse(report.instance.startedAt)}"
        data-uptime="${-(secondsFrom(report.instance.startedAt, now) ?? 0)}"
        data-every="${waiting ? interval.waiting : interval.watching}"
      >
        ${iconShapes()} ${bannerElement(banner, 'top')}
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

/** The top of the page: verdict, token, auth mode, and the time of the diagnostics run. */
function verdictSection(report: DiagnosticsReport, now: Date): Markup {
  const { cloud, status, checkedAt, instance } = report
  // With the process id, so that the pages of two processes differ.
  const process = `${instanceName(instance)} process ${plainText(instance.process, 20)}`
  // The default profile may be the wrong cloud, which a verdict doesn't show.
  const selection = cloud.selectedBy === 'default' && html` <small>the default: no variable selects a profile</small>`
  return html`<section class="verdict" aria-labelledby="verdict">
    <div>
      <p class="cloud">
        <span>${shownText(cloud.displayName, 200)}</span>
        <code>${shownText(cloud.name, 200)}</code>${selection}
      </p>
      <h1 id="verdict">${icon(status)}<span>${verdictWords[status]}</span></h1>
      <p class="lead">${leadText(report)}</p>
      <p id="live" role="status"></p>
    </div>
    ${factList(
      [
        ['Token', tokenText(report.token, now)],
        ['Auth mode', html`${codeValue(report.authMode)} <small>${modeOrigin(report.authModeFrom)}</small>`],
        ['Checked', html`${tickingDistance(checkedAt, now, 'past')} <small>${utcText(checkedAt)}</small>`],
      ],
      'facts',
    )}
    <p class="process">
      Cloud profile service ${shownText(report.version, 40)},
      <span>${process} since ${timeElement(instance.startedAt)}</span
      >${report.token.signIn === undefined && html`. <span class="updates">This page updates itself.</span>`}
    </p>
    <ul id="instances" aria-label="Instances behind this address" hidden></ul>
  </section>`
}

/** Says first that nothing is configured: then the verdict is about the default profile, and not about the reader's cloud. */
function unconfiguredSection({ cloud, authMode, authModeFrom }: DiagnosticsReport): Markup | undefined {
  if (cloud.selectedBy !== 'default' || authModeFrom !== 'default') return undefined
  return html`<section class="root-cause" aria-labelledby="unconfigured">
    <h2 id="unconfigured">Nothing is configured</h2>
    <p>
      No variable selects a profile or a way to sign in, so this page is about ${codeValue(cloud.name)} with
      ${codeValue(authMode)}. Replace TENANT, CLIENT and the path, run these lines, and start again:
    </p>
    ${commandLines(firstSettings, 'first-settings')}
  </section>`
}

/** Where the auth mode comes from: `AUTH_MODE`, or a variable of the host. */
function modeOrigin(from: string): Content {
  if (from === 'AUTH_MODE') return html`from ${codeValue(from)}`
  return from === 'default' ? 'AUTH_MODE is not set' : html`detected from ${codeValue(from)}`
}

/** Whether the host that issues tokens fails now, and only the cached token works. */
const hasIssuerFailed = ({ token, diagram }: DiagnosticsReport) =>
  token.cached &&
  diagram.some(({ id, status }) => (id === 'authority' || id === 'identity-endpoint') && status === 'fail')

function leadText(report: DiagnosticsReport): Markup {
  const { status, token, cloud } = report
  const name = shownText(cloud.displayName, 200)
  switch (token.status) {
    case 'acquired':
      if (token.problem !== undefined) return html`The token that this workload gets for ${name} is not valid.`
      if (status !== 'failed') return html`This workload gets tokens for ${name}.`
      return hasIssuerFailed(report)
        ? html`This workload still has a token for ${name}, but a check failed.`
        : html`This workload gets tokens for ${name}, but a check failed.`
    case 'failed':
      return html`This workload gets no token for ${name}.`
    case 'pending':
      return html`A person must approve this sign-in to
      ${name}.${token.signIn === undefined && ' The log of the service has the code: this page is open to everybody.'}`
    case 'skipped':
      return html`The token check for ${name} was skipped.`
  }
}

function tokenText({ status, expiresOn, problem }: DiagnosticsReport['token'], now: Date): Content {
  if (status !== 'acquired') return { failed: 'none', pending: 'none yet', skipped: 'skipped' }[status]
  if (expiresOn === undefined) return 'acquired'
  // Clock or token may be wrong, so the expiry isn't reliable.
  if (problem !== undefined) return 'not valid'
  return html`${(secondsFrom(expiresOn, now) ?? 0) > 0 ? 'expires' : 'expired'} ${tickingDistance(expiresOn, now)}`
}

/** The name of a process, which stays the same after a restart. */
const instanceName = ({ hostName, id }: Instance): string =>
  plainText(hostName, 100) + (id === undefined ? '' : ` instance ${plainText(id, 60)}`)

/** Tells a person how to approve a device-code sign-in, and how long the code is valid. */
function signInSection(signIn: SignIn, now: Date): Markup {
  const { userCode, verificationUri, expiresOn } = signIn
  const isExpired = (secondsFrom(expiresOn, now) ?? 0) <= 0
  return html`<section class="sign-in" aria-labelledby="sign-in">
    <h2 id="sign-in">Approve the sign-in</h2>
    <ol>
      <li>
        <p>On any device that can reach it, open</p>
        <p class="address">${addressLink(verificationUri)}</p>
      </li>
      <li>
        <p>Enter this code and sign in</p>
        <p class="user-code">
          <code id="user-code">${shownText(userCode)}</code>
          <button type="button" data-copy="user-code">Copy the code</button>
        </p>
      </li>
    </ol>
    <p class="left">
      ${
        isExpired
          ? html`The code expired. The next attempt gives a new one.`
          : html`The code expires <span role="timer">${tickingDistance(expiresOn, now)}</span>, at
              ${timeElement(expiresOn)}.`
      }
      This page updates itself.
    </p>
  </section>`
}

/** A link, if a browser can open the address. Else text. */
function addressLink(address: string): Markup {
  const href = webAddress(address)
  const text = shownText(address)
  return href
    ? html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`
    : html`<code>${text}</code>`
}

/** SHA-256 in base64. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Allows the one inline style and the one inline script by their hashes. */
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
].join('; ')

const headers: RenderedPage['headers'] = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // For browsers and scanners that don't know frame-ancestors.
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  // For scanners: the script of the page uses none of them.
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
