// The texts of a profile can contain anything: quotes, `$`, backticks, line breaks. Each function writes a text as a literal of a language, in
// printable ASCII, so that the reader sees what runs in any encoding.

/** Characters that are written as escapes: controls, and everything beyond ASCII, because some characters reorder or hide text. */
const unsafe = /[^\x20-\x7e]/gu

type Escape = (character: string) => string

/** A JSON literal with another escape for unsafe characters. */
const jsonLiteral = (text: string, escape: Escape): string => JSON.stringify(wellFormed(text)).replace(unsafe, escape)

/** A string literal of Python, Go, C# or YAML, which have the same escapes. */
export const quoteWide = (text: string): string => jsonLiteral(text, escapeWide)

/** A string literal of JSON or TypeScript, which escape units of UTF-16. */
export const quoteJson = (text: string): string => jsonLiteral(text, escapeUnits)

/** A Terraform string. `${` and `%{` would start a template. */
export const quoteHcl = (text: string): string =>
  `"${wellFormed(text)
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(unsafe, escapeWide)}"`.replace(/[$%](?=\{)/g, '$&$&')

/**
 * A PowerShell expression. Typographic quotes end a string too, and escapes for characters exist only since version 6, so other characters
 * are appended by number.
 */
export function quotePowerShell(text: string): string {
  const parts = wellFormed(text).match(/[\x20-\x7e]+|[^\x20-\x7e]/g) ?? ['']
  const written = parts.map((part) =>
    /^[\x20-\x7e]/.test(part) || part === ''
      ? `'${part.replaceAll("'", "''")}'`
      : `[char]0x${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // If the first operand were a character, `+` would add numbers.
  return written.length === 1 && written[0]?.startsWith("'") ? written[0] : `('' + ${written.join(' + ')})`
}

/** A whole JSON text, indented, with a final line break. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? wellFormed(each) : each), 2)
  return `${text.replace(unsafe, (character) => (character === '\n' ? character : escapeUnits(character)))}\n`
}

/**
 * A text for a line comment: letters, digits and a few marks, with `?` for everything else. Tools read commands from comments: `coding:`,
 * `vim:`, a Unicode escape of Java, a template of Helm.
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
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

/** An escape for each UTF-16 unit. */
function escapeUnits(character: string): string {
  return character.split('').map(escapeWide).join('')
}
