import type { PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline'
import { valueAt } from '../base/json.ts'
import { withoutHidden } from '../base/printable.ts'

// Quotes the texts by which a gateway, portal or identity endpoint explains its response. A quote is short, on one line, without hidden
// characters, and without any part of a secret that the request contained.

/** The number of characters of a body that are read. */
const longestBody = 16_384
const supportPhrase =
  /\b(?:support|incident|reference|event|ray)\s?(?:id|#|number)?\s?(?:is)?[:#]?\s{0,3}([A-Za-z0-9.-]{6,64})\b/i

/** Title, first words and support id of a page, and the `server` header. */
export function wordsOfPage({ request, headers, bodyAsText }: PipelineResponse) {
  return wordsOf(bodyAsText ?? '', headers.get('content-type'), secretsOf(request), headers.get('server'))
}

/** @param secrets `undefined` if the request contained none. */
export function wordsOf(body: string, type = '', secrets: readonly string[] | undefined, server?: string) {
  const text = body.slice(0, longestBody)
  const isPage = text.trimStart().startsWith('<')
  if (!isPage && !/^text\/plain\b/i.test(type)) return {}
  const title = isPage ? /<title[^<>]{0,100}>([^<]{1,200})/i.exec(text)?.[1] : undefined
  const content = text
    .replaceAll(/<(?:script|style|title)\b[^<>]{0,200}>[^<]{0,4000}/gi, ' ')
    .replaceAll(/<[^<>]{0,200}>/g, ' ')
  const supportId = supportPhrase.exec(content)?.[1]
  const quote = quoterOf(text, secrets)
  return {
    title: quote(title, 80),
    words: quote(content, 100),
    supportId: secrets === undefined && supportId !== undefined && /\d/.test(supportId) ? supportId : undefined,
    server: secrets === undefined ? quote(server, 60) : undefined,
  }
}

/** Paths of the text in JSON errors, in the order of preference. */
const textPaths = ['error_description', 'error.message', 'message', 'Message'] as const

/** The first sentence of a JSON error. */
export function wordsOfError(body: unknown, { request, bodyAsText = '' }: PipelineResponse): string | undefined {
  const text = textPaths.map((path) => valueAt(body, path)).find((value) => typeof value === 'string')
  return quoterOf(bodyAsText ?? '', secretsOf(request))(/^[^\r\n]{0,200}/.exec(text ?? '')?.[0], 120)
}

/** Makes a function that quotes a text. If the request had a secret, it quotes only plain words, and none if the body has a part of it. */
function quoterOf(body: string, secrets: readonly string[] | undefined) {
  const mayEcho = secrets !== undefined && hasPartOf(body, secrets)
  return (text = '', longest: number): string | undefined => {
    const line = text.replaceAll(/\s+/g, ' ').trim()
    const shown = mayEcho ? '' : withoutHidden(secrets === undefined ? line : plainWords(line), longest).trim()
    return shown === '' ? undefined : shown
  }
}

const secretHeaders = ['authorization', 'proxy-authorization', 'x-identity-header', 'secret'] as const
/** The public fields of a token request. Every other field counts as a secret. */
const publicFields: ReadonlySet<string> = new Set([
  'client_id',
  'client_assertion_type',
  'client_info',
  'grant_type',
  'requested_token_use',
  'response_type',
  'scope',
])

/** The secrets in a request. `undefined` if it can't contain one. */
function secretsOf({ method, body, headers }: PipelineRequest): readonly string[] | undefined {
  const inHeaders = secretHeaders.flatMap((name) => headers.get(name)?.replace(/^(Basic|Bearer) /, '') ?? [])
  if (method === 'GET' && body === undefined && inHeaders.length === 0) return undefined
  const fields = [...new URLSearchParams(typeof body === 'string' ? body : '')]
    .filter(([name]) => !publicFields.has(name) && !name.startsWith('x-'))
    .map(([, value]) => value)
  return [...fields, ...inHeaders]
}

/** Characters of a secret that count as a part of it. */
const partLength = 5

/** Whether a text contains a part of a secret, unchanged or percent-encoded, in any letter case. */
function hasPartOf(text: string, secrets: readonly string[]): boolean {
  const read = `${text} ${decode(text)}`.toLowerCase()
  const parts = new Set<string>()
  for (let at = 0; at + partLength <= read.length; at++) parts.add(read.slice(at, at + partLength))
  return secrets.some((secret) => {
    const lower = secret.toLowerCase()
    if (lower.length < partLength) return lower !== '' && read.includes(lower)
    return Array.from({ length: lower.length - partLength + 1 }, (_, at) => lower.slice(at, at + partLength)).some(
      (part) => parts.has(part),
    )
  })
}

function decode(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString())
}

/** The words at the beginning of a text. Stops before a word with other characters than letters, which could be an encoded secret. */
function plainWords(line: string): string {
  const words = line.split(' ')
  const end = words.findIndex((word) => !/^["'(]?\p{L}[\p{L}'-]{0,19}[.,:;!?)"']{0,2}$/u.test(word))
  return words.slice(0, end < 0 ? words.length : end).join(' ')
}
