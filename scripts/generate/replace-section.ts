/**
 * Replaces the text between the markers `<!-- NAME -->` and `<!-- /NAME -->` in a Markdown text.
 *
 * @throws {Error} if the markers are missing.
 */
export function replaceSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The markers ${start} and ${end} are missing`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}
