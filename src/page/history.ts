import type { HistoryEntry, ReportStatus } from '../lib/diagnostics/report.ts'
import { html, type Markup } from './html.ts'
import { plainText } from './shown-text.ts'
import { stateWords } from './state.ts'
import { distanceText, utcText } from './time.ts'

/** Bars of the strip: a day at the default schedule of a check each quarter of an hour. */
const mostBars = 96
/** Runs that are listed below it. */
const mostRuns = 24

/** Heights of 32: a strip without colour still tells how it went. */
const heights: Readonly<Record<ReportStatus, number>> = { ok: 16, warning: 22, pending: 22, failed: 32 }

/** The checks that this process remembers, a bar each, oldest first. */
export function historySection(history: readonly HistoryEntry[] | undefined, now: Date): Markup {
  const shown = (history ?? []).slice(-mostBars)
  const runs = runsOf(shown)
  const first = shown[0]
  return html`<section class="history" aria-labelledby="history">
    <h2 id="history">History</h2>
    ${
      first === undefined
        ? html`<p class="none">
            No check is remembered yet. The scheduled ones are kept in the memory of this instance, and lost with it.
          </p>`
        : html`${strip(shown, runs)}
            <div class="axis">
              <span>${distanceText(first.at, now)}</span> ${runList(shown, runs)} <span>now</span>
            </div>`
    }
  </section>`
}

/** Neighbours of one verdict and one code. */
type Run = readonly [HistoryEntry, ...HistoryEntry[]]

/** A line for each run, as thick as its bars are high; the style cuts it into bars. The script tells of the one that is pointed at. */
function strip(entries: readonly HistoryEntry[], runs: readonly Run[]): Markup {
  let index = mostBars - entries.length
  const lines = runs.map((run) => {
    const [{ status, code }] = run
    const line = `M${index * 10} ${32 - heights[status] / 2}h${run.length * 10}`
    index += run.length
    const verdict = [stateWords[status].title, code].filter(Boolean).join(' ')
    return html`<path
      class="${status}"
      d="${line}"
      stroke-width="${heights[status]}"
      data-run="${plainText(verdict, 80)}"
    />`
  })
  const times = entries.map(({ at }) => utcText(at).slice(11, 16)).join(' ')
  return html`<svg
    class="strip"
    viewBox="0 0 960 32"
    preserveAspectRatio="none"
    role="img"
    aria-labelledby="history"
    data-times="${plainText(times)}"
  >
    ${lines}
  </svg>`
}

function runsOf(entries: readonly HistoryEntry[]): Run[] {
  const runs: [HistoryEntry, ...HistoryEntry[]][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    if (last !== undefined && last[0].status === entry.status && last[0].code === entry.code) last.push(entry)
    else runs.push([entry])
  }
  return runs
}

/** When a run was, its verdict and its code: `2026-11-20 12:10 to 13:10 UTC, 5 checks: Failed AUTHORITY_UNTRUSTED`. */
function runText(run: Run): string {
  const [{ at, status, code }] = run
  const [first, last] = [utcText(at).slice(0, 16), utcText(run.at(-1)?.at ?? at).slice(0, 16)]
  const to = last.slice(0, 10) === first.slice(0, 10) ? last.slice(11) : last
  const time = run.length === 1 ? `${first} UTC` : `${first} to ${to} UTC, ${run.length} checks`
  return plainText([`${time}:`, stateWords[status].title, code].filter(Boolean).join(' '), 200)
}

/** `92 OK, 4 failed`. */
function summary(entries: readonly HistoryEntry[]): string {
  return (Object.keys(heights) as ReportStatus[])
    .map((status) => [entries.filter((entry) => entry.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status === 'ok' ? 'OK' : stateWords[status].title.toLowerCase()}`)
    .join(', ')
}

/** The runs, newest first: what the bars say to who cannot point at one. */
function runList(entries: readonly HistoryEntry[], runs: readonly Run[]): Markup {
  const items = runs.toReversed().slice(0, mostRuns)
  return html`<details>
    <summary>${summary(entries)}</summary>
    <ul>
      ${items.map((run) => html`<li>${runText(run)}</li>`)}
    </ul>
    <p>Kept in the memory of this instance, and lost with it.</p>
  </details>`
}
