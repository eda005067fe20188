import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** The parts of the enclave, each on a separate loopback port. */
export type Role = ProfileRole | 'managed-identity' | 'foreign'

/** The roles that a profile names. */
export const profileRoles = [
  'login',
  'resource-manager',
  'vault',
  'storage',
  'graph',
  'registry',
  'app-configuration',
  'ai',
] as const

type ProfileRole = (typeof profileRoles)[number]

/** Kinds of requests to which a fault can be limited. */
export const steps = [
  'login/openid-configuration',
  'login/token',
  'login/device-code',
  'resource-manager/metadata',
  'resource-manager/subscriptions',
] as const

export type Step = (typeof steps)[number]

/** The response of a route. A fault can change it. */
export interface EnclaveResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** The text after the status. */
  readonly reason?: string
  /** How a fault sends the response. Default is as a whole. */
  readonly transfer?: Transfer
}

/** `silent` sends nothing. `reset` and `truncated` break the connection after half of the response. */
export type Transfer = 'silent' | 'reset' | 'truncated' | 'endless' | { readonly everyMilliseconds: number }

type Headers = Readonly<Record<string, string>>

const document =
  (type: string) =>
  (status: number, body: string, headers: Headers = {}): EnclaveResponse => ({
    status,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers },
    body,
  })
const jsonDocument = document('application/json')

export const html = document('text/html')
export const json = (status: number, value: unknown, headers: Headers = {}): EnclaveResponse =>
  jsonDocument(status, JSON.stringify(value), headers)

const storageVersion = { 'x-ms-version': '2025-01-05' }

export function empty(status: number, headers: Headers = {}): EnclaveResponse {
  return { status, headers: { ...storageVersion, ...headers }, body: '' }
}

/** XML elements by name. A list repeats the element. */
interface Elements {
  readonly [name: string]: string | Elements | readonly Elements[]
}

/** An XML document of the storage account. `root` may contain attributes. */
export function xml(status: number, root: string, content: Elements, headers: Headers = {}): EnclaveResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...storageVersion, ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?>${element(root, content)}`,
  }
}

function element(tag: string, content: string | Elements): string {
  const rows = typeof content === 'string' ? [] : Object.entries(content)
  const inner = rows.flatMap(([name, each]) => [each].flat().map((one) => element(name, one as Elements)))
  return `<${tag}>${typeof content === 'string' ? escapeMarkup(content) : inner.join('')}</${tag.split(' ', 1)[0]}>`
}

export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export type ErrorText = readonly [status: number, code: string, message: string, details?: Headers]

/** A refusal in the format of the role. */
export function refusal(role: Role, ...[status, code, message, details]: ErrorText): EnclaveResponse {
  if (role !== 'storage') return json(status, { error: { code, message, ...(details && { innererror: details }) } })
  const rows = { Code: code, Message: `${message}\nRequestId:${randomUUID()}`, ...details }
  return xml(status, 'Error', rows, { 'x-ms-error-code': code })
}

export function withHeaders(response: EnclaveResponse, headers: Headers): EnclaveResponse {
  return { ...response, headers: { ...response.headers, ...headers } }
}

export interface EnclaveRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The origin of the requested URL. */
  readonly origin: string
  /** The segments of the path that the route names. */
  readonly parameters: PathParameters
  /** The claims of an accepted token. Empty for a route without protection. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The form fields of a POST. A blank field counts as absent. */
export function formOf(request: EnclaveRequest): ReadonlyMap<string, string> {
  return new Map([...new URLSearchParams(request.body.toString())].filter(([, value]) => value !== ''))
}

/** The members of a JSON object. Empty for any other body. */
export function jsonOf({ body }: EnclaveRequest): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(body.toString()) as object) }
  } catch {
    return {}
  }
}

export type PathParameters = Readonly<Record<string, string>>

/** One address of a role. A `{name}` in `path` matches one segment, `*` any path. As in the real services, letter case doesn't matter. */
export interface Route {
  readonly method: 'GET' | 'POST' | '*'
  readonly path: string
  readonly step?: Step | undefined
  readonly handle: Handler
}

export type Handler = (request: EnclaveRequest) => EnclaveResponse | Promise<EnclaveResponse>

/** Finds the step of a request, and the function that responds to it: with 404 for an unknown path, and 405 for a wrong method. */
export function matchRoute(role: Role, routes: readonly Route[], request: EnclaveRequest) {
  // The real resource manager ignores a final slash too, and a second one at the start, which az, Terraform and Packer send.
  const path = role === 'resource-manager' ? request.path.replace(/\/$/, '').replace(/^\/+/, '/') : request.path
  const candidates = routes.flatMap((route) => {
    const parameters = matchPath(route.path, path)
    return parameters ? [{ ...route, parameters }] : []
  })
  const found = candidates.find(({ method }) => method === '*' || method === request.method)
  if (found) return { step: found.step, respond: () => found.handle({ ...request, parameters: found.parameters }) }
  const allow = candidates.map(({ method }) => method).join(', ')
  const refused =
    allow === ''
      ? refusal(role, 404, 'NotFound', `The enclave serves nothing at ${request.path}.`)
      : withHeaders(refusal(role, 405, 'MethodNotAllowed', `Use ${allow}.`), { allow })
  return { step: candidates[0]?.step, respond: () => refused }
}

function matchPath(pattern: string, path: string): PathParameters | undefined {
  if (pattern === '*') return {}
  const [expected, given] = [pattern.split('/'), path.split('/')]
  const parameters: Record<string, string> = {}
  const isMatch = expected.every((segment, index) => {
    const text = given[index] ?? ''
    if (!segment.startsWith('{')) return segment.toLowerCase() === text.toLowerCase()
    parameters[segment.slice(1, -1)] = decodeSegment(text)
    return text !== ''
  })
  return isMatch && expected.length === given.length ? parameters : undefined
}

/** Returns a segment with invalid percent-encoding unchanged. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** @param resetConnection Resets the TCP connection. */
export function send(
  response: ServerResponse,
  { status, headers, body, reason, transfer }: EnclaveResponse,
  resetConnection: () => void,
): void {
  if (transfer === 'silent') return
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const isWhole = transfer === undefined || transfer === 'reset' || transfer === 'truncated'
  // Azurite's response to a HEAD request has a length and no body.
  if (reason !== undefined) response.statusMessage = reason
  response.writeHead(status, isWhole ? { 'content-length': bytes.length, ...headers } : headers)
  if (transfer === undefined) {
    response.end(bytes)
  } else if (transfer === 'endless') {
    Readable.from(endlessText()).pipe(response)
  } else if (typeof transfer === 'string') {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    response.write(half, transfer === 'reset' ? resetConnection : () => response.destroy())
  } else {
    // White space follows the last byte, so that the document is complete although the response never ends.
    const rest = bytes.values()
    const drip = () => response.write(Buffer.of(rest.next().value ?? 0x20))
    const timer = setInterval(drip, transfer.everyMilliseconds)
    response.once('close', () => clearInterval(timer))
  }
}

function* endlessText(): Generator<string> {
  yield '{"padding":"'
  for (;;) yield 'x'.repeat(64 * 1024)
}
