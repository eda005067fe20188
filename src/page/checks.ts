import type { Check, DiagnosticsReport, RootCause } from '../lib/diagnostics/report.ts'
import { lineOfChange, type Warning } from '../lib/errors.ts'
import { findingOf } from '../lib/findings/catalog.ts'
import { type WarningFinding, warningFindings } from '../lib/findings/warning-findings.ts'
import {
  codeValue,
  commandLines,
  type Fact,
  factList,
  fold,
  icon,
  plainText,
  proseText,
  shownText,
} from './elements.ts'
import { type Content, html, type Markup, rowAddress, rowAnchor, trusted } from './html.ts'

const titles = { fail: 'Failed', warn: 'Warnings', pass: 'Passed', skip: 'Skipped' } as const

/** A code, with a link to its entry in the fold of the codes. */
const codeTag = (code: string): Markup => html`<a class="tag" href="${trusted(`#${code}`)}"><code>${code}</code></a>`

/** Failures and warnings. `undefined` if there are none. */
export function troublesSection(report: DiagnosticsReport): Markup | undefined {
  const [first, second] = groupsOf(report, ['fail', 'warn']).filter(({ count }) => count > 0)
  if (first === undefined) return undefined
  return html`<section aria-labelledby="troubles">
    ${
      second === undefined
        ? group(first, report.rootCause, true)
        : html`<h2 id="troubles">What needs attention</h2>
            ${[first, second].map((each) => group(each, report.rootCause))}`
    }
  </section>`
}

/** Passed and skipped checks in a fold. The others are above it. */
export function passedFold(report: DiagnosticsReport): Markup {
  const groups = groupsOf(report, ['pass', 'skip']).filter(({ status, count }) => status === 'pass' || count > 0)
  return html`<details class="passed">
    <summary>${groups.map(({ status, count }) => `${count} ${titles[status].toLowerCase()}`).join(', ')}</summary>
    ${groups.map((each) => each.count > 0 && group(each))}
    ${report.checks.length === 0 && html`<p class="none">No check has run yet.</p>`}
  </details>`
}

interface Group {
  readonly status: Check['status']
  readonly items: readonly Markup[]
  readonly count: number
}

/** The checks and warnings by status, without the failures that the root cause explains. */
function groupsOf(report: DiagnosticsReport, statuses: readonly Check['status'][]): Group[] {
  const { rootCause } = report
  const isExplained = ({ id, status }: Check) => status === 'fail' && rootCause?.checks.includes(id) === true
  return statuses.map((status) => {
    const checks = report.checks.filter((check) => check.status === status && !isExplained(check))
    const more = status === 'warn' ? warningItems(distinctWarnings(report)) : []
    return { status, items: [...checkItems(checks), ...more], count: checks.length + more.length }
  })
}

/** Each warning once. Placeholders have a separate section. */
export function distinctWarnings({ warnings }: DiagnosticsReport): readonly Warning[] {
  const each = new Map(warnings.map((warning) => [warning.message, warning]))
  return [...each.values()].filter((warning) => warning.code !== 'PLACEHOLDER_FIELD')
}

/** @param isAlone Whether the heading of the group is also the heading of the section. Default is false. */
function group({ status, items, count }: Group, rootCause?: RootCause, isAlone = false): Markup {
  const word = status === 'warn' && count === 1 ? 'Warning' : titles[status]
  const title = status === 'fail' && rootCause !== undefined ? 'Also failed' : word
  const heading = html`${icon(status)}${title} <span class="count">${count}</span>`
  return html`<div class="group ${status}">
    ${isAlone ? html`<h2 id="troubles">${heading}</h2>` : html`<h3>${heading}</h3>`}
    <ul class="checks" aria-label="Checks: ${title.toLowerCase()}">
      ${items}
    </ul>
  </div>`
}

/** Checks with the same text share one item, such as checks that are skipped for one reason. Each cause and fix appears once. */
function checkItems(checks: readonly Check[]): Markup[] {
  const items = new Map<string, { readonly text: Markup; readonly title: string | undefined; readonly ids: string[] }>()
  const explained = new Map<string, string>()
  for (const check of checks) {
    const { id, status, code, cause, fix } = check
    const title = code !== undefined && (status === 'fail' || status === 'warn') ? findingOf(code).title : undefined
    const meaning = JSON.stringify([code, cause, fix])
    const text = checkText(check, explained.get(meaning))
    if (fix !== undefined && !explained.has(meaning)) explained.set(meaning, id)
    const ids = items.get(text.toString())?.ids ?? []
    items.set(text.toString(), { text, title, ids: [...ids, id] })
  }
  return [...items.values()].map(({ text, title, ids }) => {
    const [first, ...others] = ids.map(idElement)
    return title === undefined
      ? html`<li>
          ${first}
          <div>${others.length > 0 && html`and ${list(others)}: `}${text}</div>
        </li>`
      : html`<li>
          <b>${title}</b>
          <div>${list(ids.map(idElement))}: ${text}</div>
        </li>`
  })
}

const idElement = (id: string): Markup => html`<code${rowAnchor(id)}>${plainText(id)}</code>`

/** @param before The id of an earlier check with the same cause and fix. */
function checkText(check: Check, before: string | undefined): Markup {
  const { code, message } = check
  const what = html`${proseText(message)}${code !== undefined && html` ${codeTag(code)}`}`
  return before === undefined
    ? html`${what}${causeAndFix(check)}`
    : html`${what} Same cause and fix as <a href="${rowAddress(before)}">${plainText(before)}</a>.`
}

function causeAndFix({ cause, fix, change }: Partial<Pick<Check, 'cause' | 'fix' | 'change'>>): Content {
  if (cause === undefined && fix === undefined) return undefined
  const line = lineOfChange(change)
  const facts: Fact[] = [
    ['Cause', cause && proseText(cause)],
    ['Fix', fix && proseText(fix)],
    ['Change', line && codeValue(line)],
  ]
  return factList(facts, 'why')
}

/** One item per code, with its cause and fix, for any number of fields. */
function warningItems(warnings: readonly Warning[]): Markup[] {
  const byCode = Map.groupBy(warnings, ({ code }) => code)
  return Array.from(byCode, ([code, same]) => {
    const finding = warningFindings[code]
    return html`<li>
      <b>${finding.title}</b>
      <div>
        ${same.map((warning, index) => warningText(warning, `command-${code}-${index}`))}
        ${codeTag(code)}${causeAndFix(finding)}
      </div>
    </li>`
  })
}

/** Values of evidence that the page shows, at most. The JSON has all of them. */
const mostEvidence = 8

/** The root cause with its cause and fix, then its evidence. Values that a text already contains are left out. */
export function rootCauseSection(rootCause: RootCause): Markup {
  const { message, code, cause, fix, change, hosts = [], evidence = {}, checks } = rootCause
  // It has a line to copy, and the text refers to it.
  const fingerprint = /(?:[\dA-F]{2}:){31}[\dA-F]{2}/.exec(fix)?.[0] ?? evidence['sha256']
  const told = [message, cause, fix].join('\n')
  const line = lineOfChange(change)
  const isTold = (value: string) => value.length >= 3 && [told, ...hosts].join('\n').includes(value)
  // The fold of the runtime shows the trust store.
  const isAbove = (name: string) => name === 'trustStore' || (name === 'host' && hosts.length > 0)
  const facts = Object.entries(evidence)
    .filter(([name, value]) => !isAbove(name) && value !== fingerprint && !isTold(value))
    .slice(0, mostEvidence)
  return html`<section class="root-cause" id="root-cause" aria-labelledby="root-cause-title">
    <h2 id="root-cause-title">${findingOf(code).title} ${codeTag(code)}</h2>
    <p class="message">${proseText(message)}</p>
    <div class="pair">
      <div>
        <h3>Cause</h3>
        <p>${proseText(cause)}</p>
      </div>
      <div>
        <h3>Fix</h3>
        <p>${proseText(fingerprint === undefined ? fix : fix.replace(fingerprint, 'below'))}</p>
        ${fingerprint !== undefined && commandLines([fingerprint], 'fingerprint')}
        ${line !== undefined && commandLines([line], 'change')}
      </div>
    </div>
    ${factList(
      [
        [
          hosts.length === 1 ? 'Host' : 'Hosts',
          hosts.some((host) => !told.includes(host)) &&
            list(hosts.map((host) => html`<code>${shownText(host, 200)}</code>`)),
        ],
        ...facts.map(([name, value]): [string, Content] => [words(name), codeValue(value)]),
        ['Checks', checks.length > 0 && list(checks.map(idElement))],
      ],
      'evidence',
    )}
  </section>`
}

/** The title of each code on the page, and the words of other programs for it. */
export function codesFold(report: DiagnosticsReport): Content {
  const titles = new Map<string, Pick<WarningFinding, 'title' | 'signs'>>()
  for (const { code } of distinctWarnings(report)) titles.set(code, warningFindings[code])
  for (const each of [report.rootCause, ...report.checks]) if (each?.code) titles.set(each.code, findingOf(each.code))
  const facts = Array.from(titles, ([code, { title, signs = [] }]): Fact => {
    const others = signs.length > 0 && html` <span class="from">Other programs say: ${signs.join('; ')}</span>`
    return [html`<code id="${code}">${code}</code>`, html`${title}${others}`]
  })
  return facts.length > 0 && fold('codes', 'Codes', `${facts.length}`, factList(facts))
}

const list = (items: readonly Markup[]): Content => items.map((item, index) => [index > 0 && ', ', item])

/** `errorCode` as `TLS code`. */
function words(name: string): string {
  const spaced = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const spelled = spaced.replace(/\b(?:tls|ca|id)\b/g, (short) => short.toUpperCase()).replace('sha256', 'SHA-256')
  return plainText(spelled.charAt(0).toUpperCase() + spelled.slice(1), 60)
}

/** The message of a warning, and its commands with a copy button, one per line. */
function warningText({ message, commands = [] }: Pick<Warning, 'message' | 'commands'>, id: string): Markup {
  if (commands.length === 0) return html`<p>${proseText(message)}</p>`
  return html`<p>${proseText(message)}:</p>
    ${commandLines(commands, id)}`
}
