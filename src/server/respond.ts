import type { ServerResponse } from 'node:http'

import type { AppRequest, AppResponse } from '../lib/base/app.ts'

/** Statuses that have no body and no length. */
const bodiless = new Set([204, 304])

/** Responds with a status and an empty body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, bodiless.has(status) ? {} : { 'content-length': '0' })
  response.end()
}

export function sendResponse(response: ServerResponse, { status, headers, body }: AppResponse): void {
  const pairs: string[] = []
  for (const name in headers) pairs.push(name, headers[name] ?? '')
  // A HEAD handler may give the length of the body that it leaves out.
  if (!bodiless.has(status) && headers['content-length'] === undefined) {
    pairs.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  }
  response.writeHead(status, pairs)
  response.end(body)
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Key needed</title>
<h1>This service needs a key</h1>
<p>The key is missing or wrong. Add it to the address of this page: <code>?code=KEY</code>. Write <code>+</code> as <code>%2B</code>.
<p>Programs send it in the header <code>x-functions-key</code>, or as a bearer token.
</html>
`

const problem = JSON.stringify({
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'KEY_INVALID',
  detail:
    'The key is missing or wrong. Send it in the header x-functions-key, as a bearer token, or in the query as ?code=KEY.',
})

/** The response to a caller without the key: a page in a browser, else problem details (RFC 9457). */
export function unauthorized({ accept = '' }: AppRequest['headers']): AppResponse {
  const [type, body] = accept.includes('text/html')
    ? ['text/html; charset=utf-8', page]
    : ['application/problem+json', problem]
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'www-authenticate': 'Bearer',
    'content-type': type,
  }
  return { status: 401, headers, body }
}
