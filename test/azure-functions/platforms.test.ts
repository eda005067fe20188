import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { HttpRequest, HttpResponse, InvocationContext } from '@azure/functions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHandler } from '../../src/azure-functions/register-app.ts'
import { builtInProfiles } from '../../src/lib/clouds/known-clouds.ts'
import { createService } from '../../src/lib/service/service.ts'
import { createApp } from '../../src/functions/app.ts'
import { readQuery } from '../../src/server/read-request.ts'
import { startServer, type RunningServer } from '../../src/server/server.ts'
import { offline } from '../support/environment.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useService } from '../support/use-service.ts'

/** Nothing listens there. */
const nowhere = 'https://127.0.0.1:9/'
const directory = useTemporaryDirectory()
const variables = {
  ...offline,
  CUSTOM_CLOUD_PROFILE_PATH: directory.write('profile.json', {
    ...builtInProfiles.get('platform-us-government'),
    authorityHost: nowhere,
    resourceManagerEndpoint: nowhere,
    metadataEndpoint: nowhere,
  }),
  AUTH_MODE: 'clientSecret',
}
const emulator = useService(variables, { start: 'by reload' })

const resolvedApp = () => createApp(createService(variables))

let server: RunningServer
beforeAll(async () => {
  server = await startServer(resolvedApp(), { port: 0, runTimers: false })
})
afterAll(() => server.close())

const functions = new Map(resolvedApp().functions.map(({ path, handle }) => [`/${path}`, toHandler(handle)]))

type Init = { readonly method: string; readonly headers: Record<string, string> }
type Ask = (path: string, init: Init) => Promise<Response>

/** Each takes the same request and gives what a client would see. */
const platforms: Readonly<Record<'server' | 'emulator' | 'functions', Ask>> = {
  server: (path, init) => fetch(server.url + path, init),
  emulator: (path, init) => emulator().request(path, init),
  // The host joins repeated queries before the worker gets them.
  async functions(path, init) {
    const url = new URL(path, 'http://localhost:7071')
    const handler = functions.get(url.pathname)
    if (handler === undefined) throw new RangeError(`No function at ${url.pathname}`)
    const answer =
      (await handler(
        new HttpRequest({ ...init, url: url.href, query: { ...readQuery(url.search) } as Record<string, string> }),
        new InvocationContext({ invocationId: randomUUID() }),
      )) ?? {}
    const { status, headers, body } = new HttpResponse(answer)
    return new Response(init.method === 'HEAD' ? null : body, { status, headers })
  },
}

/** What a connection adds, and the length of a body whose figures differ. */
const ofTheConnection = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** A SHA-256 hash, in base64. */
const hash = /[\w+/]{43}=/g

/** Status, headers and body without times, durations and identifiers: each platform has a separate service. */
async function comparable(response: Response) {
  const headers = [...response.headers].filter(([name]) => !ofTheConnection.has(name))
  const text = await response.text()
  const body = text
    .replaceAll(hash, 'HASH')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/"durationMs":\d+,?/g, '')
    .replaceAll(/\b\d[\d.,:TZe+-]*\b( ms)?/g, (figure) => (figure.endsWith(' ms') ? '' : '0'))
    .replaceAll(/^(nodejs_|process_).*\n/gm, '')
    // Minified in a bundle only.
    .replaceAll(/<(style|script)>[^]*?<\/\1>/g, '')
  const masked = headers.map(([name, value]) => [name, value.replaceAll(hash, 'HASH')])
  return { status: response.status, headers: Object.fromEntries(masked) as object, body }
}

const get = { method: 'GET', headers: {} }
const requests: readonly (readonly [string, string, Init])[] = [
  ...[...functions.keys()].flatMap((path) => [
    [`GET ${path}`, path, get] as const,
    [`HEAD ${path}`, path, { ...get, method: 'HEAD' }] as const,
    [`${path} for another site`, path, { ...get, headers: { 'sec-fetch-site': 'cross-site' } }] as const,
    [`${path} for another origin`, path, { ...get, headers: { origin: 'https://evil.example' } }] as const,
    [`${path} with a repeated query`, `${path}?ready=false&explain=true&EXPLAIN=true&api-version=`, get] as const,
  ]),
  ['GET /api/health?ready', '/api/health?ready', get],
  ['GET /api/diagnostics?explain', '/api/diagnostics?explain=true', get],
  ['OpenMetrics', '/api/metrics', { ...get, headers: { accept: 'application/openmetrics-text' } }],
]

describe('The server, the local emulator and the Functions adapter give the same response', () => {
  test.each(requests)('%s', async (_, path, init) => {
    // Each runs the diagnostics again after 20 s, so for a moment one may show an older run than another: a difference is requested again.
    const differing = async () => {
      const answers = Object.values(platforms).map(async (ask) => comparable(await ask(path, init)))
      const [expected, ...others] = await Promise.all(answers)
      return others.flatMap((other) => (isDeepStrictEqual(other, expected) ? [] : [{ expected, other }]))
    }
    await expect.poll(differing, { timeout: 60_000 }).toEqual([])
  })
})
