import type { AppRequest, AppResponse, HttpFunction, Invocation, Log } from '../lib/base/app.ts'
import { errorCode, exhaustedResource } from '../lib/base/files.ts'
import { escapeHidden } from '../lib/base/printable.ts'
import { isServiceError } from '../lib/errors.ts'
import { VERSION } from '../lib/settings/version.ts'

/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

interface DescribedResponse {
  readonly description: string
  /** Media types of the body. Absent if the response has no body. */
  readonly types?: readonly string[]
  /** Name of the body's schema in the OpenAPI document. Without it, the body is any text. */
  readonly schema?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Operation {
  readonly summary: string
  readonly parameters?: readonly Json[]
  /** By status. Responses that every function has are added to the document later. */
  readonly responses: Readonly<Record<number, DescribedResponse>>
}

/** An optional parameter of an operation. */
export function parameter(place: 'query' | 'header', name: string, description: string, example?: string): Json {
  const schema = example === undefined ? { type: 'string' } : { type: 'string', examples: [example] }
  return { name, in: place, required: false, description, schema }
}

export interface DescribedFunction extends HttpFunction {
  readonly openApi: Operation
}

/** The body of an error response (RFC 9457). */
export interface ProblemDetails {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  /** Stable: the code of a finding, or another code such as `CROSS_SITE_REQUEST`. */
  readonly code: string
  /** What to do. */
  readonly detail?: string
  /** Id of the invocation in the log. */
  readonly instance?: string
}

/** Headers of every response: no browser stores it, guesses its type, or lets another site embed it. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

export function json(body: unknown, { status = 200, type = 'application/json' } = {}): AppResponse {
  return { status, headers: { ...privateHeaders, 'content-type': type }, body: JSON.stringify(body) }
}

function problem(body: Omit<ProblemDetails, 'type'>): AppResponse {
  const details: ProblemDetails = { type: 'about:blank', ...body }
  return json(details, { status: body.status, type: 'application/problem+json' })
}

/** Responds with 304 and no body if the caller's `if-none-match` has the tag of this response. A weak tag equals a strong one here. */
export function ifNoneMatch({ headers }: AppRequest, response: AppResponse): AppResponse {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.some((tag) => tag === '*' || tag === response.headers['etag'])) return response
  const { 'content-type': _none, ...kept } = response.headers
  return { status: 304, headers: kept }
}

/** Writes each event as a JSON object on one line, so that any log tool can query it. A failed write never interrupts the logged work. */
export function logTo({ log }: Pick<Invocation, 'log'>): Log {
  return (event) => {
    const { level, ...rest } =
      typeof event === 'string' ? { level: 'verbose' as const, event: 'library', message: event } : event
    const line = escapeHidden(JSON.stringify({ time: new Date().toISOString(), level, version: VERSION, ...rest }))
    try {
      // Verbose lines exist only if PLATFORM_LOG_LEVEL is verbose. By default, the Functions host drops lines at its debug level.
      log(level === 'verbose' ? 'info' : level, line)
    } catch {
      // The log is the only place to report this failure.
    }
  }
}

interface UnguardedFunction extends Omit<DescribedFunction, 'handle' | 'methods'> {
  /** Whether a link on another site may open this address. A link on the same site may open any address. */
  readonly opensInBrowser?: boolean
  readonly handle: (request: AppRequest, log: Log) => Promise<AppResponse>
}

/**
 * Adds the guards of every function. It refuses a request that another site makes a browser send, and turns an unexpected error into a 500.
 * Neither response contains a stack, a path or a text of another system. The log gets the error's name and code.
 */
export function httpFunction({ opensInBrowser = false, handle, ...rest }: UnguardedFunction): DescribedFunction {
  return {
    ...rest,
    methods: ['GET', 'HEAD'],
    async handle(request, invocation) {
      if (isForeign(request, opensInBrowser))
        return problem({ title: 'Forbidden', status: 403, code: 'CROSS_SITE_REQUEST', instance: invocation.id })
      try {
        return await handle(request, logTo(invocation))
      } catch (error) {
        const { code, reason } = explain(error)
        logTo(invocation)({ level: 'error', event: 'request.failed', code, message: reason })
        const detail = code === 'PROCESS_RESOURCES_EXHAUSTED' ? { detail: reason } : {}
        return problem({ title: 'Internal Server Error', status: 500, code, ...detail, instance: invocation.id })
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
 * Whether a page of another site made a browser send the request. Another port of this machine is the same site for a browser, so only the
 * page's own origin, a typed address and a link are accepted. Clients other than browsers don't send these headers.
 */
function isForeign({ headers }: AppRequest, opensInBrowser: boolean): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'same-origin' || site === 'none') return !isOwnOrigin(headers)
  // A link opens a document in a tab. A frame, script or image has another `sec-fetch-dest`.
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return !(isNavigation && (opensInBrowser || site === 'same-site'))
}

/** Browsers send no `origin` with requests from pages of this service. Older browsers don't send `sec-fetch-site`, so check `origin` too. */
function isOwnOrigin({ origin, host = '' }: AppRequest['headers']): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
