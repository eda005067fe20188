import * as z from 'zod/mini'
import { isObject } from '../lib/base/json.ts'
import * as report from '../lib/diagnostics/report.ts'
import { PublishedMetadata } from '../lib/metadata/published-metadata.ts'
import { createProfileJsonSchema } from '../lib/profile/json-schema.ts'
import { HealthReport } from '../lib/service/health-report.ts'
import { createService } from '../lib/service/service.ts'
import { VERSION } from '../lib/settings/version.ts'
import { createApp } from './app.ts'
import { ofEveryRoute, operations, reference, withoutKey, type Json, type Operation } from './openapi-operations.ts'
import { ProblemDetails } from './problem-details.ts'
import type { Route } from './route.ts'

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
  if (operation === undefined) throw new Error(`src/routes/openapi-operations.ts must describe the route ${name}`)
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
