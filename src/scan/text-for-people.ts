/** Keys, options and names whose text is for people: it explains, and nothing connects to what it names. */
const key =
  /(?:(?:description|example|usage|documentation|summary|tooltip|placeholder|hint|sample(?:\.(?:md|txt|json|ya?ml|conf|toml|ini))?)s?|readme(?:\.md)?|markdown(?:_?text)?|\bhelp(?:_?(?:text|message))?)["'`]?\s*(?:[\])]\s*)?(?::=|=>|[:=(])/gi

/** Characters before a string that are searched. */
const lookBack = 200

/** The variables in which modules of Ansible document themselves. */
const ofModules = /^(?:DOCUMENTATION|EXAMPLES|RETURN)\s*=\s*[ru]?$/

/** Whether the following text is for people. @param before The line up to a string. */
export function opensTextForPeople(before: string): boolean {
  if (ofModules.test(before)) return true
  const near = before.slice(-lookBack)
  return [...near.matchAll(key)].some(({ index, 0: found }) => !closesString(near.slice(index + found.length)))
}

/** Whether the string of a key has ended, so that another key follows. */
function closesString(text: string): boolean {
  return /^\s*(["'`])(?:\\.|(?!\1)[^\\])*\1\s*[,;})\]]/.test(text)
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

/** How far a string may reach to either side of a value. */
const longestString = 400

/** A line up to this length is read from its begin, so that its quotes are counted from the first. */
const longestLine = 8000

/** So many words of a sentence make a string a message. A connection string or an address has fewer. */
const wordsOfMessage = 3
const bytesOfMessage = 12

/** Whether a string around a value is a sentence, such as the message of an error: nothing connects to what it names. */
export function isMessage(text: string, from: number, to: number): boolean {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const reach = from - lineStart > longestLine ? longestString : longestLine
  const before = text.slice(Math.max(lineStart, from - reach), from)
  const [after = ''] = text.slice(to, to + reach).split('\n', 1)
  const strings = ['"', "'", '`']
    .map((quote) => ({ quote, places: placesOf(quote, before) }))
    .filter(({ places }) => places.length % 2 === 1)
    .map(({ quote, places }) => ({ quote, open: places.at(-1) ?? 0 }))
    .sort((a, b) => b.open - a.open)
  if (strings.some(({ open }) => opensTextForPeople(before.slice(0, open)))) return true
  // A quotation inside a message stands behind a space, or begins it. Other strings inside a string, such as the value of an attribute,
  // stand for themselves.
  const begins = new Set(strings.map(({ open }) => open + 1))
  const outermost = strings.findIndex(({ open }) => before[open - 1] !== ' ' && !begins.has(open))
  return strings.slice(0, outermost === -1 ? undefined : outermost + 1).some(({ quote, open }) => {
    const [close = after.length] = placesOf(quote, after)
    const continued = /^[\s+.]*$/.test(before.slice(0, open)) ? stringAtEnd(lineBefore(text, lineStart), quote) : ''
    const [head, tail] = [before.slice(open + 1), after.slice(0, close)]
    // A long string may hold a program or a document: what counts is the text around the value.
    return head.length + tail.length > longestString
      ? runOfWords.test(`${head.slice(-nearby)} ${tail.slice(0, nearby)}`)
      : isSentence(`${continued} ${head} ${tail}`)
  })
}

/** `https://<account>.blob…`: no address holds such a sign. */
const placeholder = /^<[A-Za-z][\w .:-]*>\.$/

/** Whether a value follows a placeholder that a person replaces. A program that replaces it itself means the value. */
export function followsPlaceholder(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 80), from)
  if (!placeholder.test(before.slice(Math.max(0, before.lastIndexOf('<'))))) return false
  const [rest = ''] = text.slice(to, to + nearby).split('\n', 1)
  return !/\breplace/i.test(rest)
}

const nearby = 200

/** Five words one after the other. The options and operators of a program stand between its words. */
const runOfWords = /(?:^|[ \t(])[A-Za-z\x80-\xff]{2,},?(?: [A-Za-z\x80-\xff]{2,}[,.]?){4}/

function isSentence(text: string): boolean {
  const words = text.split(' ')
  // The options of a command.
  if (words.some((word) => /^--?[a-z]/i.test(word))) return false
  if (/\be\.g\.|\bfor example\b/i.test(text)) return true
  // Another script than the Latin one, in bytes.
  if ((text.match(/[\x80-\xff]/g)?.length ?? 0) >= bytesOfMessage) return true
  return words.filter((word) => /^\(?[a-z\x80-\xff]{2,}[).,:;]?$/.test(word)).length >= wordsOfMessage
}

/** Where a quote stands. The apostrophe of a word is no quote. */
function placesOf(quote: string, text: string): readonly number[] {
  const isWord = (at: number) => /\w/.test(text[at] ?? '')
  const places: number[] = []
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\' && !(quote === "'" && isWord(at - 1) && isWord(at + 1))) places.push(at)
  }
  return places
}

function lineBefore(text: string, lineStart: number): string {
  const end = Math.max(0, lineStart - 1)
  return text.slice(Math.max(text.lastIndexOf('\n', end - 1) + 1, end - longestString), end)
}

/** The string that ends a line, which the next line continues. */
function stringAtEnd(line: string, quote: string): string {
  const closed = line.replace(/[\s+.(]{0,10}$/, '')
  const [open, close] = placesOf(quote, closed).slice(-2)
  return close === closed.length - 1 ? closed.slice((open ?? -1) + 1, close) : ''
}
