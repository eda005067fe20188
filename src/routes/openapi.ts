import * as z from 'zod/mini'
import { isObject } from '../lib/base/json.ts'
import * as report from '../lib/diagnostics/report.ts'
import { metadataVersions } from '../lib/metadata/write-metadata.ts'
import { PublishedMetadata } from '../lib/metadata/published-metadata.ts'
import { createProfileJsonSchema } from '../lib/profile/json-schema.ts'
import { HealthReport } from '../lib/service/health-report.ts'
import { createService } from '../lib/service/service.ts'
import { VERSION } from '../lib/settings/version.ts'
import { createApp } from './app.ts'
import { ProblemDetails } from './problem-details.ts'
import type { Route } from './route.ts'

type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly description: string
  /** Schemas by media type; absent for an answer without a body. */
  readonly content?: Json
  readonly headers?: Json
}

interface Operation {
  readonly summary: string
  readonly parameters?: readonly Json[]
  /** The responses of this route alone, by status. */
  readonly answers: Readonly<Record<number, Answer>>
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
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
  description: 'The `etag` of an earlier answer.',
  schema: { type: 'string' },
}
const etag = { etag: header('Changes with the content.') }
const unchanged: Answer = { description: 'The caller has the current content.', headers: etag }

const InstanceDiscovery = z.strictObject({
  tenant_discovery_endpoint: z.optional(z.string().check(z.describe('Address of the OpenID configuration.'))),
  'api-version': z.string(),
  metadata: z.array(
    z.strictObject({ preferred_network: z.string(), preferred_cache: z.string(), aliases: z.array(z.string()) }),
  ),
})

const InvalidInstance = z.strictObject({
  error: z.literal('invalid_instance'),
  error_description: z.string(),
  error_codes: z.array(z.int()),
})

/** The responses of each route of the app, by its name. */
const operations: Readonly<Record<string, Operation>> = {
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
      query('ready', 'Any value but `false` asks whether the process can answer, with all its parts loaded.'),
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
const ofEveryRoute: Operation['answers'] = {
  400: { description: 'The target or host of the request is invalid.' },
  403: problem('A page of another site made a browser send the request.'),
  404: { description: 'The configuration has no such route.' },
  408: { description: 'The request did not arrive in time.' },
  414: { description: 'The request line is longer than 8,192 bytes.' },
  431: { description: 'The request has more than 100 headers, or more than 32 KiB of them.' },
  500: problem('An unexpected error; the log has its cause. The body is empty if the route exceeded its time.'),
  503: { description: 'The server stopped before the route answered.' },
}

const withoutKey: Operation['answers'] = {
  401: {
    description: 'The key is missing or wrong. On Azure Functions the body is empty.',
    content: {
      'application/problem+json': { schema: reference('ProblemDetails') },
      'text/html': { schema: { type: 'string' } },
    },
  },
}

const keys = [{ header: [] }, { query: [] }, { bearer: [] }]

/** The OpenAPI document of the routes. @throws {Error} if a route has no description here. */
export function createOpenApi(): Json {
  const { routes } = createApp(createService({ PLATFORM_SERVE_METADATA: 'true' }))
  const paths = routes.map((route): [string, Json] => [`/${route.path}`, describe(route)])
  return {
    openapi: '3.1.0',
    info: {
      title: 'cloud-profile-service',
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'A method that a path does not list gets 404 with an empty body, as on Azure Functions. HTTP_AUTH_LEVEL=anonymous opens the routes that need a key. Paths below /admin belong to the host.',
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'x-functions-key' },
        query: { type: 'apiKey', in: 'query', name: 'code' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Not on Azure Functions.' },
      },
      schemas: createSchemas(),
    },
  }
}

function describe({ name, methods, authLevel }: Route): Json {
  const { [name]: operation } = operations
  if (operation === undefined) throw new Error(`src/routes/openapi.ts must describe the route ${name}`)
  const { summary, parameters, answers } = operation
  const isOpen = authLevel === 'anonymous'
  const all = { ...ofEveryRoute, ...(isOpen ? {} : withoutKey), ...answers }
  return Object.fromEntries(
    methods.map((method) => [
      method.toLowerCase(),
      {
        operationId: method === 'GET' ? name : `${name}Head`,
        summary: method === 'GET' ? summary : `${summary}: the headers alone`,
        security: isOpen ? [] : keys,
        ...(parameters === undefined ? {} : { parameters }),
        responses: method === 'GET' ? all : withoutBodies(all),
      },
    ]),
  )
}

function withoutBodies(answers: Operation['answers']): Operation['answers'] {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { content: _content, ...answer }]) => [status, answer]),
  )
}

function createSchemas(): Json {
  const registry = z.registry<{ readonly id: string }>()
  const { ReportedCode, Warning, ReportStatus, Diagnosis, RootCause, HostCertificate, MatrixRow } = report
  const { DiagramNode, HistoryEntry, Check, TokenResult, SmokeTestResult, SmokeTestRun, DiagnosticsReport } = report
  const named = {
    Check,
    Diagnosis,
    DiagnosticsReport,
    DiagramNode,
    HealthReport,
    HistoryEntry,
    HostCertificate,
    InstanceDiscovery,
    InvalidInstance,
    MatrixRow,
    ProblemDetails,
    PublishedMetadata,
    ReportStatus,
    ReportedCode,
    RootCause,
    SmokeTestResult,
    SmokeTestRun,
    TokenResult,
    Warning,
  }
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // The format says it, in one word.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  const own = Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema] as const)
  return Object.fromEntries([...own, ...profileSchemas()].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The schema of a profile file, for a resolved profile: it has no other fields, and editors' words are left out. */
function profileSchemas(): readonly (readonly [string, unknown])[] {
  const { $schema: _schema, $id: _id, $comment: _comment, $defs, properties, ...schema } = createProfileJsonSchema()
  const { $schema: _editors, ...fields } = properties as Json
  const definitions = Object.entries($defs as Json).map(([name, each]) => [definitionName(name), strict(each)] as const)
  return [['CloudProfile', strict({ ...schema, properties: fields })], ...definitions]
}

const definitionName = (name: string) => `Profile${name.charAt(0).toUpperCase()}${name.slice(1)}`
const editorWords = new Set(['patternErrorMessage', 'errorMessage'])

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).filter(([key]) => !editorWords.has(key))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'additionalProperties') return [key, false]
      if (key === '$ref')
        return [
          key,
          String(value).replace(/^#\/\$defs\/(.*)$/, (_all, name: string) => reference(definitionName(name)).$ref),
        ]
      return [key, strict(value)]
    }),
  )
}
