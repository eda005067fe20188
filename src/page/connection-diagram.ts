import type { DiagnosticsReport, DiagramNode, NodeStatus } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'
import { checkIcon, glyphPath, sign } from './icons.ts'
import { shownText } from './elements.ts'

/** The connection path: this workload, its proxy, and every endpoint with a separate edge. The style lays out any number of edges. */
export function connectionDiagram({ diagram = [], runtime }: DiagnosticsReport): Markup | undefined {
  // A proxy that NO_PROXY bypasses is set, and no request goes through it.
  const unused = runtime.proxy ? 'bypassed for every endpoint' : 'none, direct'
  const [workload, proxy, ...endpoints] = diagram.map((node) => nodeItem(node, unused))
  const edges = diagram.slice(2).map(({ edge }) => edge)
  return (
    workload &&
    html`<section class="diagram" aria-labelledby="connection">
      <h2 id="connection" hidden>Connection path</h2>
      <ol>
        ${workload}${proxy}
        <li class="endpoints ${trunkOf(edges)}">
          <ol>
            ${endpoints}
          </ol>
        </li>
      </ol>
    </section>`
  )
}

/** The trunk leads to every endpoint: it works if one branch does, and else has the status of the first. */
function trunkOf(edges: readonly DiagramNode['edge'][]): DiagramNode['edge'] {
  return edges.find((edge) => edge === 'pass') ?? edges[0] ?? 'none'
}

/** The status of a node for a screen reader. `here` and `none` need no word. */
const statusWords: Readonly<Record<NodeStatus, string | undefined>> = {
  pass: 'passed',
  warn: 'warning',
  fail: 'failed',
  skip: 'skipped',
  pending: 'pending',
  here: undefined,
  none: undefined,
}

/** An edge that failed has a sign in its middle; a node has the sign of its status at its corner. */
function nodeItem({ id, name, glyph, host, status, edge, trouble }: DiagramNode, unusedProxy: string): Markup {
  const words = statusWords[status]
  const place = id === 'proxy' ? (status === 'none' ? unusedProxy : 'set by a variable') : 'not configured'
  return html`<li class="node ${status}">
    ${id !== 'workload' && html`<span class="edge ${edge}">${edge === 'fail' && sign('failed')}</span>`}
    <span class="disc"
      ><svg viewBox="0 0 24 24" role="none"><path d="${glyphPath(glyph)}" /></svg>${
        status !== 'here' && status !== 'none' && sign(status === 'pending' ? status : checkIcon(status))
      }</span
    >
    <span
      ><b>${shownText(name, 60)}</b> <small>${host === undefined ? place : shownText(host, 200)}</small> ${
        trouble !== undefined && html`<em>${shownText(trouble, 60)}</em>`
      }${words !== undefined && html`<i>${words}</i>`}</span
    >
  </li>`
}
