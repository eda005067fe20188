let hiddenExpression: RegExp | undefined
/** Characters that a terminal obeys or a reader doesn't see. Compiled on first use: its tables take half a millisecond of a cold start. */
const hidden = () =>
  (hiddenExpression ??= new RegExp(String.raw`[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]`, 'gu'))
/** Most texts are ASCII. */
const plain = /^[\x20-\x7e]*$/

/** Commands that a build service obeys anywhere in a line: `##vso[…]` and `##[…]` (Azure Pipelines), `::name …::` (GitHub). */
const pipelineCommand = /##(?:vso)?\[|::[a-z-]{2,24}(?= |::)/gi
/** A part of an IPv6 address, which looks like a command. */
const addressPart = /^::[a-f]{1,4}$/i

/** Makes the text of another system safe to show: on one line, with escapes for hidden characters and pipeline commands. */
export function printable(text: string): string {
  return escapeHidden(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'))
}

/** As {@link printable}, shortened. A separate function, because `map(printable)` would pass an index as the length. */
export function shortPrintable(text: string, longest: number): string {
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** Writes hidden characters, line breaks too, and the first character of a pipeline command as escapes. They are JSON's, so JSON stays JSON. */
export function escapeHidden(text: string): string {
  const harmless = text.replace(pipelineCommand, (command) =>
    addressPart.test(command) ? command : escape(command[0] ?? '') + command.slice(1),
  )
  return plain.test(harmless) ? harmless : harmless.replace(hidden(), escape)
}

const escape = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

export function quote(text: string): string {
  return escapeHidden(JSON.stringify(text))
}

/** Removes hidden characters, and cuts the text at `longest` characters. */
export function withoutHidden(text: string, longest: number): string {
  const cut = text.slice(0, longest)
  return plain.test(cut) ? cut : cut.replace(hidden(), '')
}

/** Formats a value as JSON that is safe in a terminal and a pipeline. A parser reads the same value from it. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  return `${lines.map(escapeHidden).join('\n')}\n`
}

/** Quotes a value for a message, on one line and shortened. Leaves out query, fragment and user information, which may be secret, of any text. */
export function showValue(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value)
  return quote(redact(value, 120))
}

/** As {@link showValue}, for a caller that quotes and escapes the text itself. */
export function redact(value: string, most = 2048): string {
  const text = withoutQuery(withoutUser(value))
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function withoutUser(value: string): string {
  const colon = value.indexOf(':')
  const at = value.lastIndexOf('@')
  if (colon < 0 || at < colon) return value
  let start = colon + 1
  while (value[start] === '/' || value[start] === '\\') start++
  return `${value.slice(0, start)}[redacted]${value.slice(at)}`
}

/** A schedule may contain `?` and `#` too. It has no colon and no equals sign, so a text without them is left unchanged. */
function withoutQuery(value: string): string {
  const start = value.search(/[?#]/)
  const some = start >= 0 && start < value.length - 1 && /[:=]/.test(value)
  return some ? `${value.slice(0, start + 1)}[redacted]` : value
}

/** Quotes a text as a word of a POSIX shell, with `printf` if it isn't printable ASCII. Drops NUL, and line breaks at the end of such a text. */
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
