import { endOfText } from '../../../src/lib/base/printable.ts'
import { retiredCloud, type Clouds, type HostOwner } from './clouds.ts'
import type { Region, Source } from './source.ts'

/** A value of a cloud in a text. Its text may make it an audience. */
export interface HostOccurrence extends HostOwner, Region {
  /** The host as a resolver would read it. */
  readonly host: string
}

const longestHost = 300

/** The hosts of a text, each once: the whole host, with the labels before the listed one. */
export function findHosts({ text, hits }: Source, clouds: Clouds): readonly HostOccurrence[] {
  const byStart = new Map<number, HostOccurrence>()
  for (const { kind, end } of hits) {
    if (kind !== 'host' && kind !== 'zone') continue
    const found = readFederated(text, end, clouds) ?? readHost(text, end, clouds)
    if (found !== undefined && (byStart.get(found.start)?.end ?? 0) < found.end) byStart.set(found.start, found)
  }
  return [...byStart.values()]
}

/** `api://AzureADTokenExchange`: the audience of a federated credential. */
function readFederated(text: string, end: number, { federatedAudiences }: Clouds): HostOccurrence | undefined {
  const start = Math.max(0, end - 80) + text.slice(Math.max(0, end - 80), end).lastIndexOf('api://')
  if (!text.startsWith('api://', start)) return undefined
  const [written = ''] = /^api:\/\/[\w.-]+/.exec(text.slice(start, start + 80)) ?? []
  const known = [...federatedAudiences].find(([audience]) => audience.toLowerCase() === written.toLowerCase())
  if (known === undefined) return undefined
  const [host, cloud] = known
  const owner = { service: 'federation', clouds: [cloud], isAudience: true, isUnlisted: false }
  return { start, end: start + written.length, host, ...owner }
}

function readHost(text: string, wordEnd: number, clouds: Clouds): HostOccurrence | undefined {
  let end = wordEnd
  // A scope whose host no list names: the word is the end of its path.
  const scope = /\/{1,2}\.default$/.exec(text.slice(Math.max(0, end - 10), end))
  if (scope !== null) end -= scope[0].length
  // Another label would make it another host.
  if (/^(?:[\w-]|\\{0,2}\.[a-z0-9])/i.test(text.slice(end, end + 4))) return undefined
  const run = endOfText(text.slice(Math.max(0, end - longestHost), end), /[\w.\\-]/)
  // A backslash belongs to the host before a dot only.
  const first = end - run.length + (/^.*\\(?![.\\])/s.exec(run)?.[0].length ?? 0)
  const written = text.slice(first, end)
  const skipped = escapeBefore(text, first, written)
  const start = first + skipped + (/^[\\.]*/.exec(written.slice(skipped))?.[0].length ?? 0)
  const host = text.slice(start, end).replaceAll('\\', '').toLowerCase()
  const owner = clouds.ownerOfHost(host) ?? (scope !== null && isUnknownScope(text, start, host) ? unlisted : undefined)
  if (owner === undefined) return undefined
  if (owner.isUnlisted && !isAddress(text, start, end)) return undefined
  return { start, end, host, ...owner, isAudience: readsAsAudience(text, start, end, owner) }
}

const unlisted: HostOwner = { service: 'unlisted', clouds: ['public'], isAudience: true, isUnlisted: true }

/** Whether `https://HOST/.default` names a host of the cloud's vendor that no list holds. */
function isUnknownScope(text: string, start: number, host: string): boolean {
  return (
    text.slice(start - 3, start) === '://' &&
    /(?:^|\.)(?:azure|windows|microsoft|office|office365|powerapps|dynamics|microsoftonline)\.(?:com|net|us|cn|io)$/.test(
      host,
    )
  )
}

/** A host that no list names is worth a note where something connects to it: in an address, or as a suffix. */
function isAddress(text: string, start: number, end: number): boolean {
  return text.slice(start - 3, start) === '://' && /^[/"'`:?\s$]/.test(text.slice(end, end + 1) || '\n')
}

/** How many characters at the begin belong to something before the host: `%2F`, `%s`, a line break or the name of a variable. */
function escapeBefore(text: string, start: number, written: string): number {
  const before = text[start - 1]
  if (before === '%')
    return /^[0-9a-f]{2}/i.test(written) ? 2 : (/^[sdvqx](?=\\{0,2}\.)/.exec(written)?.[0].length ?? 0)
  if (before === '\\') return /^[nrt]/.test(written) ? 1 : 0
  // `"$name.database.windows.net"`
  return before === '$' ? (/^\w+(?=\.)/.exec(written)?.[0].length ?? 0) : 0
}

/** A key, up to the begin of its value. */
const audienceKeys = /(?:audience|scopes?|resource(?:_?id)?|\baud)["'`\])]*\s*(?:=>|[:=(,])(?:[[{f$@"'`(\s]|new\b)*/gi

function readsAsAudience(text: string, start: number, end: number, owner: HostOwner): boolean {
  if (owner.isAudience || /^\/{0,2}\.default\b/.test(text.slice(end, end + 10))) return true
  if (owner.service === 'login') return false
  const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - 200), start)
  const unquoted = before.length - endOfText(before, /[^"'`\s,]/).length
  return [...before.matchAll(audienceKeys)].some(({ index, 0: key }) => index + key.length >= unquoted)
}

const documentationHosts =
  /^(?:(?:learn|docs|support|developer|techcommunity|devblogs|blogs?)\.microsoft\.com|(?:docs|azure|feedback)\.azure\.(?:com|cn|us)|azure\.microsoft\.com|(?:www\.)?github\.com|gist\.github\.com|raw\.githubusercontent\.com|[\w-]+\.github\.io|aka\.ms|go\.microsoft\.com|msdn\.microsoft\.com|stackoverflow\.com|pkg\.go\.dev|godoc\.org|docs\.rs|registry\.terraform\.io|pypi\.org|(?:www\.)?npmjs\.com|en\.wikipedia\.org)$/i

/** Whether a value is a part of the path of a link to documentation: the link leads to the same page in every cloud. */
export function isDocumentationLink(text: string, at: number): boolean {
  const token = endOfText(text.slice(Math.max(0, at - 500), at), /[^\s"'`<>()]/)
  const begin = /https?:\/\//i.exec(token)
  if (begin === null) return false
  const host = /^([^/?#:]+)[/?#]/.exec(token.slice(begin.index + begin[0].length))?.[1]
  return host !== undefined && documentationHosts.test(host)
}

/** The cloud that a finding names: the retired one is never a finding. */
export const firstCloud = (clouds: readonly string[]): string | undefined =>
  clouds.find((cloud) => cloud !== retiredCloud)
