/** What a terminal would obey, a page not show, or a reader be deceived by: control and format characters, bidi among them. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu

/** A remote text without characters that nobody sees, and of bounded length. */
export function printable(text: string, longest: number): string {
  return text.slice(0, longest).replace(hidden, '')
}

/** Whether nothing would have to be taken out of a text. */
export function isPrintable(text: string, longest: number): boolean {
  return text.length <= longest && printable(text, longest) === text
}
