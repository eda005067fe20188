const removed = '[removed]'

/** Keys whose value is a secret, in configuration, code, connection strings and addresses. */
const named =
  /((?:account_?key|shared_?access_?(?:key|signature)|\bsig|secret|passw(?:or)?d|\bpwd|token|api_?key|access_?key|\bkey|credential|authorization|assertion)[\w.-]{0,40}["'`]?\s*(?:=>|[:=]=?)\s*(?:bearer\s+|basic\s+)?["'`]?|\b(?:bearer|basic)\s+|--?[\w-]{0,40}(?:password|secret|token|key)\s+["'`]?)([^\s"'`;&,<>(){}[\]]+)/gi

/** Runs that may be random. */
const run = /[A-Za-z0-9+/_~=%.-]{12,}/g

/**
 * A line of source without what may be a secret: values of keys that say so, and whatever looks random. The part that is the finding
 * stays, because its value comes from a table.
 */
export function redact(text: string): string {
  const withoutUser = text.replace(/(:\/\/)[^\s/"'`@]+@/g, `$1${removed}@`)
  const withoutQuery = withoutUser.replace(/\?[^\s"'`<>]+/g, (query) => (query.includes('=') ? `?${removed}` : query))
  return withoutQuery
    .replace(named, (whole, key: string, value: string) => (value === removed ? whole : `${key}${removed}`))
    .replace(run, (each) => (each.split(/[/.=]/).some(looksRandom) || looksRandom(each) ? removed : each))
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
