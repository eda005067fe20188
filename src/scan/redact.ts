import { endOfText } from '../lib/base/end-of-text.ts'

const removed = '[removed]'

/** Keys whose value is a secret, in configuration, code, connection strings and addresses; then words that are one as an option only. */
const keyWord =
  /(account_?key|shared_?access_?(?:key|signature)|\bsig|secret|passw(?:or)?d|\bpwd|token|api_?key|access_?key|\bkey|credential|authorization|assertion)|\b(bearer|basic)\s|key/gi

const assigned = /[\w.-]{0,40}["'`]?\s*(?:=>|[:=]=?)\s*(?:(?:bearer|basic)\s+)?["'`]?(?=[^\s"'`;&,<>(){}[\]])/iy
const afterScheme = /\s+(?=[^\s"'`;&,<>(){}[\]])/y
const afterOption = /\s+["'`]?(?=[^\s"'`;&,<>(){}[\]])/y
const secretValue = /[^\s"'`;&,<>(){}[\]]+/y

/** Runs that may be random. */
const run = /[A-Za-z0-9+/_~=%.-]{12,}/g

/**
 * A line of source without what may be a secret: values of keys that say so, and whatever looks random. The part that is the finding
 * stays, because its value comes from a table.
 */
export function redact(text: string): string {
  const withoutUser = text.replace(/(:\/\/)[^\s/"'`@]+@/g, `$1${removed}@`)
  const withoutQuery = withoutUser.replace(/\?[^\s"'`<>]+/g, (query) => (query.includes('=') ? `?${removed}` : query))
  return withoutNamed(withoutQuery).replace(run, (each) =>
    each.split(/[/.=]/).some(looksRandom) || looksRandom(each) ? removed : each,
  )
}

function withoutNamed(text: string): string {
  let shown = ''
  let from = 0
  keyWord.lastIndex = 0
  for (let found = keyWord.exec(text); found !== null; found = keyWord.exec(text)) {
    const begin = beginOfValue(text, found)
    if (begin === undefined) continue
    secretValue.lastIndex = begin
    secretValue.test(text)
    shown += text.slice(from, begin) + removed
    from = secretValue.lastIndex
    keyWord.lastIndex = from
  }
  return shown + text.slice(from)
}

/** Where the value of a key begins, if it has one. */
function beginOfValue(text: string, { index, 0: word, 1: key, 2: scheme }: RegExpExecArray): number | undefined {
  if (scheme !== undefined) return endOfMatch(afterScheme, text, index + scheme.length)
  const end = index + word.length
  const begin = key === undefined ? undefined : endOfMatch(assigned, text, end)
  if (begin !== undefined || !/(?:password|secret|token|key)$/i.test(word)) return begin
  const isOption = endOfText(text.slice(Math.max(0, index - 41), index), /[\w-]/).includes('-')
  return isOption ? endOfMatch(afterOption, text, end) : undefined
}

/** Where a sticky expression ends that begins at a place. */
function endOfMatch(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : undefined
}

/** Words change from small to capital where the next begins; random text does so anywhere, and mixes digits in. */
function looksRandom(text: string): boolean {
  if (text.length < 12) return false
  if (/^[\da-f-]{16,}$/i.test(text) && /\d/.test(text)) return true
  const letters = text.replace(/[^A-Za-z]/g, '')
  const digits = text.replace(/\D/g, '').length
  let changes = 0
  for (let at = 1; at < letters.length; at++) if (isCapital(letters, at) !== isCapital(letters, at - 1)) changes += 1
  const isMixed = letters.length > 0 && changes / letters.length > 0.3
  return isMixed || (digits >= 3 && changes >= 2) || digits >= 6
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x41 && code <= 0x5a
}
