import type { DiagnosticsReport, HistoryEntry, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'
import { processName } from './verdict.ts'
import { tickingDistance, utcText } from './time.ts'
import { plainText, verdictWords } from './elements.ts'

/** Bars of the strip: a day at the default schedule of a run each quarter of an hour. */
const mostBars = 96
/** Periods that are listed below the strip. */
const mostPeriods = 24

/** Heights of 32, so that the strip is readable without color. */
const heights: Readonly<Record<ReportStatus, number>> = { ok: 16, warning: 22, pending: 22, failed: 32 }

/** The diagnostics runs that this process remembers, a bar each, oldest first. */
export function historySection({ history = [], instance }: DiagnosticsReport, now: Date): Markup {
  const shown = history.slice(-mostBars)
  const periods = periodsOf(shown)
  const first = shown[0]
  return html`<section class="history" aria-labelledby="history">
    <h2 id="history">History <small>of ${processName(instance)}</small></h2>
    ${
      first === undefined
        ? html`<p class="none">No run yet. ${whereKept}</p>`
        : html`${strip(shown, periods)}
            <div class="axis">
              <span>${tickingDistance(first.at, now, 'past')}</span> ${periodList(shown, periods)} <span>now</span>
            </div>`
    }
  </section>`
}

const whereKept = 'This instance keeps its history in memory and loses it at a restart.'

/** Neighbors of one verdict and one code. */
type Period = readonly [HistoryEntry, ...HistoryEntry[]]

/** A line for each period, as thick as its bars are high; the style cuts it into bars. */
function strip(entries: readonly HistoryEntry[], periods: readonly Period[]): Markup {
  let index = mostBars - entries.length
  const lines = periods.map((period) => {
    const [{ status }] = period
    const line = `M${index * 10} ${32 - heights[status] / 2}h${period.length * 10}`
    index += period.length
    return html`<path class="${status}" d="${line}" stroke-width="${heights[status]}">
      <title>${periodText(period)}</title>
    </path>`
  })
  return html`<svg class="strip" viewBox="0 0 960 32" preserveAspectRatio="none" role="img" aria-labelledby="history">
    ${lines}
  </svg>`
}

function periodsOf(entries: readonly HistoryEntry[]): Period[] {
  const periods: [HistoryEntry, ...HistoryEntry[]][] = []
  for (const entry of entries) {
    const last = periods.at(-1)
    if (last !== undefined && last[0].status === entry.status && last[0].code === entry.code) last.push(entry)
    else periods.push([entry])
  }
  return periods
}

/** When a period was, its verdict and its code: `2026-11-20 12:10 to 13:10 UTC, 5 runs: Failed AUTHORITY_UNTRUSTED`. */
function periodText(period: Period): string {
  const [{ at, status, code }] = period
  const [first, last] = [utcText(at).slice(0, 16), utcText(period.at(-1)?.at ?? at).slice(0, 16)]
  const to = last.slice(0, 10) === first.slice(0, 10) ? last.slice(11) : last
  const time = period.length === 1 ? `${first} UTC` : `${first} to ${to} UTC, ${period.length} runs`
  return plainText([`${time}:`, verdictWords[status], code].filter(Boolean).join(' '), 200)
}

/** `92 OK, 4 failed`. */
function summary(entries: readonly HistoryEntry[]): string {
  return (Object.keys(heights) as ReportStatus[])
    .map((status) => [entries.filter((entry) => entry.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status === 'ok' ? verdictWords.ok : verdictWords[status].toLowerCase()}`)
    .join(', ')
}

/** The periods, newest first, for people who cannot point at a bar. */
function periodList(entries: readonly HistoryEntry[], periods: readonly Period[]): Markup {
  const items = periods.toReversed().slice(0, mostPeriods)
  return html`<details>
    <summary>${summary(entries)}</summary>
    <ul>
      ${items.map((period) => html`<li>${periodText(period)}</li>`)}
    </ul>
    <p>${whereKept}</p>
  </details>`
}
