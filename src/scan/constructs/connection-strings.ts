import type { ConstructPlace } from './construct.ts'

const begin = /DefaultEndpointsProtocol=[^"'`\n]{0,200}?;\s*AccountName=|AccountName=[^"'`\n;]{0,200};\s*AccountKey=/gi

/** How much may stand between the begin of a connection string and its suffix, where it is put together of parts. */
const reach = 600

/** Connection strings of storage that say neither a suffix nor an endpoint: the SDKs add the public one. */
export function findConnectionStrings(source: string): readonly ConstructPlace[] {
  const places: ConstructPlace[] = []
  let end = 0
  for (const match of source.matchAll(begin)) {
    if (match.index < end) continue
    end = match.index + match[0].length
    const rest = source.slice(match.index, match.index + reach)
    // The next statement, or the next string of a list, is another one.
    const own = rest.slice(0, endOfStatement(rest))
    if (/EndpointSuffix\s*=|(?:Blob|Queue|Table|File)Endpoint\s*=|UseDevelopmentStorage|devstoreaccount1/i.test(own))
      continue
    const before = source.slice(0, match.index)
    const column = match.index - (before.lastIndexOf('\n') + 1)
    places.push({ row: before.split('\n').length - 1, column, name: 'connection string', kind: 'connection-string' })
  }
  return places
}

function endOfStatement(text: string): number {
  const ends = [
    /\n\s*\n/,
    /["'`)]\s*;?\s*\n(?!\s*[+.&|"'`f])/,
    /\n(?=[^"'`+]{0,80}(?:DefaultEndpointsProtocol|AccountName)=)/,
  ]
  return Math.min(...ends.map((end) => end.exec(text.slice(1))?.index ?? text.length)) + 1
}
