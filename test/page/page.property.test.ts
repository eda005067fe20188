import { expect, test } from 'vitest'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import type { PageInput } from '../../src/page/page.ts'
import { renderPage } from '../../src/page/page.ts'
import { samples, withHostileProfile } from '../support/sample-reports.ts'
import { hostileText } from '../support/arbitrary-run.ts'
import { fc } from '../support/properties.ts'
import { loadPackage } from '../support/some-packages.ts'

/** A node of a document, as far as it is read here. */
interface Node {
  readonly nodeName: string
  readonly tagName?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly value?: string
  readonly parentNode?: Node
  readonly childNodes?: readonly Node[]
}
const { parse } = await loadPackage<{ parse: (html: string) => Node }>('parse5')

/** Elements by name, attributes by name, and all text, as a browser reads the page. */
function read(html: string) {
  const names: string[] = []
  const attributes: { readonly name: string; readonly value: string }[] = []
  const texts: string[] = []
  const visit = ({ nodeName, tagName, attrs, value, parentNode, childNodes }: Node) => {
    if (tagName !== undefined) names.push(tagName)
    attributes.push(...(attrs ?? []))
    if (nodeName === '#text' && !['style', 'script'].includes(parentNode?.nodeName ?? '')) texts.push(value ?? '')
    childNodes?.forEach(visit)
    // A template's content would be no child of it, and the page has none.
    expect(nodeName).not.toBe('template')
  }
  visit(parse(html))
  return { names, attributes, text: texts.join('') }
}

/** A page takes 15 ms to make and read; FUZZ_SECONDS takes as many as it has time for. */
const few = process.env['FUZZ_SECONDS'] === undefined ? { numRuns: 60 } : {}

/** What a text itself may make or leave out: the number of a hidden character, a line break, a link to a row. */
const wordless = new Set(['br', 'b', 'i', 'a'])
const countOf = (names: readonly string[]) => names.filter((name) => !wordless.has(name)).join(' ')

test.each(['failed', 'pending'] as const)(
  'whatever stands in every field of a %s report, a browser reads the same elements, and no attribute but ours',
  (status) => {
    const harmless = read(renderPage(withHostileProfile((path) => `harmless ${path}`, status)).html)
    const elements = countOf(harmless.names)
    const known = new Set(harmless.attributes.map(({ name }) => name))
    fc.assert(
      fc.property(hostileText, (text) => {
        const { html } = renderPage(withHostileProfile((path) => `x${text} ${path}`, status))
        const { names, attributes, text: shown } = read(html)
        expect(countOf(names)).toBe(elements)
        const foreign = attributes.filter(
          ({ name, value }) => !known.has(name) || (name === 'href' && !/^(#|api\/|data:image\/svg)/.test(value)),
        )
        expect(foreign).toEqual([])
        // Nothing that hides or turns text around, and no half of a character, reaches the page as it is.
        expect(/[\0\u202E\uFEFF\uFFFE\uFFFD]/.exec(shown)).toBeNull()
        expect(/\p{Cs}/u.exec(html)).toBeNull()
      }),
      few,
    )
  },
)

const isoDate = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())

/** A report with or without its optional parts, and any numbers and times in it. */
const oddReport = fc
  .record({
    base: fc.constantFrom(...Object.values(samples)),
    withCause: fc.boolean(),
    token: fc.constantFrom('acquired', 'failed', 'pending', 'skipped'),
    withSignIn: fc.boolean(),
    time: fc.oneof(fc.string(), isoDate),
    number: fc.oneof(fc.double(), fc.integer()),
  })
  .map(({ base, withCause, token, withSignIn, time, number }): PageInput => {
    const certificate = { subject: time, issuer: time, validFrom: time, validTo: time }
    const signIn = { userCode: time, verificationUri: time, expiresOn: time }
    const { expiresOn: _, signIn: _none, ...rest } = base.report.token
    const { rootCause, ...known } = base.report
    const report: DiagnosticsReport = {
      ...known,
      ...(withCause && rootCause !== undefined ? { rootCause } : {}),
      checkedAt: time,
      token: { ...rest, status: token, durationMs: number, expiresOn: time, ...(withSignIn ? { signIn } : {}) },
      checks: base.report.checks.map((check) => ({ ...check, durationMs: number })),
      hosts: base.report.hosts.map((host) => ({ ...host, certificate })),
    }
    return { ...base, report }
  })

test('a report of any shape, with any numbers and times, is a page: rendering never throws', () => {
  fc.assert(
    fc.property(oddReport, (input) => {
      const { html } = renderPage(input)
      expect(html).toMatch(/^<!doctype html>.*<\/html>/s)
      expect(read(html).text).not.toMatch(/undefined|NaN|Infinity|\[object/)
    }),
    few,
  )
})
