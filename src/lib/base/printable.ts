/** Characters that a terminal would obey, a page would not show, or a reader would misread: control, format and invisible characters, bidi marks, line breaks. */
let hiddenExpression: RegExp | undefined
/** Made at first use: parsing the expression takes half a millisecond of a cold start, because of the Unicode tables. */
const hidden = () =>
  (hiddenExpression ??= new RegExp(String.raw`[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]`, 'gu'))
/** Most texts are ASCII. */
const plain = /^[\x20-\x7e]*$/

/** What a build service obeys anywhere in a line: `##vso[…]` and `##[…]` (Azure Pipelines), `::name …::` (GitHub). */
const pipelineOrder = /##(?:vso)?\[|::[a-z-]{2,24}(?= |::)/gi
/** As in an IPv6 address. */
const digits = /^::[a-f]{1,4}$/i

/** Text of another system as a person may read it: on one line, with hidden characters and orders to a pipeline as escapes. */
export function printable(text: string): string {
  return escapeHidden(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'))
}

/** The same, shortened. A function apart, because `map(printable)` would pass an index as the length. */
export function shortPrintable(text: string, longest: number): string {
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** Hidden characters, line breaks included, and the first character of an order to a pipeline, as escapes that JSON has too. */
export function escapeHidden(text: string): string {
  const harmless = text.replace(pipelineOrder, (order) =>
    digits.test(order) ? order : escape(order[0] ?? '') + order.slice(1),
  )
  return plain.test(harmless) ? harmless : harmless.replace(hidden(), escape)
}

const escape = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text in quotes, with hidden characters as escapes. */
export function quote(text: string): string {
  return escapeHidden(JSON.stringify(text))
}

/** A text of bounded length without its hidden characters. */
export function withoutHidden(text: string, longest: number): string {
  const cut = text.slice(0, longest)
  return plain.test(cut) ? cut : cut.replace(hidden(), '')
}

/** A value as JSON for a terminal or a pipeline: the texts of others in it can order neither of them anything, and read the same. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  return `${lines.map(escapeHidden).join('\n')}\n`
}

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

/** A schedule may contain `?` and `#` too, but no colon and no equals sign. */
function withoutQuery(value: string): string {
  const start = value.search(/[?#]/)
  const some = start >= 0 && start < value.length - 1 && /[:=]/.test(value)
  return some ? `${value.slice(0, start + 1)}[redacted]` : value
}

/**
 * One word of a POSIX shell. Between single quotes everything is literal. `printf`, which every shell has, writes all characters that
 * are not printable ASCII. A word cannot contain NUL, and it loses line breaks at its end.
 */
export function quoteShell(text: string): string {
  const word = text.replace(/\p{Cs}/gu, '\u{fffd}').replaceAll('\0', '')
  if (!/[^\x20-\x7e]/.test(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`
  const bytes = [...new TextEncoder().encode(word)].map((byte) =>
    byte >= 0x20 && byte <= 0x7e && !"%\\'".includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  // A format that begins with a dash would be an option.
  return `"$(printf '${bytes.join('').replace(/^-/, String.raw`\055`)}')"`
}

/** The longest end of a text that consists of these characters. An expression such as `/\\w+$/` would take quadratic time. */
export function endOfText(text: string, character: RegExp): string {
  let start = text.length
  while (start > 0 && character.test(text.charAt(start - 1))) start--
  return text.slice(start)
}
