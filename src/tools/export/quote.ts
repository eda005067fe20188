// Each function writes any text of a profile as a literal of a language, in printable ASCII, so that a reader sees in any encoding what will run.

/** Characters to escape: controls, and everything beyond ASCII, because some characters reorder or hide text. */
const unsafe = /[^\x20-\x7e]/gu

/** A string literal of Python, Go, C# or YAML, which have the same escapes. */
export const quoteWide = (text: string): string => JSON.stringify(text.toWellFormed()).replace(unsafe, escapeWide)

/** A string literal of JSON or TypeScript, which escape each UTF-16 unit. */
export const quoteJson = (text: string): string => JSON.stringify(text.toWellFormed()).replace(unsafe, escapeUnits)

/** A Terraform string. `${` and `%{` would start a template. */
export const quoteHcl = (text: string): string =>
  `"${text
    .toWellFormed()
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(unsafe, escapeWide)}"`.replace(/[$%](?=\{)/g, '$&$&')

/** A PowerShell expression. Typographic quotes end a string too, and PowerShell 5 has no escapes, so other characters are appended by number. */
export function quotePowerShell(text: string): string {
  const parts = text.toWellFormed().match(/[\x20-\x7e]+|[^\x20-\x7e]/g) ?? ['']
  const written = parts.map((part) =>
    /^[\x20-\x7e]/.test(part) || part === ''
      ? `'${part.replaceAll("'", "''")}'`
      : `[char]0x${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // The first operand is a string, because `+` of a character would add numbers.
  return written.length === 1 && written[0]?.startsWith("'") ? written[0] : `('' + ${written.join(' + ')})`
}

/** A whole JSON text, indented, with a final line break. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each),
    2,
  )
  return `${text.replace(unsafe, (character) => (character === '\n' ? character : escapeUnits(character)))}\n`
}

/** A text for a line comment: `?` replaces all but letters, digits and a few marks. Tools obey `coding:`, `vim:`, Unicode escapes (Java) and `{{`. */
export function inComment(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^A-Za-z0-9 ._/()+-]/gu, '?')
    .trim()
}

function escapeWide(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

function escapeUnits(character: string): string {
  return character.split('').map(escapeWide).join('')
}
