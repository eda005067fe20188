import type { AppResponse } from '../../lib/base/app.ts'
import type { RequestHeaders } from './request-headers.ts'

const title = 'Unauthorized'
const detail =
  'The key is missing or wrong. Send it in the header x-functions-key, as a bearer token, or in the query as ?code=KEY.'
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
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'www-authenticate': 'Bearer',
}

/** The response to a caller without the key: a page in a browser, else problem details (RFC 9457). */
export function unauthorized({ accept = '' }: RequestHeaders): AppResponse {
  if (accept.includes('text/html')) {
    return { status: 401, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: page }
  }
  const body = JSON.stringify({ type: 'about:blank', title, status: 401, code: 'KEY_INVALID', detail })
  return { status: 401, headers: { ...headers, 'content-type': 'application/problem+json' }, body }
}
