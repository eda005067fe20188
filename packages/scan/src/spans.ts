import type { Quote, Syntax } from './languages.ts'

/** A comment or a string with its quotes. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: 'comment' | 'string'
  readonly quote?: Quote
}

/** A longer text is no regular expression of a script: so a line of slashes costs linear time. */
const longestExpression = 400
/** A string of a shell that goes on over lines. A lone apostrophe opens no longer one. */
const longestShellString = 20_000

/**
 * The comments and strings of a text, in order, found in one pass: each step goes on behind what it read, or by one character after a look
 * of bounded length.
 */
export function findSpans(text: string, syntax: Syntax): readonly Span[] {
  const spans: Span[] = []
  const first = firstCharacters(syntax)
  const add = (kind: Span['kind'], start: number, end: number, quote?: Quote) => {
    spans.push({ start, end, kind, ...(quote && { quote }) })
    return end
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code > 127 || first[code] === 0) {
      at += 1
      continue
    }
    const block = syntax.blockComments.find(([begin]) => text.startsWith(begin, at))
    if (block !== undefined) {
      const close = text.indexOf(block[1], at + block[0].length)
      at = add('comment', at, close === -1 ? text.length : close + block[1].length)
      continue
    }
    const line = syntax.lineComments.find((token) => text.startsWith(token, at) && beginsComment(text, at, token))
    if (line !== undefined) {
      at = add('comment', at, endOfLine(text, at))
      continue
    }
    const quote = syntax.quotes.find(({ open }) => text.startsWith(open, at))
    if (quote !== undefined && opensString(text, at, quote, syntax)) {
      const end = endOfString(text, at + quote.open.length, quote, syntax)
      at = add(syntax.hasDocstrings === true && standsAlone(text, at) ? 'comment' : 'string', at, end, quote)
      continue
    }
    const here = syntax.hasHereDocuments === true && code === 0x3c ? endOfHereDocument(text, at) : undefined
    if (here !== undefined) at = add('string', at, here)
    else if (syntax.hasRegularExpressions === true && code === 0x2f) at = endOfExpression(text, at)
    else at += 1
  }
  return spans
}

const tables = new WeakMap<Syntax, Uint8Array>()

/** By character code, 1 where something may begin with the character. */
function firstCharacters(syntax: Syntax): Uint8Array {
  const known = tables.get(syntax)
  if (known !== undefined) return known
  const table = new Uint8Array(128)
  const tokens = [
    ...syntax.lineComments,
    ...syntax.blockComments.map(([begin]) => begin),
    ...syntax.quotes.map(({ open }) => open),
    ...(syntax.hasHereDocuments ? ['<<'] : []),
    ...(syntax.hasRegularExpressions ? ['/'] : []),
  ]
  for (const token of tokens) table[token.charCodeAt(0)] = 1
  tables.set(syntax, table)
  return table
}

function beginsComment(text: string, at: number, token: string): boolean {
  const before = text[at - 1] ?? '\n'
  if (token === '//') return before !== ':' && before !== '\\'
  if (token === '#') return /[\s;({[&|,]/.test(before) || /[)}\]"']/.test(before)
  if (token === ';') return /\s/.test(before)
  if (/^@?rem |^::/i.test(token)) return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 60), at))
  return true
}

/** The apostrophe of a word is no quote, and a character of a program holds one or an escape. */
function opensString(text: string, at: number, { open, isMultiline, isCharacter }: Quote, syntax: Syntax): boolean {
  if (open !== "'") return true
  if (isCharacter === true) return /^'(?:\\.[^']{0,8}|[^\\'])'/.test(text.slice(at, at + 14))
  const before = text.slice(Math.max(0, at - 2), at)
  if (/[^\WrRbBuUfFLx]$/.test(before)) return false
  return isMultiline === true || !syntax.lineComments.includes('#') || !/^\w[A-Za-z0-9]$/.test(before)
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function endOfString(text: string, from: number, { close, escape, isMultiline }: Quote, syntax: Syntax): number {
  const isShell = syntax.hasHereDocuments === true && isMultiline === true
  const last = isShell ? Math.min(text.length, from + longestShellString) : text.length
  const mark = escape === undefined || escape === 'double' ? -1 : escape.charCodeAt(0)
  const closeCode = close.charCodeAt(0)
  for (let at = from; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === mark) at += 1
    else if (code === 0x0a && isMultiline !== true) return at
    else if (code === closeCode && text.startsWith(close, at)) {
      if (escape === 'double' && text.startsWith(close, at + close.length)) at += close.length
      else return at + close.length
    }
  }
  // A lone quote: the line goes on as before it.
  return isShell && last < text.length ? endOfLine(text, from) : text.length
}

/** What may stand before a regular expression. Behind a value, a slash divides. */
const beforeExpression = /(?:^|[(,=:[!&|?{};+*%~^<>]|\b(?:return|case|typeof))[ \t]*$/
const expression = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//

/** The place behind a regular expression of a script, or behind a slash that begins none. */
function endOfExpression(text: string, at: number): number {
  const before = text.slice(Math.max(at - 60, 0), at)
  if (!beforeExpression.test(before.slice(before.lastIndexOf('\n') + 1))) return at + 1
  return at + (expression.exec(text.slice(at, at + longestExpression))?.[0].length ?? 1)
}

/** The end of the last line of a here-document, or nothing where none begins. */
function endOfHereDocument(text: string, at: number): number | undefined {
  const name = /^<<[-~]?[ \t]*["']?([A-Za-z_]\w*)/.exec(text.slice(at, at + 100))?.[1]
  if (name === undefined) return undefined
  for (let end = endOfLine(text, at); end < text.length;) {
    const start = end + 1
    end = endOfLine(text, start)
    if (text.slice(start, Math.min(end, start + 200)).trim() === name) return end
  }
  return text.length
}

/** A string that nothing precedes in its statement: an argument of a call stands alone on its line too. */
function standsAlone(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 400), at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (!/^\s*[rRuUbB]{0,2}$/.test(line)) return false
  const above = before.slice(0, before.length - line.length).trimEnd()
  return above === '' || !/[=(,[{+\\]$/.test(above)
}

/** The span that holds a place, if one does. */
export function spanAt(spans: readonly Span[], at: number): Span | undefined {
  const span = spans[spanIndex(spans, at)]
  return span !== undefined && span.start <= at ? span : undefined
}

/** The index of the first span that ends behind a place. */
export function spanIndex(spans: readonly Span[], at: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span).end <= at) low = middle + 1
    else high = middle
  }
  return low
}
