import type { Check, DiagnosticsReport, Runtime } from '../lib/diagnostics/report.ts'
import { describeSource, type ExplainedProfile } from '../lib/profile/explained-profile.ts'
import type { DiagnosedWarning } from './checks.ts'
import { shownFields } from './details.ts'
import { fold, plainText, verdictWords } from './elements.ts'
import { html, type Markup } from './html.ts'
import { elapsedText, utcText } from './time.ts'

interface Reported {
  readonly report: DiagnosticsReport
  readonly profile: ExplainedProfile
  readonly warnings: readonly DiagnosedWarning[]
}

/** The report as plain text, to paste into a ticket. */
export function supportFold(reported: Reported): Markup {
  const text = supportText(reported)
  return fold(
    'support',
    'Support report',
    undefined,
    html`<p>It holds no secret and no token; it does name hosts and ids of this cloud.</p>
      <button type="button" data-copy="support-text">Copy the text</button>
      <textarea
        id="support-text"
        aria-label="Support report"
        readonly
        spellcheck="false"
        rows="${Math.min(text.split('\n').length + 1, 24)}"
      >
${text}</textarea>`,
  )
}

/**
 * One line per fact, each fact once: first what failed, then who and where. Line breaks and hidden characters of values are spelled out,
 * so no value can forge a line.
 */
export function supportText({ report, profile, warnings }: Reported): string {
  const { token, identity, runtime, smokeTest, rootCause, instance, cloud } = report
  const origin = describeSource(profile.source)
  const isExplained = (check: Check) => rootCause?.checks.includes(check.id) === true
  const troubles = report.checks.filter((check) => check.status === 'fail' || check.status === 'warn')
  const countOf = (status: Check['status']) => report.checks.filter((check) => check.status === status).length
  // The name and version of a built-in profile determine the other fields.
  const wanted = (path: string) => path in cloud
  const lines: [name: string, value: string | undefined][] = [
    ['verdict', verdictWords[report.status]],
    ['code', rootCause?.code],
    ['message', rootCause?.message],
    ['cause', rootCause?.cause],
    ['fix', rootCause?.fix],
    ['hosts', rootCause?.hosts?.join(', ')],
    ...Object.entries(rootCause?.evidence ?? {}).filter(([, value]) => rootCause?.hosts?.includes(value) !== true),
    ['checked', utcText(report.checkedAt)],
    ['version', report.version],
    ['host', instance.id === undefined ? instance.hostName : `${instance.hostName}, instance ${instance.id}`],
    ['started', utcText(instance.startedAt)],
    ['profile', `${cloud.name} (${origin})`],
    ['selected by', cloud.selectedBy],
    ['auth mode', `${report.authMode}, ${report.credential}`],
    ['auth mode from', report.authModeFrom],
    ['token', [token.status, token.error?.code, elapsedText(token.durationMs)].filter(Boolean).join(', ')],
    ['token message', token.error?.message === rootCause?.message ? undefined : token.error?.message],
    ['scope', token.scope],
    ['audience from', report.audienceFrom],
    ['instance discovery', cloud.disableInstanceDiscovery ? 'off' : 'on'],
    ...Object.entries(identity).map(([name, value]): [string, string] => [`identity ${name}`, value]),
    ...troubles
      .filter((check) => !isExplained(check))
      .map((check): [string, string] => [`${check.status} ${check.id}`, checkLine(check)]),
    ...warnings.map(({ code, message }): [string, string] => [`warning ${code}`, message]),
    ['passed', `${countOf('pass')} checks`],
    ['skipped', `${countOf('skip')} checks`],
    ...shownFields(profile)
      .filter(({ path, from }) => wanted(path) || from !== origin)
      .map(({ path, value, from }): [string, string] => [path, from === origin ? value : `${value} (${from})`]),
    ['last scheduled run', smokeTest === null ? 'no run yet' : `${smokeTest.status}, ${utcText(smokeTest.startedAt)}`],
    ['runtime', `Node.js ${runtime.node}, OpenSSL ${runtime.openssl}, FIPS ${runtime.fips ? 'on' : 'off'}`],
    [
      'trusted authorities',
      [runtime.trustStore.certificates, ...runtime.trustStore.added.map(describeAdded)].join(', '),
    ],
    ['proxy', runtime.proxy ? 'yes' : 'no'],
  ]
  return lines
    .filter((line): line is [string, string] => line[1] !== undefined)
    .map(([name, value]) => `${plainText(name)}: ${plainText(value)}`)
    .join('\n')
}

const describeAdded = ({ variable, status }: Runtime['trustStore']['added'][number]): string => `${variable} ${status}`

function checkLine({ message, code, durationMs }: Check): string {
  return `${message}${code === undefined ? '' : ` [${code}]`} (${elapsedText(durationMs)})`
}
