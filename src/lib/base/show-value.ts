import { quote } from './printable.ts'

const longest = 120

/**
 * A value in a form that is safe in a message: quoted, on one line, shortened, and without parts that may be secret: user information (also
 * where a mistake keeps the URL from parsing, or the scheme is missing), a query, a fragment.
 */
export function showValue(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value)
  return quote(shorten(withoutSecrets(value), longest))
}

/** As {@link showValue} without quotes, for a caller that quotes and escapes: for any value that is not validated. */
export function redact(value: string): string {
  return shorten(withoutSecrets(value), 2048)
}

function withoutSecrets(value: string): string {
  return withoutQuery(withoutUser(value))
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return value === undefined ? 'undefined' : `a ${typeof value}`
}

function withoutUser(value: string): string {
  const colon = value.indexOf(':')
  const at = value.lastIndexOf('@')
  if (colon < 0 || at < colon) return value
  let start = colon + 1
  while (value[start] === '/' || value[start] === '\\') start++
  return `${value.slice(0, start)}[redacted]${value.slice(at)}`
}

/** A schedule may hold `?` and `#` as well, but neither a colon nor an equals sign. */
function withoutQuery(value: string): string {
  const start = value.search(/[?#]/)
  const some = start >= 0 && start < value.length - 1 && /[:=]/.test(value)
  return some ? `${value.slice(0, start + 1)}[redacted]` : value
}
