import type { Finding } from './finding.ts'

/** Other characters than these would move the cursor of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu
const ellipsis = '…'

/** The line of a finding for people. Of the text around the value it shows names and signs only, and of other strings nothing. */
export function excerptOf(line: string, at: number, length: number): Finding['excerpt'] {
  const before = clean(maskWords(elideStrings(line.slice(0, at))))
  const value = clean(line.slice(at, at + length))
  const rest = line.slice(at + length)
  // The quote that ends the string of the value begins no other string.
  const [tail = ''] = /^\/?[^\s"'`]{0,400}["'`]?/.exec(rest) ?? []
  const after = clean(maskWords(tail) + maskWords(elideStrings(rest.slice(tail.length))))
  const indent = /^\s*/.exec(before)?.[0].length ?? 0
  return { text: `${before}${value}${after}`.slice(indent), from: before.length - indent, length: value.length }
}

const clean = (text: string): string => text.replaceAll('\t', '  ').replace(unprintable, '·')

/** Elides other strings of the line. The string that contains the value stays. */
function elideStrings(text: string): string {
  return ['"', "'", '`'].reduce(elideQuoted, text)
}

function elideQuoted(text: string, quote: string): string {
  let shown = ''
  let from = 0
  for (let open = text.indexOf(quote); open !== -1; open = text.indexOf(quote, from)) {
    let close = open + 1
    while (close < text.length && text[close] !== quote) close += text[close] === '\\' ? 2 : 1
    if (close >= text.length) break
    // The second of two quotes may open a string.
    const isEmpty = close === open + 1
    shown += text.slice(from, open) + (isEmpty ? quote : `${quote}${ellipsis}${quote}`)
    from = isEmpty ? close : close + 1
  }
  return shown + text.slice(from)
}

/** A run of characters that may be a word, or a secret. */
const chunk = /[^\s"'`;,&?=()[\]{}<>|:/.]+/g
const name = /^[A-Za-z_$@][\w$-]{0,31}$/
/** What makes the word before it a name: a call, an assignment, a key. */
const naming = /^[.\w$]{0,80}(?:\(|\[|\s+(?:=>|[:+!]?={1,3})\s|=(?=[^\s=])|:(?=[\s"'`{[]|$))/
/** What may stand before a name. Behind another sign the word may be a value that goes on. */
const beforeName = /(?:^|[\s"'`;,&?({[.<!])$/

/** Every word but names is hidden, because it may be a secret: nothing tells a password from an identifier. */
function maskWords(text: string): string {
  const shown = text.replace(chunk, (each, at: number) => {
    const isName =
      name.test(each) &&
      beforeName.test(text.slice(Math.max(0, at - 1), at)) &&
      naming.test(text.slice(at + each.length, at + each.length + 120))
    return isName || /^https?$/.test(each) || !/[\p{L}\p{N}]/u.test(each) ? each : ellipsis
  })
  return shown.replace(/…(?:[\s+/.]*…)+/g, ellipsis)
}
