import { metadataVersions } from '../lib/metadata/write-metadata.ts'

export type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly description: string
  /** Schemas by media type; absent for an answer without a body. */
  readonly content?: Json
  readonly headers?: Json
}

export interface Operation {
  readonly summary: string
  readonly parameters?: readonly Json[]
  /** The responses of this route alone, by status. */
  readonly answers: Readonly<Record<number, Answer>>
}

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const body = (description: string, type: string, schema: Json): Answer => ({
  description,
  content: { [type]: { schema } },
})
const problem = (description: string) => body(description, 'application/problem+json', reference('ProblemDetails'))
const header = (description: string) => ({ description, schema: { type: 'string' } })

const query = (name: string, description: string, more: Json = {}): Json => {
  const { required = false, ...schema } = more
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}
const ifNoneMatch = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The `etag` of an earlier response.',
  schema: { type: 'string' },
}
const etag = { etag: header('Changes with the content.') }
const unchanged: Answer = { description: 'The caller has the current content.', headers: etag }

/** The responses of each route of the app, by its name. */
export const operations: Readonly<Record<string, Operation>> = {
  home: {
    summary: 'The page that shows the report',
    parameters: [ifNoneMatch],
    answers: {
      200: {
        ...body('The page, whatever the status of the report is.', 'text/html', { type: 'string' }),
        headers: etag,
      },
      304: unchanged,
    },
  },
  profile: {
    summary: 'The resolved profile, which can be saved and used as a custom profile file',
    answers: { 200: body('The profile.', 'application/json', reference('CloudProfile')) },
  },
  diagnostics: {
    summary: 'The report of the last diagnostics run, or of a new one',
    parameters: [
      query('explain', 'With `true` the report has `fields`.', { examples: ['true'] }),
      query('history', 'With `true` the report has `history`.', { examples: ['true'] }),
    ],
    answers: {
      200: body(
        'The report. A failed token is a result, not an HTTP error: see `status`.',
        'application/json',
        reference('DiagnosticsReport'),
      ),
    },
  },
  health: {
    summary: 'Whether this process is worth keeping, or ready; without any request',
    parameters: [
      query(
        'ready',
        'Any value but `false` loads every part of the process and reports whether it can serve requests.',
      ),
    ],
    answers: {
      200: body('The status is `pass` or `warn`.', 'application/health+json', reference('HealthReport')),
      503: body(
        'The status is `fail`. The body is empty if the server stopped before the route answered.',
        'application/health+json',
        reference('HealthReport'),
      ),
    },
  },
  metrics: {
    summary: 'Metrics for Prometheus',
    answers: {
      200: {
        description: 'In the text format of Prometheus, or as OpenMetrics for a client that accepts it.',
        content: {
          'text/plain': { schema: { type: 'string' } },
          'application/openmetrics-text': { schema: { type: 'string' } },
        },
      },
    },
  },
  instanceDiscovery: {
    summary:
      'What the public instance discovery would say about the login authority; only with PLATFORM_SERVE_METADATA=true',
    parameters: [
      query('authorization_endpoint', 'An address of the login authority, with a tenant.', { required: true }),
    ],
    answers: {
      200: body('The login authority is that of the profile.', 'application/json', reference('InstanceDiscovery')),
      400: body(
        'The address is another one. The body is empty if the target or host of the request is invalid.',
        'application/json',
        reference('InvalidInstance'),
      ),
    },
  },
  metadata: {
    summary: 'The profile as the metadata document of a resource manager; only with PLATFORM_SERVE_METADATA=true',
    parameters: [
      query('api-version', 'An unknown version gets the newest one that is not newer.', {
        required: true,
        pattern: String.raw`\S`,
        examples: metadataVersions,
      }),
      ifNoneMatch,
    ],
    answers: {
      200: {
        ...body('The document.', 'application/json', reference('PublishedMetadata')),
        headers: { ...etag, 'x-metadata-version': header('The version of the document.') },
      },
      304: unchanged,
      400: problem('The api-version is missing. The body is empty if the target or host of the request is invalid.'),
      409: problem('The profile has placeholders, named in `fields`.'),
    },
  },
}

/** The responses of the server or the Functions host before or instead of a route, and those that any route may give. */
export const ofEveryRoute: Operation['answers'] = {
  400: { description: 'The target or host of the request is invalid.' },
  403: problem('A page of another site made a browser send the request.'),
  404: { description: 'The configuration has no such route.' },
  408: { description: 'The request did not arrive in time.' },
  414: { description: 'The request line is longer than 8,192 bytes.' },
  431: { description: 'The request has more than 100 headers, or more than 32 KiB of them.' },
  500: problem('An unexpected error; the log has its cause. The body is empty if the route exceeded its time.'),
  503: { description: 'The server stopped before the route answered.' },
}

export const withoutKey: Operation['answers'] = {
  401: {
    description: 'The key is missing or wrong. On Azure Functions the body is empty.',
    content: {
      'application/problem+json': { schema: reference('ProblemDetails') },
      'text/html': { schema: { type: 'string' } },
    },
  },
}
