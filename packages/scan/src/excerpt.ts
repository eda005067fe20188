import type { Finding } from './finding.ts'

/** Other characters than these would move the cursor of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu

/** The line of a finding for people. Of the text around the value it shows only what {@link maskWords} shows, and of other strings nothing. */
export function excerptOf(line: string, at: number, length: number): Finding['excerpt'] {
  const before = clean(maskWords(elideStrings(line.slice(0, at))))
  const value = clean(line.slice(at, at + length))
  const after = clean(maskAfter(line.slice(at + length)))
  const indent = /^\s*/.exec(before)?.[0].length ?? 0
  return { text: `${before}${value}${after}`.slice(indent), from: before.length - indent, length: value.length }
}

/** A port and the begin of a path belong to the value. */
function maskAfter(text: string): string {
  const port = /^:\d{1,5}(?!\w)/.exec(text)?.[0] ?? ''
  const rest = text.slice(port.length)
  const path = /^[/?#;&][^\s"'`]*/.exec(rest)?.[0] ?? ''
  const shown = path === '' || path === '/' || /^\/{0,2}\.default$/.test(path) ? path : '/…'
  const [quote = '', other = ''] = /^(["'`]?)(.*)$/s.exec(rest.slice(path.length))?.slice(1) ?? []
  return port + shown + quote + maskWords(elideStrings(other))
}

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
    shown += text.slice(from, open) + (isEmpty ? quote : `${quote}…${quote}`)
    from = isEmpty ? close : close + 1
  }
  return shown + text.slice(from)
}

function clean(text: string): string {
  return text.replaceAll('\t', '  ').replace(unprintable, '·')
}

/** Words of programming languages that stand alone. They are too common to be a secret. */
const keywords = new Set(
  (
    'and as async await const def default do echo elif else env export extends false fi final fn for from func function if import in is let ' +
    'module mut namespace new nil none not null or output package param print private provider public pub raise readonly resource return ' +
    'static string then throw true try undefined use using val var variable void while with yield'
  ).split(' '),
)

/** A run of characters that may be a word, or a secret. */
const chunk = /[^\s"'`;,&?=()[\]{}<>|:/.]+/g

/** What makes the word before it a name: a call, an assignment, a key. */
const naming = /^[.\w$]{0,80}(?:\(|\[|\s+(?:=>|[:+!]?={1,3})\s|=(?=[^\s=])|:(?=[\s"'`{[]|$))/

/** What may stand before a name. Behind another sign the word may be a value that goes on. */
const beforeName = /(?:^|[\s"'`;,&?({[.<!])$/

const longestScheme = 12

const ellipsis = '…'

/**
 * The names, keywords, options and signs of a text. Every other word is hidden, because it may be a secret: nothing tells a password from
 * an identifier.
 */
function maskWords(text: string): string {
  const shown = text.replace(chunk, (each, at: number) => (isShown(each, text, at) ? each : ellipsis))
  return shown.replace(/…(?:[\s+/.]*…)+/g, ellipsis)
}

function isShown(each: string, text: string, at: number): boolean {
  if (!/[\p{L}\p{N}]/u.test(each) || keywords.has(each) || /^%[sdvqx]$/.test(each)) return true
  if (/^(?:--[a-z][a-z-]*|-[a-z])$/i.test(each)) return true
  const after = text.slice(at + each.length, at + each.length + 120)
  if ((after.startsWith('://') && each.length <= longestScheme) || (each.length === 1 && /^["'`]/.test(after)))
    return true
  const before = text.slice(Math.max(0, at - 1), at)
  // A placeholder in an address. What stands alone in brackets may be the password of a connection string.
  const opensVariable = text.slice(Math.max(0, at - 2), at) === '${'
  if (/[{<]/.test(before) && (opensVariable ? after.startsWith('}') : /^[}>][./]/.test(after))) return true
  return /^[A-Za-z_$@][\w$-]{0,31}$/.test(each) && beforeName.test(before) && naming.test(after)
}
