import { endOfText } from '../lib/base/end-of-text.ts'
import { retiredIndex, sharedAudienceHosts } from './known-words.ts'
import { identifierHosts, ownerOfHost, sharedHosts, valueIndex, type CloudName } from './services.ts'

/** A value of a cloud in a text. */
export interface Occurrence {
  /** Where the value begins and ends, in the text. */
  readonly start: number
  readonly end: number
  /** The host as a resolver would read it. */
  readonly host: string
  readonly service: string
  /** The clouds that publish the value; empty for a value that all clouds share. */
  readonly clouds: readonly (CloudName | 'germany')[]
  /** Whether the text before or after the value makes it an audience. */
  readonly isAudience: boolean
}

const labelLimit = 300

/**
 * The value that a listed host at the end of a word is part of: the whole host, with the labels before it.
 *
 * @param text One character a byte.
 * @param end The place behind a word that the matcher found.
 */
export function readHost(text: string, end: number): Occurrence | undefined {
  if (!endsHost(text, end)) return undefined
  const start = beginOfHost(text, end)
  const owned = ownerOf(text, start, end)
  if (owned === undefined) return undefined
  const [begin, host, service, clouds] = owned
  return { start: begin, end, host, service, clouds, isAudience: isAudience(text, begin, end, service, host) }
}

/** Another label would make it another host. */
function endsHost(text: string, end: number): boolean {
  return !/^(?:[\w-]|\\{0,2}\.[a-z0-9])/i.test(text.slice(end, end + 4))
}

function beginOfHost(text: string, end: number): number {
  let at = end
  const least = Math.max(0, end - labelLimit)
  while (at > least) {
    const character = text.charCodeAt(at - 1)
    if (!isLabel(character) && character !== 0x2e && !(character === 0x5c && (text[at] === '.' || text[at] === '\\')))
      break
    at--
  }
  return at
}

function isLabel(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x5f
  )
}

type Owned = readonly [begin: number, host: string, service: string, clouds: Occurrence['clouds']]

function ownerOf(text: string, start: number, end: number): Owned | undefined {
  const written = text.slice(start, end)
  const skipped = escapeBefore(text, start, written)
  const begin = start + skipped + (/^[\\.]*/.exec(written.slice(skipped))?.[0].length ?? 0)
  const host = text.slice(begin, end).replaceAll('\\', '').toLowerCase()
  if (sharedHosts.some((shared) => host === shared || host.endsWith(`.${shared}`))) return undefined
  if (
    identifierHosts.includes(host) &&
    text.slice(begin - 3, begin) === '://' &&
    /^\/\w/.test(text.slice(end, end + 2))
  )
    return undefined
  const shared = sharedAudienceHosts.get(host)
  if (shared !== undefined) return [begin, host, shared, []]
  const owner = ownerOfHost(host, valueIndex)
  if (owner !== undefined) return [begin, host, owner.service.id, owner.clouds]
  const retired = retiredIndex.get(host) ?? retiredIndex.get(host.replace(/^[^.]*\./, ''))
  return retired === undefined ? undefined : [begin, host, retired, ['germany']]
}

/** How many characters at the begin belong to an escape before the host: `%2F`, `%s` or a line break. */
function escapeBefore(text: string, start: number, written: string): number {
  const before = text[start - 1]
  if (before === '%')
    return /^[0-9a-f]{2}/i.test(written) ? 2 : (/^[sdvqx](?=\\{0,2}\.)/.exec(written)?.[0].length ?? 0)
  if (before === '\\') return /^[nrt]/.test(written) ? 1 : 0
  return 0
}

const audienceOnly = new Set(['open-source-databases'])

/** A key, up to the begin of its value. */
const audienceKeys = /(?:audience|scopes?|resource(?:_?id)?|\baud)["'`\])]*\s*(?:=>|[:=(,])(?:[[{f$@"'`(\s]|new\b)*/gi

function isAudience(text: string, begin: number, end: number, service: string, host: string): boolean {
  if (audienceOnly.has(service) || /^\/{0,2}\.default\b/.test(text.slice(end, end + 10))) return true
  if (listsAsAudience(service, host)) return true
  const lineStart = Math.max(text.lastIndexOf('\n', begin - 1) + 1, begin - 200)
  const before = text.slice(lineStart, begin)
  const unquoted = before.length - endOfText(before, /[^"'`\s,]/).length
  return [...before.matchAll(audienceKeys)].some(({ index, 0: key }) => index + key.length >= unquoted)
}

function listsAsAudience(service: string, host: string): boolean {
  const owner = valueIndex.get(host)
  if (owner === undefined || owner.service.id !== service) return false
  return owner.clouds.some((cloud) => {
    const values = owner.service[cloud]
    return values !== 'not published' && values.audiences.some((audience) => new URL(audience).hostname === host)
  })
}
