import { endOfText } from '../../lib/base/end-of-text.ts'
import { Lines } from '../lines.ts'
import type { ConstructPlace } from './construct.ts'

const begin = /DefaultEndpointsProtocol=|AccountName=/gi

/** The number of characters between the first setting of a connection string and the setting that identifies it. */
const firstReach = 200

/** How much may stand between the begin of a connection string and its suffix, where it is put together of parts. */
const reach = 600

/** Connection strings of storage with neither a suffix nor an endpoint: the SDKs add the public one. */
export function findConnectionStrings(source: string): readonly ConstructPlace[] {
  const places: ConstructPlace[] = []
  const lines = new Lines(source)
  let end = 0
  for (const match of source.matchAll(begin)) {
    if (match.index < end) continue
    const known = endOfBegin(source, match[0], match.index + match[0].length)
    if (known === undefined) continue
    end = known
    const rest = source.slice(match.index, match.index + reach)
    // The next statement, or the next string of a list, is another one.
    const own = rest.slice(0, endOfStatement(rest))
    if (/EndpointSuffix\s*=|(?:Blob|Queue|Table|File)Endpoint\s*=|UseDevelopmentStorage|devstoreaccount1/i.test(own))
      continue
    places.push({ ...lines.offsetOf(match.index), name: 'connection string', kind: 'connection-string' })
  }
  return places
}

const accountName = /\s*AccountName=/iy
const accountKey = /\s*AccountKey=/iy

/** The place behind the second setting, or nothing where this is no connection string. */
function endOfBegin(source: string, first: string, from: number): number | undefined {
  const isProtocol = first.toLowerCase().startsWith('default')
  const second = isProtocol ? accountName : accountKey
  for (let at = from; at <= from + firstReach && at < source.length; at++) {
    const character = source.charAt(at)
    if (/["'`\n]/.test(character)) return undefined
    if (character !== ';') continue
    second.lastIndex = at + 1
    if (second.test(source)) return second.lastIndex
    // The name of an account holds no semicolon; other settings may stand behind the protocol.
    if (!isProtocol) return undefined
  }
  return undefined
}

function endOfStatement(text: string): number {
  const rest = text.slice(1)
  const emptyLine = /\n\s*\n/.exec(rest)?.index ?? rest.length
  return Math.min(emptyLine, closingQuote(rest), lineOfNext(rest)) + 1
}

/** The quote or bracket that ends a statement with its line, where the next line does not go on with it. */
function closingQuote(text: string): number {
  for (const { index } of text.matchAll(/["'`)]/g)) {
    const spaces = spacesAt(text, index + 1)
    const next = index + 1 + spaces.length
    if (text[next] === ';') {
      const more = spacesAt(text, next + 1)
      if (spaces.includes('\n') || (more.includes('\n') && !goesOn(text, next + 1 + more.length))) return index
    } else if (spaces.includes('\n') && !goesOn(text, next)) return index
  }
  return text.length
}

const spaces = /\s*/y

function spacesAt(text: string, at: number): string {
  spaces.lastIndex = at
  return spaces.exec(text)?.[0] ?? ''
}

function goesOn(text: string, at: number): boolean {
  return /[+.&|"'`f]/.test(text.charAt(at))
}

/** The end of the line before the one in which another connection string begins. */
function lineOfNext(text: string): number {
  for (const { index } of text.matchAll(/(?:DefaultEndpointsProtocol|AccountName)=/g)) {
    const before = endOfText(text.slice(Math.max(0, index - 81), index), /[^"'`+]/)
    const lineBreak = before.indexOf('\n')
    if (lineBreak !== -1) return index - before.length + lineBreak
  }
  return text.length
}
