// A profile's texts may hold anything: quotes, `$`, backticks, line breaks. Each function writes them as a literal of
// its language that says exactly that text and nothing else.

/** What source text should not hold raw: controls, format characters (they reorder what a reader sees), line separators. */
const unsafe = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A TypeScript string literal. */
export function quoteTypeScript(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(unsafe, (character) => `\\u{${codeOf(character).toString(16)}}`)
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

/** A whole JSON text, indented, with a final line break. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? wellFormed(each) : each), 2)
  const escape = (character: string) => character.split('').map(escapeWide).join('')
  return `${text.replace(unsafe, (character) => (character === '\n' ? character : escape(character)))}\n`
}

/** One word of a POSIX shell: between single quotes everything is literal. A shell word cannot hold NUL. */
export function quoteShell(text: string): string {
  return `'${wellFormed(text)
    .replaceAll('\0', '')
    .replaceAll("'", String.raw`'\''`)}'`
}

/** A text inside a line comment. */
export function inComment(text: string): string {
  return wellFormed(text).replace(unsafe, ' ').trim()
}

/** A lone surrogate has no UTF-8 form. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\u{fffd}')
}

function escapeWide(character: string): string {
  const code = codeOf(character).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
