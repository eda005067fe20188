import type { DiagnosticsReport, SmokeTestResult } from '../lib/diagnostics/report.ts'
import { codeValue, factList } from './facts.ts'
import { html, type Content, type Markup } from './html.ts'
import { checkIcon, icon } from './icons.ts'
import { shownText, shownValue } from './shown-text.ts'
import { distanceText, durationText, timeElement } from './time.ts'

/** Who this workload is to the cloud, and how it asked for its token. */
export function identitySection({ identity, token, credential, cloud }: DiagnosticsReport): Markup {
  return html`<section aria-labelledby="identity">
    <h2 id="identity">Identity and token</h2>
    ${factList([
      ['Tenant', codeValue(identity.tenantId)],
      ['Client', codeValue(identity.clientId)],
      ['Object', codeValue(identity.objectId)],
      ['Subscription', codeValue(identity.subscriptionId)],
      ['Credential', codeValue(credential)],
      ['Scope', codeValue(token.scope)],
      [
        'Last attempt',
        html`${durationText(token.durationMs)}${token.cached && ', result kept from an earlier request'}`,
      ],
      ['Public instance discovery', cloud.disableInstanceDiscovery ? 'off, this authority is trusted as it is' : 'on'],
    ])}
  </section>`
}

/** The last run of the timer over every profile. */
export function scheduleSection({ smokeTest }: DiagnosticsReport, now: Date): Markup {
  return html`<section aria-labelledby="schedule">
    <h2 id="schedule">Last scheduled check</h2>
    ${
      smokeTest === null
        ? html`<p class="none">No run yet since this instance started.</p>`
        : html`<p class="note">
              ${timeElement(smokeTest.startedAt)}, ${distanceText(smokeTest.startedAt, now)}, took
              ${durationText(smokeTest.durationMs)}.
            </p>
            <table>
              <thead>
                <tr>
                  <th scope="col">Profile</th>
                  <th scope="col">Result</th>
                </tr>
              </thead>
              <tbody>
                ${smokeTest.results.map(resultRow)}
              </tbody>
            </table>`
    }
  </section>`
}

const resultWords = { pass: 'passed', warn: 'passed, with warnings', fail: 'failed' } as const

function resultRow({ profile, status, checks, warnings }: SmokeTestResult): Markup {
  const failures = checks.filter((check) => check.status === 'fail')
  const notes: Content[] = failures.map(
    ({ message, code }) =>
      html`<p>${shownText(message)}${code !== undefined && html` <code class="tag">${code}</code>`}</p>`,
  )
  if (warnings.length > 0) {
    notes.push(html`<p class="none">${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}</p>`)
  }
  return html`<tr>
    <th scope="row"><code>${shownValue(profile)}</code></th>
    <td><span class="result ${status}">${icon(checkIcon(status))}${resultWords[status]}</span>${notes}</td>
  </tr> `
}

/** What this process runs on and trusts. */
export function runtimeSection({ runtime }: DiagnosticsReport): Markup {
  const { certificates, sources } = runtime.trustStore
  const from =
    sources.length > 0 && html`, from ${sources.map((source, index) => [index > 0 && ', ', codeValue(source)])}`
  return html`<section aria-labelledby="runtime">
    <h2 id="runtime">Runtime</h2>
    ${factList([
      ['Node.js', codeValue(runtime.node)],
      ['OpenSSL', codeValue(runtime.openssl)],
      ['FIPS mode', runtime.fips ? 'on' : 'off'],
      ['Trusted authorities', html`${certificates}${from}`],
      ['Proxy', runtime.proxy ? 'yes' : 'no'],
    ])}
  </section>`
}
