import { renewalDays } from '../lib/base/certificates.ts'
import { durationText } from '../lib/base/dates.ts'
import type { Check, DiagnosticsReport, DiagramNode, HostCertificate } from '../lib/diagnostics/report.ts'
import type { Layer, MatrixRow } from '../lib/diagnostics/report.ts'
import { isPlaceholder } from '../lib/profile/field-path.ts'
import { elapsedText, glyphIcon, icon, shownText } from './elements.ts'
import { html, type Markup, rowAddress } from './html.ts'

/** A status for a screen reader. `here` and `none` need none. */
const statusWords: Readonly<Partial<Record<DiagramNode['status'], string>>> = {
  pass: 'passed',
  warn: 'warning',
  fail: 'failed',
  skip: 'skipped',
  pending: 'pending',
}

/** The connection diagram: this workload, its proxy, and the endpoints, each with a separate edge. */
export function renderDiagram({ diagram, runtime }: DiagnosticsReport): Markup {
  // A proxy may be set and unused, because NO_PROXY exempts every endpoint.
  const unused = runtime.proxy ? 'bypassed for every endpoint' : 'none, direct'
  const [workload, proxy, ...endpoints] = diagram.map((node) => nodeItem(node, unused))
  // The trunk to the endpoints works if one branch works, else it has the status of the first branch.
  const edges = diagram.slice(2).map(({ edge }) => edge)
  const trunk = edges.find((edge) => edge === 'pass') ?? edges[0] ?? 'none'
  return html`<section class="diagram" aria-labelledby="connection">
    <h2 id="connection" hidden>Connection path</h2>
    <ol>
      ${workload}${proxy}
      <li class="endpoints ${trunk}">
        <ol>
          ${endpoints}
        </ol>
      </li>
    </ol>
  </section>`
}

/** A failed edge has a sign in its middle; a node has the sign of its status at a corner. */
function nodeItem({ id, name, glyph, host, status, edge, trouble }: DiagramNode, unusedProxy: string): Markup {
  const words = statusWords[status]
  const place = id === 'proxy' ? (status === 'none' ? unusedProxy : 'set by a variable') : 'not configured'
  return html`<li class="node ${status}">
    ${id !== 'workload' && html`<span class="edge ${edge}">${edge === 'fail' && icon('failed')}</span>`}
    <span class="disc">${glyphIcon(glyph)}${status !== 'here' && status !== 'none' && icon(status)}</span>
    <span
      ><b>${shownText(name, 60)}</b> <small>${host === undefined ? place : shownText(host, 200)}</small> ${
        trouble !== undefined && html`<strong>${shownText(trouble, 60)}</strong>`
      }${words !== undefined && html`<i>${words}</i>`}</span
    >
  </li>`
}

/** The columns of the matrix, in the order of a request. */
const layerNames: Readonly<Record<Layer, string>> = {
  proxy: 'Proxy',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  response: 'Response',
  token: 'Token',
}
const layers = Object.entries(layerNames) as [Layer, string][]

/** The probe matrix. Each cell shows the result of a layer and links to its check. `undefined` if every host is a placeholder. */
export function renderMatrix(report: DiagnosticsReport, now: Date): Markup | undefined {
  const { hosts: all, checkedAt } = report
  const hosts = all.filter(({ host }) => !isPlaceholder(`https://${host}/`))
  if (hosts.length < all.length && hosts.length === 0) return undefined
  // As of the run: a page must not say 364 days in one place and 365 days in another.
  const asOf = Date.parse(checkedAt) || now.getTime()
  const checks = new Map(report.checks.map((check) => [check.id, check]))
  const certificates = hosts.some(({ certificate }) => certificate !== undefined)
  const columns = ['Endpoint', ...Object.values(layerNames), ...(certificates ? ['Certificate'] : [])]
  const rows = hosts.map(
    (host) =>
      html`<tr>
        <th scope="row">${shownText(host.name, 60)} <code>${shownText(host.host, 200)}</code></th>
        ${layers.map(([layer, name]) => {
          const word = layer === 'token' ? tokenWord(host) : undefined
          return cell(name, host.layers[layer], checks, layer !== 'proxy' || report.runtime.proxy, word)
        })}
        ${certificates && certificateCell(host.certificate, asOf)}
      </tr>`,
  )
  return html`<section aria-labelledby="checks">
    <h2 id="checks" tabindex="-1">Checks</h2>
    ${
      hosts.length === 0
        ? html`<p class="none">No endpoint has been probed yet.</p>`
        : html`<table>
            <thead>
              <tr>
                ${columns.map((name) => html`<th scope="col">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
  </section>`
}

/** @param hasTime Whether the layer exists and takes time. Without a proxy, its layer doesn't. */
function cell(
  name: string,
  found: MatrixRow['layers'][Layer],
  checks: ReadonlyMap<string, Check>,
  hasTime: boolean,
  word?: string,
): Markup {
  if (found === undefined) return html`<td class="none"></td>`
  const { status, check: id } = found
  const durationMs = checks.get(id)?.durationMs ?? 0
  const took = hasTime && status !== 'skip' && durationMs > 0 && elapsedText(durationMs)
  const mark = html`${icon(status)}<i>${name} </i
    ><i>${statusWords[status]} </i>${status === 'pass' && word !== undefined && `${word} `}${took}`
  return html`<td class="${status}">${checks.has(id) ? html`<a href="${rowAddress(id)}">${mark}</a>` : mark}</td>`
}

/** Whether the endpoint accepted the token or issued it. */
const tokenWord = ({ id, layers: { token } }: MatrixRow): string =>
  token?.check === `${id}.accepts-token` ? 'accepted' : 'issued'

const dayMs = 86_400_000

/** The remaining validity of a certificate. */
function certificateCell(certificate: HostCertificate | undefined, asOf: number): Markup {
  const [from, to] = [Date.parse(certificate?.validFrom ?? ''), Date.parse(certificate?.validTo ?? '')]
  if (certificate === undefined || Number.isNaN(to) || Number.isNaN(from)) return html`<td class="none"></td>`
  const left = to - asOf
  const early = from > asOf
  const status = early || left <= 0 ? 'fail' : left < renewalDays * dayMs ? 'warn' : 'pass'
  const words = early
    ? `valid in ${durationText((from - asOf) / 1000)}`
    : left <= 0
      ? `expired ${durationText(-left / 1000)} ago`
      : `${durationText(left / 1000)} left`
  return html`<td class="${status}">${status !== 'pass' && icon(status)}<i>Certificate </i>${words}</td>`
}
