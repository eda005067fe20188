import type { Answer, ReceivedRequest } from '../any-cloud.ts'

/** Ways in which a login authority, or what stands before it, may send back what it was sent. */
export const echoes: Readonly<Record<string, (request: ReceivedRequest) => Answer>> = {
  'the fields of an error': (request) => ({
    status: 400,
    body: {
      error: 'invalid_client',
      error_description: `AADSTS7000215: ${whole(request)}`,
      error_codes: [7000215],
      error_uri: `https://x.test/?${request.body}`,
      suberror: whole(request),
      trace_id: whole(request),
      correlation_id: whole(request),
      claims: whole(request),
    },
  }),
  'the name of an error': (request) => ({ status: 400, body: { error: secretOf(request) } }),
  'the name of an error, in lower case': (request) => ({
    status: 400,
    body: { error: secretOf(request).toLowerCase() },
  }),
  'an error that the library retries': (request) => ({
    status: 503,
    headers: headersOf(request),
    body: { error: 'temporarily_unavailable', error_description: whole(request) },
  }),
  'a page with status 200': (request) => ({ status: 200, headers: page, body: `<pre>${whole(request)}</pre>` }),
  'a page with status 400': (request) => ({ status: 400, headers: page, body: `<pre>${whole(request)}</pre>` }),
  'a page with status 500': (request) => ({ status: 500, headers: page, body: `<pre>${whole(request)}</pre>` }),
  'the headers of a refusal': (request) => ({
    status: 401,
    headers: headersOf(request),
    body: { error: 'invalid_client', error_codes: [7000215] },
  }),
  'the address of a redirect': (request) => ({
    status: 302,
    headers: { ...headersOf(request), location: `https://x.test/?${request.body}` },
    body: '',
  }),
  'an answer without a token': (request) => ({ status: 200, body: { token_type: 'Bearer', note: whole(request) } }),
  'the other fields of a good answer': (request) => ({
    status: 200,
    headers: headersOf(request),
    body: {
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: 'opaque-access-token-without-any-claims-Wd83hKq1',
      scope: whole(request),
      foci: whole(request),
      note: whole(request),
    },
  }),
}

const page = { 'content-type': 'text/html' } as const

const whole = ({ path, headers, body }: ReceivedRequest) =>
  `${path} ${JSON.stringify(headers)} ${body} ${[...new URLSearchParams(body).values()].join(' ')}`

/** Of headers, the library logs the values of those that it knows, both ways. */
function headersOf(request: ReceivedRequest): Record<string, string> {
  const value = `${encodeURIComponent(secretOf(request))} ${secretOf(request)}`.replace(/[^\u0021-\u007e ]/g, '')
  return {
    'x-ms-request-id': value,
    'x-ms-correlation-request-id': value,
    'client-request-id': value,
    'request-id': value,
    'ms-cv': value,
    server: value,
    etag: value,
    'www-authenticate': `Bearer error_description="${value}"`,
    'x-another-header': value,
  }
}

/** The one secret of a request. */
function secretOf({ headers, body }: ReceivedRequest): string {
  const form = new URLSearchParams(body)
  const fields = ['client_secret', 'client_assertion', 'password', 'device_code', 'code'] as const
  const header = headers['x-identity-header'] ?? headers.authorization?.replace('Bearer ', '')
  return fields.map((name) => form.get(name)).find((value) => value !== null) ?? header?.toString() ?? 'no secret'
}
