/** The end of a text, as far back as its characters fit. An expression such as `/\\w+$/` would start anew at each of them. */
export function endOfText(text: string, character: RegExp): string {
  let start = text.length
  while (start > 0 && character.test(text.charAt(start - 1))) start--
  return text.slice(start)
}
