// A profile's texts may hold anything: quotes, `$`, backticks, line breaks. Each function writes them as a literal of
// its language that says exactly that text and nothing else, in printable ASCII: what a reader sees is what runs, in
// whatever encoding the file is read.

/** The characters that source text must contain only as escapes: controls, and every character beyond ASCII (some reorder or hide text). */
const unsafe = /[^\x20-\x7e]/gu

type Escape = (character: string) => string

/** The literal of a language that has the escapes of JSON, but for what is unsafe. */
const jsonLiteral = (text: string, escape: Escape): string => JSON.stringify(wellFormed(text)).replace(unsafe, escape)

/** A string literal of Python, Go, C# or YAML: all four share these escapes. */
export const quoteWide = (text: string): string => jsonLiteral(text, escapeWide)

/** A string literal of JSON or TypeScript, with the units of UTF-16 as escapes. */
export const quoteJson = (text: string): string => jsonLiteral(text, escapeUnits)

/** A Terraform string, in which `${` and `%{` would start a template. */
export const quoteHcl = (text: string): string =>
  `"${wellFormed(text)
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(unsafe, escapeWide)}"`.replace(/[$%](?=\{)/g, '$&$&')

/**
 * A PowerShell expression. Typographic quotes end a string there as the plain ones do, and only version 6 knows an escape
 * for a character: what is not plain is joined to the string by its number.
 */
export function quotePowerShell(text: string): string {
  const parts = wellFormed(text).match(/[\x20-\x7e]+|[^\x20-\x7e]/g) ?? ['']
  const written = parts.map((part) =>
    /^[\x20-\x7e]/.test(part) || part === ''
      ? `'${part.replaceAll("'", "''")}'`
      : `[char]0x${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // The first operand decides the meaning of `+`: with a character first, it would add numbers.
  return written.length === 1 && written[0]?.startsWith("'") ? written[0] : `('' + ${written.join(' + ')})`
}

/** A whole JSON text, indented, with a final line break. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? wellFormed(each) : each), 2)
  return `${text.replace(unsafe, (character) => (character === '\n' ? character : escapeUnits(character)))}\n`
}

/**
 * A text inside a line comment: letters, digits and a few marks, everything else as `?`. A comment is for people, and
 * tools find orders in it too: `coding:`, `vim:`, a Unicode escape of Java, a template of Helm.
 */
export function inComment(text: string): string {
  return wellFormed(text)
    .replace(/[^A-Za-z0-9 ._/()+-]/gu, '?')
    .trim()
}

/** A lone surrogate has no UTF-8 form. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\u{fffd}')
}

function escapeWide(character: string): string {
  const code = codeOf(character).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

/** By UTF-16 units, for languages that know no longer escape. */
function escapeUnits(character: string): string {
  return character.split('').map(escapeWide).join('')
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
