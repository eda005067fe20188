import type { AppRequest } from '../lib/base/app.ts'

/** As many headers as the Functions host accepts. */
const maxHeaders = 100

/**
 * Names in lower case, repeated headers joined by a comma, as the Functions host passes them on. The result has no prototype: a name may
 * be any text, `__proto__` too.
 *
 * @param raw Names and values in turn, as Node received them.
 * @returns `undefined` if there are more than 100: the response is 431.
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

/** Repeated names are one name, whatever their case, with their values joined by a comma. The result has no prototype. */
export function readQuery(search: string): AppRequest['query'] {
  if (search.length < 2) return noQuery
  const query = Object.create(null) as Record<string, string>
  const names = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    const name = names.get(key.toLowerCase())
    names.set(key.toLowerCase(), name ?? key)
    query[name ?? key] = name === undefined ? value : `${query[name]},${value}`
  }
  return query
}

/** Where a request goes. */
export interface RequestTarget {
  /** As the app's URL has it: dot segments removed, escapes kept. */
  readonly path: string
  /** For routing: escapes are decoded except `%2F`, as in ASP.NET. */
  readonly routePath: string
  /** With the question mark, or empty. */
  readonly search: string
}

/**
 * Parses the request line's target: origin form (`/path?query`) or absolute form, whose host must equal the Host
 * header. Routing and the app see the same path, so a dot segment cannot pass one and mean another.
 *
 * @returns `undefined` for a target that no route can match and no URL can hold: the response is 400.
 */
export function parseTarget(target: string, host: string): RequestTarget | undefined {
  // OPTIONS * names no resource.
  if (target === '*') return { path: '/', routePath: '*', search: '' }
  if (!/^[\x21-\x7e]*$/.test(target)) return undefined
  if (target.startsWith('/')) {
    // A URL takes a backslash for a slash; the Functions host does not.
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

/** Leaves invalid escapes unchanged, and `%2F`, which must not split a segment. */
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
