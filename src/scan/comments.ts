import { endOfText } from '../lib/base/end-of-text.ts'
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
  const {
    lineComments,
    blockComments,
    quotes,
    longQuotes,
    hasDocstrings,
    hasCharacters,
    hasHereDocuments,
    hasTemplates,
  } = syntax
  const { tokens, isFirst } = stopsOf(syntax)
  let at = 0
  /** The end of the last text for people. A string that continues it is also text for people. */
  let endOfTold = -1
  while (at < end) {
    const token = isFirst[text.charCodeAt(at)] === 1 ? tokens.find((each) => text.startsWith(each, at)) : undefined
    if (token === undefined) {
      at = hasTemplates === true && text[at] === '/' ? endOfExpression(text, at) : at + 1
      continue
    }
    let next = at + token.length
    const block = blockComments.find(([begin]) => begin === token)
    if (block !== undefined) {
      const close = text.indexOf(block[1], at + token.length)
      const after = close === -1 ? text.length : close + block[1].length
      spans.push(at, after)
      next = after
    } else if (lineComments.includes(token)) {
      if (beginsComment(text, at, token, syntax)) {
        next = endOfLine(text, at)
        spans.push(at, next)
      }
    } else if (longQuotes.includes(token)) {
      const after =
        hasTemplates === true ? endOfTemplate(text, at + 1) : endOfLongString(text, at + token.length, token, syntax)
      const isTold = continues(text, endOfTold, at) || opensTextForPeople(lineBefore(text, at))
      if (isTold) endOfTold = after
      if (isTold || (hasDocstrings === true && standsAlone(text, at))) spans.push(at, after)
      next = after
    } else if (token === '<<' && hasHereDocuments === true) {
      const after = endOfHereDocument(text, at)
      if (after !== undefined && opensTextForPeople(lineBefore(text, at))) spans.push(at, after)
      next = after ?? next
    } else if (token === "'" && hasCharacters === true) {
      next = at + (/^'(?:\\.{1,10}?|[^\\'\n])'/.exec(text.slice(at, at + 14))?.[0].length ?? 1)
    } else if (quotes.includes(token)) {
      next = endOfString(text, at + 1, token)
      const isContinued = continues(text, endOfTold, at)
      if (isContinued) spans.push(at, next)
      if (isContinued || (isConcatenated(text, next) && opensTextForPeople(lineBefore(text, at)))) endOfTold = next
    }
    at = next
  }
  return spans
}

/** Whether a string only adds to the one that ends before it. */
function continues(text: string, end: number, at: number): boolean {
  return end !== -1 && at - end < 200 && /^\s*\+\s*$/.test(text.slice(end, at))
}

const plus = /\s{0,200}\+/y

function isConcatenated(text: string, at: number): boolean {
  plus.lastIndex = at
  return plus.test(text)
}

interface Stops {
  readonly tokens: readonly string[]
  /** By character code, 1 where a token begins with the character. */
  readonly isFirst: Uint8Array
}

const stops = new WeakMap<Syntax, Stops>()

function stopsOf(syntax: Syntax): Stops {
  const known = stops.get(syntax)
  if (known !== undefined) return known
  const { lineComments, blockComments, quotes, longQuotes, hasCharacters, hasHereDocuments } = syntax
  const tokens = [
    ...longQuotes,
    ...blockComments.map(([begin]) => begin),
    ...lineComments,
    ...quotes.split(''),
    ...(hasCharacters === true ? ["'"] : []),
    ...(hasHereDocuments === true ? ['<<'] : []),
  ]
  const isFirst = new Uint8Array(128)
  for (const token of tokens) isFirst[token.charCodeAt(0)] = 1
  stops.set(syntax, { tokens, isFirst })
  return { tokens, isFirst }
}

function beginsComment(text: string, at: number, token: string, { hashNeedsSpace }: Syntax): boolean {
  const before = text[at - 1] ?? '\n'
  if (token === '//') return before !== ':' && before !== '\\'
  if (token === '#' && hashNeedsSpace === true) return /[\s;({[&|]/.test(before)
  if (token === ';') return /\s/.test(before)
  if (/^@?rem |^::/i.test(token)) return beginOfIndent(text, at) !== undefined
  return true
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The place behind a string that ends with its line. */
export function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === quote) return at + 1
    else if (character === '\n') return at
  }
  return text.length
}

function endOfLongString(text: string, from: number, quote: string, { rawQuotes = '' }: Syntax): number {
  let at = from
  for (;;) {
    const close = text.indexOf(quote, at)
    if (close === -1) return text.length
    if (rawQuotes.includes(quote) || text[close - 1] !== '\\') return close + quote.length
    at = close + 1
  }
}

/** The place of a template's text on the stack of {@link endOfTemplate}. All other entries count the open braces of a substitution. */
const templateText = -1

/** The place behind a template of a script, whose substitutions may hold templates. */
function endOfTemplate(text: string, from: number): number {
  const stack = [templateText]
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    const braces = stack.at(-1) ?? templateText
    if (character === '\\') at++
    else if (braces === templateText) {
      if (character === '`') stack.pop()
      else if (character === '$' && text[at + 1] === '{') {
        stack.push(0)
        at++
      }
    } else if (character === '`') stack.push(templateText)
    else if (character === '"' || character === "'") at = endOfString(text, at + 1, character) - 1
    else if (character === '{') stack[stack.length - 1] = braces + 1
    else if (character === '}' && braces === 0) stack.pop()
    else if (character === '}') stack[stack.length - 1] = braces - 1
    if (stack.length === 0) return at + 1
  }
  return text.length
}

/** What may stand before a regular expression. Behind a value, a slash divides. */
const beforeExpression = /^$|[(,=:[!&|?{};+*%~^]$|=>$|\b(?:return|case|typeof)$/

/** The place behind a regular expression of a script, or behind a slash that begins none: quotes in an expression begin no string. */
function endOfExpression(text: string, at: number): number {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - 60), at).trimEnd()
  if (!beforeExpression.test(before)) return at + 1
  let isInClass = false
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    const character = text[end]
    if (character === '\\') end++
    else if (character === '[') isInClass = true
    else if (character === ']') isInClass = false
    else if (character === '/' && !isInClass) return end + 1
  }
  return at + 1
}

/** The end of the last line of a here-document, or nothing where none begins. */
export function endOfHereDocument(text: string, at: number): number | undefined {
  const name = /^<<[-~]?[ \t]*"?([A-Za-z_]\w*)/.exec(text.slice(at, at + 100))?.[1]
  if (name === undefined) return undefined
  for (let end = endOfLine(text, at); end < text.length;) {
    const start = end + 1
    end = endOfLine(text, start)
    if (text.slice(start, end).trim() === name) return end
  }
  return text.length
}

function lineBefore(text: string, at: number): string {
  const start = Math.max(0, at - 200)
  const before = text.slice(start, at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** Where the line of a place begins, if nothing but spaces stands before the place. */
function beginOfIndent(text: string, at: number): number | undefined {
  let start = at
  while (start > 0 && text[start - 1] !== '\n') {
    if (!/\s/.test(text.charAt(start - 1))) return undefined
    start--
  }
  return start
}

/** A string that nothing precedes in its statement. */
function standsAlone(text: string, at: number): boolean {
  const prefix = endOfText(text.slice(Math.max(0, at - 2), at), /[rRuUbB]/).length
  const start = beginOfIndent(text, at - prefix)
  if (start === undefined) return false
  // The line before must have ended its statement: an argument of a call stands alone on its line too.
  const before = text.slice(Math.max(0, start - 400), start).trimEnd()
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
