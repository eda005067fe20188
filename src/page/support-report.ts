import type { ProfileView } from '../lib/profile/profile-view.ts'
import type { Check, DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { stateWords } from './headline.ts'
import type { ExplainedWarning } from './page-input.ts'
import { html, type Markup } from './html.ts'
import { plainText } from './shown-text.ts'
import { durationText, utcText } from './time.ts'

/** The report as plain text, to paste into a ticket. */
export function supportSection(
  report: DiagnosticsReport,
  profile: ProfileView,
  warnings: readonly ExplainedWarning[],
): Markup {
  const text = supportText(report, profile, warnings)
  return html`<section class="support" aria-labelledby="support">
    <h2 id="support">Support report</h2>
    <p class="note">
      Everything on this page as text. It holds no secret and no token; it does name hosts and ids of this cloud.
    </p>
    <details>
      <summary>Show the text</summary>
      <textarea
        id="support-text"
        aria-labelledby="support"
        readonly
        spellcheck="false"
        rows="${Math.min(text.split('\n').length + 1, 24)}"
      >
${text}</textarea>
    </details>
    <button type="button" data-copy="support-text" hidden>Copy the text</button>
  </section>`
}

/** One line per fact. Line breaks and hidden characters of values are spelled out, so no value can forge a line. */
export function supportText(
  report: DiagnosticsReport,
  profile: ProfileView,
  warnings: readonly ExplainedWarning[],
): string {
  const { token, identity, runtime, smokeTest } = report
  const lines: [name: string, value: string | undefined][] = [
    ['state', stateWords[report.status].title],
    ['checked', utcText(report.checkedAt)],
    ['profile', `${report.cloud.name} (${profile.origin})`],
    ['auth mode', `${report.authMode}, ${report.credential}`],
    ['token', [token.status, token.error?.code, durationText(token.durationMs)].filter(Boolean).join(', ')],
    ['token message', token.error?.message],
    ['scope', token.scope],
    ['instance discovery', report.cloud.disableInstanceDiscovery ? 'off' : 'on'],
    ...Object.entries(identity).map(([name, value]): [string, string] => [name, value]),
    ...report.checks.map((check): [string, string] => [`${check.status} ${check.id}`, checkLine(check)]),
    ...warnings.map(({ code, message }): [string, string] => [`warning ${code}`, message]),
    ...profile.fields.map(({ path, value, from }): [string, string] => [path, `${value} (${from})`]),
    [
      'last scheduled check',
      smokeTest === null ? 'no run yet' : `${smokeTest.status}, ${utcText(smokeTest.startedAt)}`,
    ],
    ['runtime', `Node.js ${runtime.node}, OpenSSL ${runtime.openssl}, FIPS ${runtime.fips ? 'on' : 'off'}`],
    ['trusted authorities', [runtime.trustStore.certificates, ...runtime.trustStore.sources].join(', ')],
    ['proxy', runtime.proxy ? 'yes' : 'no'],
  ]
  return lines
    .filter((line): line is [string, string] => line[1] !== undefined)
    .map(([name, value]) => `${plainText(name)}: ${plainText(value)}`)
    .join('\n')
}

function checkLine({ message, code, durationMs }: Check): string {
  return `${message}${code === undefined ? '' : ` [${code}]`} (${durationText(durationMs)})`
}
