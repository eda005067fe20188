import type { DiagnosticsReport, HistoryEntry, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'
import { processName } from './verdict.ts'
import { tickingDistance, utcText } from './time.ts'
import { plainText, verdictWords } from './elements.ts'

/** Bars, at most: one day with a run every 15 minutes, the default schedule. */
const mostBars = 96

/** Heights out of 32, so that the strip is readable without color. */
const heights: Readonly<Record<ReportStatus, number>> = { ok: 16, warning: 22, pending: 22, failed: 32 }

/** The remembered runs of this process as bars, oldest first. */
export function historySection({ history = [], instance }: DiagnosticsReport, now: Date): Markup {
  const shown = history.slice(-mostBars)
  const [first] = shown
  return html`<section class="history" aria-labelledby="history">
    <h2 id="history">History <small>since the start of ${processName(instance)}</small></h2>
    ${
      first === undefined
        ? html`<p class="none">No run yet.</p>`
        : html`<svg
              class="strip"
              viewBox="0 0 960 32"
              preserveAspectRatio="none"
              role="img"
              aria-label="${summary(shown)}"
            >
              ${shown.map((entry, index) => bar(entry, mostBars - shown.length + index))}
            </svg>
            <div class="axis">
              <span>${tickingDistance(first.at, now, 'past')}</span> <span>${summary(shown)}</span> <span>now</span>
            </div>`
    }
  </section>`
}

/** One run. If it wasn't OK, a title shows its time, verdict and code. */
function bar({ at, status, code }: HistoryEntry, index: number): Markup {
  const words = [`${utcText(at).slice(0, 16)} UTC:`, verdictWords[status], code].filter(Boolean).join(' ')
  const title = status !== 'ok' && html`<title>${plainText(words, 200)}</title>`
  const line = `M${index * 10} ${32 - heights[status] / 2}h7`
  return html`<path class="${status}" d="${line}" stroke-width="${heights[status]}">${title}</path>`
}

/** `90 OK, 5 failed`. */
function summary(entries: readonly HistoryEntry[]): string {
  return (Object.keys(heights) as ReportStatus[])
    .map((status) => [entries.filter((entry) => entry.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status === 'ok' ? verdictWords.ok : verdictWords[status].toLowerCase()}`)
    .join(', ')
}
