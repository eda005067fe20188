import type { DiagnosticsReport, SmokeTestResult } from '../lib/diagnostics/report.ts'
import { html, type Content, type Markup } from './html.ts'
import { checkIcon, icon } from './icons.ts'
import { originText } from './profile-table.ts'
import { durationText, tickingDistance, timeElement } from './time.ts'
import { codeValue, factList, fold, shownText } from './elements.ts'

/** The identity of this workload, and its last token attempt. */
export function identityFold({ identity, token, credential, cloud, audienceFrom }: DiagnosticsReport): Markup {
  return fold(
    'identity',
    'Identity and token',
    undefined,
    factList([
      ['Tenant', codeValue(identity.tenantId)],
      ['Client', codeValue(identity.clientId)],
      ['Object', codeValue(identity.objectId)],
      ['Subscription', codeValue(identity.subscriptionId)],
      ['Credential', codeValue(credential)],
      ['Scope', codeValue(token.scope)],
      ['Origin of the audience', audienceOrigin(audienceFrom)],
      ['Last attempt', html`${durationText(token.durationMs)}${token.cached && ', cached result'}`],
      ['Public instance discovery', cloud.disableInstanceDiscovery ? 'off: the authority is trusted without it' : 'on'],
    ]),
  )
}

function audienceOrigin(from: string): Content {
  if (from === 'profile') return 'the profile'
  return from === 'discovered' ? 'the metadata of the cloud' : originText(from)
}

/** The last scheduled run, over every profile. */
export function scheduleFold({ smokeTest, rootCause, checks }: DiagnosticsReport, now: Date): Markup {
  if (smokeTest === null) {
    const none = html`<p class="none">No run yet since this instance started.</p>`
    return fold('schedule', 'Last scheduled run', 'no run yet', none)
  }
  const { status, startedAt, durationMs, results } = smokeTest
  const shown = new Set([rootCause?.message, ...checks.map(({ message }) => message)])
  return fold(
    'schedule',
    'Last scheduled run',
    html`${resultMark(status)} ${tickingDistance(startedAt, now, 'past')}`,
    html`<p>Every profile, at ${timeElement(startedAt)}; took ${durationText(durationMs)}.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Profile</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          ${results.map((result) => resultRow(result, shown))}
        </tbody>
      </table>`,
  )
}

const resultWords = { pass: 'passed', warn: 'passed, with warnings', fail: 'failed' } as const

function resultMark(status: SmokeTestResult['status']): Markup {
  return html`<span class="result ${status}">${icon(checkIcon(status))}${resultWords[status]}</span>`
}

/** @param shown Messages that are listed above; here their code is enough. */
function resultRow(
  { profile, status, checks, warnings }: SmokeTestResult,
  shown: ReadonlySet<string | undefined>,
): Markup {
  const failures = checks.filter(
    ({ status: each, message, code }, index) =>
      each === 'fail' &&
      !(
        shown.has(message) && checks.slice(0, index).some((before) => before.status === 'fail' && before.code === code)
      ),
  )
  const notes: Content[] = failures.map(
    ({ message, code }) =>
      html`<p>
        ${!shown.has(message) && shownText(message)}${code !== undefined && html` <code class="tag">${code}</code>`}
      </p>`,
  )
  if (warnings.length > 0) {
    notes.push(html`<p class="none">${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}</p>`)
  }
  return html`<tr>
    <th scope="row"><code>${shownText(profile)}</code></th>
    <td>${resultMark(status)}${notes}</td>
  </tr> `
}

/** The versions, trust store and proxy of this process. */
export function runtimeFold({ runtime, metadataHost }: DiagnosticsReport): Markup {
  const { certificates, added } = runtime.trustStore
  const from = added.map(
    ({ variable, status, reason }) =>
      html`, ${codeValue(variable)}: ${shownText(reason === undefined ? status : `${status} (${reason})`)}`,
  )
  return fold(
    'runtime',
    'Runtime',
    html`Node ${shownText(runtime.node, 40)}`,
    factList([
      ['Node.js', codeValue(runtime.node)],
      ['OpenSSL', codeValue(runtime.openssl)],
      ['FIPS mode', runtime.fips ? 'on' : 'off'],
      ['Trusted authorities', html`${certificates}${from}`],
      ['Proxy', runtime.proxy ? 'yes' : 'no'],
      ['Metadata host', codeValue(metadataHost)],
    ]),
  )
}
