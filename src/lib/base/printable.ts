/** Characters that a terminal would obey, a page would not show, or a reader would misread: control, format and invisible characters, bidi marks, line breaks. */
let hiddenExpression: RegExp | undefined
/** Made at first use: to parse the expression alone takes half a millisecond of a cold start, for the tables of Unicode. */
const hidden = () =>
  (hiddenExpression ??= new RegExp(String.raw`[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]`, 'gu'))
/** Most texts are ASCII. */
const plain = /^[\x20-\x7e]*$/

/** What a build service obeys wherever it stands in a line: `##vso[…]` and `##[…]` (Azure Pipelines), `::name …::` (GitHub). */
const pipelineOrder = /##(?:vso)?\[|::[a-z-]{2,24}(?= |::)/gi
/** As in an IPv6 address. */
const digits = /^::[a-f]{1,4}$/i

/** Text of another system as a person may read it: on one line, with hidden characters and orders to a pipeline as escapes. */
export function printable(text: string): string {
  return escapeHidden(text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'))
}

/** The same, shortened. A function apart, because `map(printable)` would pass an index as the length. */
export function shortPrintable(text: string, longest: number): string {
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** Hidden characters, line breaks included, and the first character of an order to a pipeline, as escapes that JSON has too. */
export function escapeHidden(text: string): string {
  const harmless = text.replace(pipelineOrder, (order) =>
    digits.test(order) ? order : escape(order[0] ?? '') + order.slice(1),
  )
  return plain.test(harmless) ? harmless : harmless.replace(hidden(), escape)
}

const escape = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text in quotes, with hidden characters as escapes. */
export function quote(text: string): string {
  return escapeHidden(JSON.stringify(text))
}

/** A text of bounded length without its hidden characters. */
export function withoutHidden(text: string, longest: number): string {
  const cut = text.slice(0, longest)
  return plain.test(cut) ? cut : cut.replace(hidden(), '')
}

/** A value as JSON for a terminal or a pipeline: the texts of others in it can order neither of them anything, and read the same. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, undefined, 2).split('\n')
  return `${lines.map(escapeHidden).join('\n')}\n`
}
