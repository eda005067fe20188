import { endOfText } from '../lib/base/end-of-text.ts'
import { redact } from './redact.ts'
import type { ShownFinding } from './finding.ts'

/** Other characters than these would move the cursor of a terminal. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu

/**
 * The line of a finding for people, with nothing that could be a secret: of the text around the value its own scheme and host stay, of
 * other strings nothing, and of the code what {@link redact} leaves.
 */
export function excerptOf(line: string, at: number, length: number): ShownFinding['excerpt'] {
  const before = withoutSecretsBefore(line.slice(0, at))
  const value = clean(line.slice(at, at + length))
  const after = withoutSecretsAfter(line.slice(at + length))
  const indent = /^\s*/.exec(before)?.[0].length ?? 0
  return { text: `${before}${value}${after}`.slice(indent), from: before.length - indent, length: value.length }
}

/** The text that adjoins the value, back to a separator of words. */
const adjoining = /[^\s"'`;,&?=()[\]|]/

function withoutSecretsBefore(text: string): string {
  const own = endOfText(text, adjoining)
  const rest = text.slice(0, text.length - own.length)
  const quote = /["'`]$/.exec(rest)?.[0] ?? ''
  return clean(
    elideStrings(redact(rest.slice(0, rest.length - quote.length))) + quote + own.replace(/(:\/\/)[^/@]*@/, '$1…@'),
  )
}

function withoutSecretsAfter(text: string): string {
  const [own = ''] = /^[^\s"'`;,&?()[\]|/]*/.exec(text) ?? []
  const rest = text.slice(own.length)
  const path = /^[/?;&][^\s"'`]*/.exec(rest)?.[0] ?? ''
  const shown = path === '' || path === '/' || /^\/{0,2}\.default$/.test(path) ? path : '/…'
  const [quote = '', other = ''] = /^(["'`]?)(.*)$/s.exec(rest.slice(path.length))?.slice(1) ?? []
  return clean(own + shown + quote + elideStrings(redact(other)))
}

/** Other strings of the line stay closed. The open one, whose text goes on to the value, stays open. */
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
