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
