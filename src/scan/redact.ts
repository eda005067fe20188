const removed = '[removed]'

/** Keys whose value is a secret, in configuration, code, connection strings and addresses. */
const named =
  /((?:account_?key|shared_?access_?(?:key|signature)|\bsig|secret|passw(?:or)?d|\bpwd|token|api_?key|access_?key|\bkey|credential|authorization|assertion|bearer|basic)[\w.-]{0,40}["'`]?\s*(?:=>|[:=]=?|\s)\s*(?:bearer\s+|basic\s+)?["'`]?)([^\s"'`;&,<>(){}[\]]+)/gi

/** Runs that look random: long, and of mixed kinds of characters. */
const run = /[A-Za-z0-9+/_~=%.-]{12,}/g

/**
 * A line of source without what may be a secret: values of keys that say so, and whatever looks random. The part that is the finding
 * stays, because its value comes from a table.
 */
export function redact(text: string): string {
  const withoutUser = text.replace(/(:\/\/)[^\s/"'`@]+@/g, `$1${removed}@`)
  const withoutQuery = withoutUser.replace(/\?[^\s"'`<>]+/g, (query) => (/[=]/.test(query) ? `?${removed}` : query))
  return withoutQuery
    .replace(named, (whole, key: string, value: string) => (value === removed ? whole : `${key}${removed}`))
    .replace(run, (each) => (looksRandom(each) ? removed : each))
}

function looksRandom(text: string): boolean {
  const plain = text.replace(/^[./%-]+/, '')
  if (/^[\da-f]{16,}$/i.test(plain.replaceAll('-', ''))) return true
  // Words and host names: lower case with dots, or names in camel case without digits.
  if (/^[a-z0-9]+(?:[-._/][a-z0-9]+)*[-._/]?$/.test(plain) && !/\d{4,}/.test(plain) && digitsIn(plain) < 5) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[+=~%]/].filter((kind) => kind.test(plain)).length
  return kinds >= 3 || (plain.length >= 32 && kinds >= 2 && digitsIn(plain) > 3)
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length
}
