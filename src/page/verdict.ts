import type { DiagnosticsReport, Instance, SignIn } from '../lib/diagnostics/report.ts'
import { firstSettings } from '../lib/settings/settings.ts'
import { codeValue, commandLines, factList, icon, plainText, secondsFrom, shownText } from './elements.ts'
import { tickingDistance, timeElement, utcText, verdictWords } from './elements.ts'
import { type Content, html, type Markup, webAddress } from './html.ts'

/** The top of the page: verdict, token, auth mode, and the time of the diagnostics run. */
export function verdictSection(report: DiagnosticsReport, now: Date): Markup {
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
export function unconfiguredSection({ cloud, authMode, authModeFrom }: DiagnosticsReport): Markup | undefined {
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
const hasIssuerFailed = ({ token, diagram = [] }: DiagnosticsReport) =>
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
export function instanceName({ hostName, id }: Instance): string {
  return [plainText(hostName, 100), ...(id === undefined ? [] : [`instance ${plainText(id, 60)}`])].join(' ')
}

/** Tells a person how to approve a device-code sign-in, and how long the code is valid. */
export function signInSection(signIn: SignIn, now: Date): Markup {
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
  return href === undefined
    ? html`<code>${text}</code>`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`
}
