// A profile's texts may hold anything: quotes, `$`, backticks, line breaks. Each function writes them as a literal of
// its language that says exactly that text and nothing else, in printable ASCII: what a reader sees is what runs, in
// whatever encoding the file is read.

/** The characters that source text must contain only as escapes: controls, and every character beyond ASCII (some reorder or hide text). */
const unsafe = /[^\x20-\x7e]/gu

/** A TypeScript string literal. */
export function quoteTypeScript(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(unsafe, (character) => `\\u{${codeOf(character).toString(16)}}`)
}

/** A Rust string literal. It knows fewer escapes than JSON. */
export function quoteRust(text: string): string {
  const escaped = wellFormed(text)
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(unsafe, (character) => `\\u{${codeOf(character).toString(16)}}`)
  return `"${escaped}"`
}

/** A string literal of Python, Go, C# or YAML: all four share these escapes. */
export function quoteWide(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(unsafe, escapeWide)
}

/** A Terraform string. It knows fewer escapes than JSON, and `${` and `%{` would start a template. */
export function quoteHcl(text: string): string {
  const escaped = wellFormed(text)
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(/[$%](?=\{)/g, '$&$&')
    .replace(unsafe, escapeWide)
  return `"${escaped}"`
}

/**
 * A Java string literal. The compiler reads `\u000a` and `\u0022` before it knows of strings, so below U+0100 the
 * escapes are octal.
 */
export function quoteJava(text: string): string {
  const escaped = wellFormed(text)
    .replace(/[\\"]/g, String.raw`\$&`)
    .replace(unsafe, (character) =>
      codeOf(character) < 0x100 ? `\\${codeOf(character).toString(8).padStart(3, '0')}` : escapeUnits(character),
    )
  return `"${escaped}"`
}

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

/** A JSON string, which knows no escape beyond the units of UTF-16. */
export function quoteJson(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(unsafe, escapeUnits)
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
