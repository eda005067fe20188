import { type IncomingMessage, request as requestPlain } from 'node:http'
import { type Agent, request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'

export interface RequestOptions {
  readonly ca?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent form-encoded, as a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string
  readonly lookup?: LookupFunction
  /** Default is a new connection. */
  readonly agent?: Agent
}

/** Sends one request and waits for the head of the answer. Rejects with the socket's error. */
export function openRequest(url: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const { form, body, ...others } = options
  const contentType = form && { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { ...contentType, ...options.headers }
  const send = url.startsWith('https:') ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const request = send(url, { agent: false, method: form ? 'POST' : 'GET', ...others, headers })
    request.on('response', resolve)
    request.on('error', reject)
    request.end(form ? new URLSearchParams(form).toString() : body)
  })
}

export async function sendRequest(url: string, options: RequestOptions = {}) {
  const response = await openRequest(url, options)
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, body, json: (): unknown => JSON.parse(body) }
}
