import * as z from 'zod/mini'
import * as report from '../../src/lib/diagnostics/report.ts'
import { resolvedProfileSchema } from './profile-schema.ts'
import { HealthReport } from '../../src/lib/service/health-report.ts'
import { createService } from '../../src/lib/service/service.ts'
import { VERSION } from '../../src/lib/settings/version.ts'
import { createApp } from '../../src/functions/app.ts'
import type { DescribedFunction, Json, Operation, ProblemDetails } from '../../src/functions/http-function.ts'

const text = (description: string) => z.string().check(z.describe(description))

const ProblemDetailsSchema = z
  .strictObject({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int().check(z.describe('The HTTP status.')),
    code: text('Stable, such as `CROSS_SITE_REQUEST`, or a code of docs/reference/findings.md.'),
    detail: z.exactOptional(text('What to do.')),
    instance: z.exactOptional(text('Id of the call. The log has the same id.')),
  })
  .check(z.describe('Problem details (RFC 9457).')) satisfies z.ZodMiniType<ProblemDetails>

const keys = [{ header: [] }, { query: [] }, { bearer: [] }]
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const unexpected = { types: ['application/problem+json'], schema: 'ProblemDetails' }

/** Responses of any function, and responses that the server or the Functions host gives in place of a function. */
const commonResponses: Operation['responses'] = {
  400: { description: 'The target or host of the request is invalid.' },
  403: { description: 'A page of another site made a browser send the request.', ...unexpected },
  404: { description: 'This route is not enabled.' },
  408: { description: 'The request did not arrive in time.' },
  414: { description: 'The request line is longer than 8,192 bytes.' },
  431: { description: 'The request has more than 100 headers, or more than 32 KiB of them.' },
  500: {
    description: 'An unexpected error. The log has its cause. The body is empty if the route exceeded its time limit.',
    ...unexpected,
  },
  503: { description: 'The server stopped before the route responded.' },
}

const unauthorized = {
  description: 'The key is missing or wrong. On Azure Functions the body is empty.',
  content: {
    'application/problem+json': { schema: reference('ProblemDetails') },
    'text/html': { schema: { type: 'string' } },
  },
}

/** The OpenAPI document of the functions. */
export function createOpenApi(): Json {
  const { functions } = createApp(createService({}))
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
    paths: Object.fromEntries(functions.map((each): [string, Json] => [`/${each.path}`, describe(each)])),
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

function describe({ name, methods, authLevel, openApi }: DescribedFunction): Json {
  const { summary, parameters, responses } = openApi
  const isOpen = authLevel === 'anonymous'
  const all = Object.entries({ ...commonResponses, ...responses }).map(([status, each]) => [status, respond(each)])
  const described = Object.fromEntries(isOpen ? all : [...all, ['401', unauthorized]]) as Json
  return Object.fromEntries(
    methods.map((method) => [
      method.toLowerCase(),
      {
        operationId: method === 'GET' ? name : `${name}Head`,
        summary: method === 'GET' ? summary : `${summary} (only the headers)`,
        security: isOpen ? [] : keys,
        ...(parameters === undefined ? {} : { parameters }),
        responses: method === 'GET' ? described : withoutBodies(described),
      },
    ]),
  )
}

function respond({ description, types, schema, headers }: Operation['responses'][number]): Json {
  const body = { schema: schema === undefined ? { type: 'string' } : reference(schema) }
  const described = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(types === undefined ? {} : { content: Object.fromEntries(types.map((type) => [type, body])) }),
    ...(headers === undefined ? {} : { headers: Object.fromEntries(described) as Json }),
  }
}

function withoutBodies(responses: Json): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content: _content, ...rest } = response as Json
      return [status, rest]
    }),
  )
}

function createSchemas(): Json {
  const registry = z.registry<{ readonly id: string }>()
  const named = { ...report, HealthReport, ProblemDetails: ProblemDetailsSchema }
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // The format says the same in one word.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  const own = Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema] as const)
  return Object.fromEntries(
    [...own, ['CloudProfile', resolvedProfileSchema()] as const].sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
