import type { AppRequest, AppResponse, HttpFunction, Invocation, Log } from '../lib/base/app.ts'
import { errorCode, exhaustedResource } from '../lib/base/files.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { isServiceError } from '../lib/errors.ts'
import { VERSION } from '../lib/settings/version.ts'

/** A part of the OpenAPI document, as JSON. */
export type Json = Readonly<Record<string, unknown>>

interface DescribedResponse {
  readonly description: string
  /** Media types of the body; absent for a response without one. */
  readonly types?: readonly string[]
  /** Name of the body's schema in the OpenAPI document. Default is any text. */
  readonly schema?: string
  /** Headers with their meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What the OpenAPI document says of one function. */
export interface Operation {
  readonly summary: string
  readonly parameters?: readonly Json[]
  /** The responses that only this function has, by status. */
  readonly responses: Readonly<Record<number, DescribedResponse>>
}

export const notModified: DescribedResponse = {
  description: 'The caller has the current content.',
  headers: { etag: 'Changes with the content.' },
}

export const ifNoneMatchParameter: Json = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `etag` of an earlier response.',
  schema: { type: 'string' },
}

/** A function and its description. */
export interface DescribedFunction extends HttpFunction {
  readonly methods: readonly ('GET' | 'HEAD')[]
  readonly openApi: Operation
}

/** The body of an error response (RFC 9457). */
export interface ProblemDetails {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  /** Stable, such as `CROSS_SITE_REQUEST`, or a code of the catalog of findings. */
  readonly code: string
  /** What to do. */
  readonly detail?: string
  /** Id of the invocation, which the log has too. */
  readonly instance?: string
  /** The fields of the profile that it concerns. */
  readonly fields?: readonly string[]
}

/** Never stored, never sniffed, never embedded by another site: every response carries these headers. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

export function json(body: unknown, { status = 200, type = 'application/json' } = {}): AppResponse {
  return { status, headers: { ...privateHeaders, 'content-type': type }, body: JSON.stringify(body) }
}

export function problem(
  status: number,
  code: string,
  title: string,
  more: Pick<ProblemDetails, 'detail' | 'instance' | 'fields'>,
): AppResponse {
  const body: ProblemDetails = { type: 'about:blank', title, status, code, ...more }
  return json(body, { status, type: 'application/problem+json' })
}

/** The status 304 without a body if the caller has this response by its tag. Weak and strong tags name the same document here. */
export function ifNoneMatch({ headers }: AppRequest, response: AppResponse): AppResponse {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.some((tag) => tag === '*' || tag === response.headers['etag'])) return response
  const { 'content-type': _none, ...kept } = response.headers
  return { status: 304, headers: kept }
}

/**
 * Writes each event as one JSON object on a line, at its own level, so that any log tool can query and alert on it. A failed write never
 * interrupts the logged work.
 */
export function logTo({ log }: Pick<Invocation, 'log'>): Log {
  return (event) => {
    const { level, ...rest } =
      typeof event === 'string' ? { level: 'verbose' as const, event: 'library', message: event } : event
    const line = escapeHidden(JSON.stringify({ time: new Date().toISOString(), level, version: VERSION, ...rest }))
    try {
      // Verbose lines exist only with PLATFORM_LOG_LEVEL=verbose. At its debug level, the Functions host would drop them by default.
      log(level === 'verbose' ? 'info' : level, line)
    } catch {
      // There is nowhere left to report to.
    }
  }
}

interface UnguardedFunction extends Omit<DescribedFunction, 'handle' | 'methods'> {
  /** Whether a link on another site may lead here. A link on the same site may lead to every function. */
  readonly opensInBrowser?: boolean
  readonly handle: (request: AppRequest, log: Log) => Promise<AppResponse>
}

/**
 * A function that refuses a request that another site makes a browser send, and turns an unexpected error into a 500. Both responses hide
 * the inside: no stack, no path, no text of another system. The log gets the error's name and code.
 */
export function httpFunction({ opensInBrowser = false, handle, ...rest }: UnguardedFunction): DescribedFunction {
  return {
    ...rest,
    methods: ['GET', 'HEAD'],
    async handle(request, invocation) {
      if (isForeign(request, opensInBrowser)) {
        return problem(403, 'CROSS_SITE_REQUEST', 'Forbidden', { instance: invocation.id })
      }
      try {
        return await handle(request, logTo(invocation))
      } catch (error) {
        const { code, reason } = explain(error)
        logTo(invocation)({ level: 'error', event: 'request.failed', code, message: reason })
        const detail = code === 'PROCESS_RESOURCES_EXHAUSTED' ? { detail: reason } : {}
        return problem(500, code, 'Internal Server Error', { ...detail, instance: invocation.id })
      }
    },
  }
}

function explain(error: unknown): { readonly code: string; readonly reason: string } {
  const errno = exhaustedResource(error)
  if (errno !== undefined) {
    return { code: 'PROCESS_RESOURCES_EXHAUSTED', reason: `This process has no resources left (${errno})` }
  }
  if (!(error instanceof Error)) return { code: 'UNEXPECTED', reason: 'unknown' }
  const code = errorCode(error)
  if (isServiceError(error)) return { code: error.code, reason: error.name }
  return { code: 'UNEXPECTED', reason: code === undefined ? error.name : `${error.name} (${code})` }
}

/**
 * Whether a page of another site made a browser send the request. To a browser, another port of this machine is the same site, so only
 * the page's own origin, a typed address and a link are accepted. Other clients than browsers send no such header.
 */
function isForeign({ headers }: AppRequest, opensInBrowser: boolean): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'same-origin' || site === 'none') return !isOwnOrigin(headers)
  // A link or a typed address in a tab: no frame, no script, no image.
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(isNavigation && (opensInBrowser || site === 'same-site'))
}

/** Our own pages only read, for which browsers send no origin. Older browsers send no other sign. */
function isOwnOrigin({ origin, host = '' }: AppRequest['headers']): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
