import type { Syntax } from './languages.ts'
import { opensTextForPeople } from './text-for-people.ts'

/** Where comments and documentation strings stand: pairs of begin and end, in order. */
export type Spans = readonly number[]

/**
 * Finds the comments of a text. A line comment inside a string does not count, nor does the `//` of an address.
 *
 * @param end Where to stop: nothing behind it is asked for.
 */
export function findComments(text: string, syntax: Syntax, end: number = text.length): Spans {
  const spans: number[] = []
  const { lineComments, blockComments, quotes, longQuotes, hasDocstrings, hasCharacters, hasHereDocuments } = syntax
  const stops = stopPattern(syntax)
  if (stops === undefined) return spans
  stops.lastIndex = 0
  let found: RegExpExecArray | null
  while ((found = stops.exec(text)) !== null && found.index < end) {
    const at = found.index
    const token = found[0]
    const block = blockComments.find(([begin]) => begin === token)
    if (block !== undefined) {
      const close = text.indexOf(block[1], at + token.length)
      const after = close === -1 ? text.length : close + block[1].length
      spans.push(at, after)
      stops.lastIndex = after
    } else if (lineComments.includes(token)) {
      if (!beginsComment(text, at, token, syntax)) continue
      const after = endOfLine(text, at)
      spans.push(at, after)
      stops.lastIndex = after
    } else if (longQuotes.includes(token)) {
      const after = endOfLongString(text, at + token.length, token)
      const isDocumentation =
        (hasDocstrings === true && standsAlone(text, at)) || opensTextForPeople(lineBefore(text, at))
      if (isDocumentation) spans.push(at, after)
      stops.lastIndex = after
    } else if (token === '<<' && hasHereDocuments === true) {
      const after = endOfHereDocument(text, at)
      if (after !== undefined && opensTextForPeople(lineBefore(text, at))) spans.push(at, after)
      stops.lastIndex = after ?? at + 2
    } else if (token === "'" && hasCharacters === true) {
      stops.lastIndex = /^'(?:\\.{1,10}?|[^\\'\n])'/.exec(text.slice(at, at + 14))?.[0].length ?? 1
      stops.lastIndex += at
    } else if (quotes.includes(token)) {
      stops.lastIndex = endOfString(text, at + 1, token)
    }
  }
  return spans
}

const patterns = new WeakMap<Syntax, RegExp>()

function stopPattern(syntax: Syntax): RegExp | undefined {
  const { lineComments, blockComments, quotes, longQuotes, hasCharacters, hasHereDocuments } = syntax
  const tokens = [
    ...longQuotes,
    ...blockComments.map(([begin]) => begin),
    ...lineComments,
    ...quotes.split(''),
    ...(hasCharacters === true ? ["'"] : []),
    ...(hasHereDocuments === true ? ['<<'] : []),
  ]
  if (tokens.length === 0) return undefined
  const known = patterns.get(syntax)
  if (known !== undefined) return known
  const pattern = new RegExp(tokens.map((token) => token.replace(/[^\w\s]/g, '\\$&')).join('|'), 'g')
  patterns.set(syntax, pattern)
  return pattern
}

function beginsComment(text: string, at: number, token: string, { hashNeedsSpace }: Syntax): boolean {
  const before = text[at - 1] ?? '\n'
  if (token === '//') return before !== ':' && before !== '\\'
  if (token === '#' && hashNeedsSpace === true) return /[\s;({[&|]/.test(before)
  if (token === ';') return /\s/.test(before)
  if (/^@?rem |^::/i.test(token)) return /^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
  return true
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The place behind a string that ends with its line. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === quote) return at + 1
    else if (character === '\n') return at
  }
  return text.length
}

function endOfLongString(text: string, from: number, quote: string): number {
  let at = from
  for (;;) {
    const close = text.indexOf(quote, at)
    if (close === -1) return text.length
    if (text[close - 1] !== '\\') return close + quote.length
    at = close + 1
  }
}

/** The place behind a here-document, or nothing where none begins. */
function endOfHereDocument(text: string, at: number): number | undefined {
  const name = /^<<[-~]?[ \t]*"?([A-Za-z_]\w*)/.exec(text.slice(at, at + 100))?.[1]
  if (name === undefined) return undefined
  const end = new RegExp(`\\n[ \\t]*${name}[ \\t]*\\r?(?:\\n|$)`).exec(text.slice(at))
  return end === null ? text.length : at + end.index + end[0].length - 1
}

function lineBefore(text: string, at: number): string {
  const start = Math.max(0, at - 200)
  const before = text.slice(start, at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** A string that nothing precedes in its statement. */
function standsAlone(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  if (!/^\s*[rRuUbB]{0,2}$/.test(line)) return false
  // The line before must have ended its statement: an argument of a call stands alone on its line too.
  const before = text.slice(Math.max(0, at - line.length - 400), at - line.length).trimEnd()
  return before === '' || !/[=(,[{+\\]$/.test(before)
}

/** Whether a place lies within a span. */
export function isWithin(spans: Spans, at: number): boolean {
  let low = 0
  let high = spans.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (at < (spans[2 * middle] ?? 0)) high = middle - 1
    else if (at >= (spans[2 * middle + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}
