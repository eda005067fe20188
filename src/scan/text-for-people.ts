/** Keys, options and names whose text is for people: it explains, and nothing connects to what it names. */
const key =
  /(?:(?:description|example|usage|documentation|summary|tooltip|placeholder|hint)s?|\bhelp(?:_?(?:text|message))?)["'`]?\s*(?:[\])]\s*)?(?::=|=>|[:=(])/i

/** Characters before a string that are searched. */
const lookBack = 200

/** Whether what follows is text for people. @param before The line up to a string. */
export function opensTextForPeople(before: string): boolean {
  return key.test(before.slice(-lookBack))
}

/** Whether a place stands in a description, an example or a help text: in its line, or in the block that a key above opens. */
export function isForPeople(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(Math.max(lineStart, at - lookBack), at)
  return opensTextForPeople(before) || opensForPeople(text, lineStart)
}

/** How many lines above may hold the key of a block. */
const farthest = 40

/** Lines above, as long as they belong to the same block of text: YAML by its indent, a here-document or long string by its begin. */
function opensForPeople(text: string, lineStart: number): boolean {
  let indent = indentOf(text, lineStart)
  let at = lineStart
  for (let count = 0; count < farthest && at > 0 && indent > 0; count++) {
    const start = text.lastIndexOf('\n', at - 2) + 1
    const line = text.slice(start, Math.min(at - 1, start + 300))
    const own = indentOf(text, start)
    if (line.trim() !== '' && own < indent) {
      // A key with nothing but the begin of a block behind it.
      if (
        /[:=(]\s*(?:[|>][+-]?\d?|<<-?\s*["']?\w+["']?|["'`]{1,3}|\(|\[)?$/.test(line.trimEnd()) &&
        opensTextForPeople(line)
      )
        return true
      indent = own
    }
    at = start
  }
  return false
}

function indentOf(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t') at++
  return at - start
}
