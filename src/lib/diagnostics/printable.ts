import { quote } from '../profile/show-value.ts'

/** Text of another system on one line, shortened, with what a terminal would obey or not show as escapes. */
export function printable(text: string, longest = 200): string {
  return quote(text.length > longest ? `${text.slice(0, longest)}…` : text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
}
