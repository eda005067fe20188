import type { AppRequest } from '../lib/base/app.ts'

/** The limit of the Functions host. */
const maxHeaders = 100

/**
 * Reads headers as the Functions host passes them on: names in lower case, and repeated headers joined by a comma. The result has no
 * prototype, because a name may be any text, even `__proto__`.
 *
 * @param raw Names and values in turn, as Node received them.
 * @returns `undefined` if there are too many. The response is then 431.
 */
export function readHeaders(raw: readonly string[]): AppRequest['headers'] | undefined {
  if (raw.length > maxHeaders * 2) return undefined
  const headers = Object.create(null) as Record<string, string>
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    const existing = headers[name]
    headers[name] = existing === undefined ? value : `${existing},${value}`
  }
  return headers
}

const noQuery: AppRequest['query'] = Object.freeze(Object.create(null) as Record<string, string>)

/** Joins the values of a repeated name by a comma, regardless of its letter case. The result has no prototype. */
export function readQuery(search: string): AppRequest['query'] {
  // Parsing nothing would take a quarter of the time of a request.
  if (search === '') return noQuery
  const query = Object.create(null) as Record<string, string>
  const names = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    const name = names.get(key.toLowerCase())
    names.set(key.toLowerCase(), name ?? key)
    query[name ?? key] = name === undefined ? value : `${query[name]},${value}`
  }
  return query
}

export interface RequestTarget {
  /** The path that the app sees: without dot segments, with its escapes. */
  readonly path: string
  /** The path for routing: escapes except `%2F` are decoded, as in ASP.NET. */
  readonly routePath: string
  /** Begins with the question mark, unless it is empty. */
  readonly search: string
}

/**
 * Parses the target of a request line: the origin form (`/path?query`), or the absolute form with the host of the Host header. Dot segments
 * are removed once, so that routing and the app see the same path.
 *
 * @returns `undefined` for an invalid target. The response is then 400.
 */
export function parseTarget(target: string, host: string): RequestTarget | undefined {
  // The target of OPTIONS can be `*`, which names no resource.
  if (target === '*') return { path: '/', routePath: '*', search: '' }
  if (!/^[\x21-\x7e]*$/.test(target)) return undefined
  if (target.startsWith('/')) {
    // The URL parser reads a backslash as a slash. The Functions host doesn't.
    return normalize(`http://${host}${target.replace(/^[^?]+/, (path) => path.replaceAll('\\', '%5C'))}`)
  }
  if (!/^https?:\/\//i.test(target) || URL.parse(target)?.host !== URL.parse(`http://${host}`)?.host) return undefined
  return normalize(target)
}

function normalize(href: string): RequestTarget | undefined {
  const url = URL.parse(href)
  if (url === null) return undefined
  return { path: url.pathname, routePath: url.pathname.split('/').map(decodeSegment).join('/'), search: url.search }
}

/** Keeps invalid escapes, and `%2F`, because a decoded slash would split the segment. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment.replace(/%(2f)/gi, '%25$1'))
  } catch {
    return segment
  }
}

/** @returns The hostname of a Host header; `undefined` if it isn't a valid host of a URL. */
export function hostnameOfHeader(host: string): string | undefined {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) ? URL.parse(`http://${host}/`)?.hostname : undefined
}
