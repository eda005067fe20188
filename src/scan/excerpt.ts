import type { ShownFinding } from './finding.ts'
import { maskWords } from './mask-words.ts'

/** Other characters than these would move the cursor of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu

/** The line of a finding for people. Of the text around the value it shows only what {@link maskWords} shows, and of other strings nothing. */
export function excerptOf(line: string, at: number, length: number): ShownFinding['excerpt'] {
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
