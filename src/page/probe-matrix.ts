import { renewalDays } from '../lib/base/certificates.ts'
import type { Check, DiagnosticsReport, HostCertificate, Layer, MatrixRow } from '../lib/diagnostics/report.ts'
import { durationText as lengthText } from '../lib/base/dates.ts'
import { html, rowAddress, type Markup } from './html.ts'
import { checkIcon, sign } from './icons.ts'
import { durationText, timestampOf } from './time.ts'
import { shareBar, shownText } from './elements.ts'

/** The columns, in the order in which a request passes them. */
const layerNames: Readonly<Record<Layer, string>> = {
  proxy: 'Proxy',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  answer: 'Answer',
  token: 'Token',
}
const layers = Object.entries(layerNames) as [Layer, string][]
const statusWords = { pass: 'passed', warn: 'warning', fail: 'failed', skip: 'skipped' } as const

/** Endpoints by layers. Each cell shows the result of a layer and links to its check. */
export function probeMatrix(report: DiagnosticsReport, now: Date): Markup {
  const { hosts = [], checkedAt } = report
  // The certificates as the checks saw them: a report must not say 364 days in one place and 365 in another.
  const asOf = timestampOf(checkedAt) || now.getTime()
  const checks = new Map(report.checks.map((check) => [check.id, check]))
  const certificates = hosts.some(({ certificate }) => certificate !== undefined)
  return html`<section aria-labelledby="checks">
    <h2 id="checks" tabindex="-1">Checks</h2>
    ${
      hosts.length === 0
        ? html`<p class="none">No endpoint has been probed yet.</p>`
        : html`<table class="matrix">
            <thead>
              <tr>
                <th scope="col">Endpoint</th>
                ${layers.map(([, name]) => html`<th scope="col">${name}</th>`)}
                ${certificates && html`<th scope="col">Certificate</th>`}
              </tr>
            </thead>
            <tbody>
              ${hosts.map(
                (host) =>
                  html`<tr>
                    <th scope="row">${shownText(host.name, 60)} <code>${shownText(host.host, 200)}</code></th>
                    ${layers.map(([layer, name]) => cell(name, host.layers[layer], checks, layer !== 'proxy' || report.runtime.proxy))}
                    ${certificates && certificateCell(host.certificate, asOf)}
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </section>`
}

/** A proxy that is not there takes no time. The words are hidden on a wide screen, where the column tells them; the status has its icon everywhere. */
function cell(
  name: string,
  found: MatrixRow['layers'][Layer],
  checks: ReadonlyMap<string, Check>,
  hasTime: boolean,
): Markup {
  if (found === undefined) return html`<td class="none"></td>`
  const { status, check: id } = found
  const durationMs = checks.get(id)?.durationMs ?? 0
  const took = hasTime && status !== 'skip' && durationMs > 0 && durationText(durationMs)
  const mark = html`${sign(checkIcon(status))}<i>${name} </i><i>${statusWords[status]} </i>${took}`
  return html`<td class="${status}">${checks.has(id) ? html`<a href="${rowAddress(id)}">${mark}</a>` : mark}</td>`
}

const dayMs = 86_400_000

/** How much of a certificate's life is left. */
function certificateCell(certificate: HostCertificate | undefined, asOf: number): Markup {
  const [from, to] = [timestampOf(certificate?.validFrom ?? ''), timestampOf(certificate?.validTo ?? '')]
  if (certificate === undefined || Number.isNaN(to) || Number.isNaN(from)) return html`<td class="none"></td>`
  const left = to - asOf
  const early = from > asOf
  const status = early || left <= 0 ? 'fail' : left < renewalDays * dayMs ? 'warn' : 'pass'
  const words = early
    ? `valid in ${lengthText((from - asOf) / 1000)}`
    : left <= 0
      ? `expired ${lengthText(-left / 1000)} ago`
      : `${lengthText(left / 1000)} left`
  return html`<td>${shareBar(early ? 0 : left / Math.max(1, to - from), status)} ${words}</td>`
}
