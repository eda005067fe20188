/** The longest end of a text that consists of these characters. An expression such as `/\\w+$/` would take quadratic time. */
export function endOfText(text: string, character: RegExp): string {
  let start = text.length
  while (start > 0 && character.test(text.charAt(start - 1))) start--
  return text.slice(start)
}
