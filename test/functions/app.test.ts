import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp, visibleReport } from '../../src/functions/app.ts'
import { servicesOf } from '../../src/lib/clouds/known-clouds.ts'
import { resolveCloudProfile } from '../../src/lib/cloud.ts'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import type { Warning } from '../../src/lib/errors.ts'
import { explainProfile } from '../../src/lib/profile/resolve-cloud-profile.ts'
import { createService } from '../../src/lib/service/service.ts'
import { offline } from '../support/environment.ts'
import { unreachableDocument } from '../support/profile-document.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { useEnclave } from '../support/use-enclave.ts'
import { useService } from '../support/use-service.ts'
import { callerOf } from './call.ts'
import { httpFunction, logTo } from '../../src/functions/http-function.ts'

const service = useService(offline)
const directory = useTemporaryDirectory()
afterEach(() => vi.restoreAllMocks())

const routes = [
  ['/', 'text/html; charset=utf-8'],
  ['/api/profile', 'application/json'],
  ['/api/diagnostics', 'application/json'],
  ['/api/health', 'application/health+json'],
  ['/api/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
] as const

test.each(routes)('GET %s is 200 as %s, never to be stored or sniffed; other methods are 404', async (path, type) => {
  const response = await service().request(path)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect((await response.text()).length).toBeGreaterThan(100)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const refused = await service().request(path, { method })
    expect([refused.status, await refused.text()]).toEqual([404, ''])
  }
})

test('a scrape gets the format that it accepts', async () => {
  const response = await service().request('/api/metrics', { headers: { accept: 'application/openmetrics-text' } })
  expect(response.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  expect(await response.text()).toMatch(/# EOF\n$/)
})

describe('The registered functions', () => {
  test('are the five routes and the timer', () => {
    const methods = ['GET', 'HEAD']
    expect(service().functions).toEqual([
      { methods, name: 'home', path: '', authLevel: 'function' },
      { methods, name: 'profile', path: 'api/profile', authLevel: 'function' },
      { methods, name: 'diagnostics', path: 'api/diagnostics', authLevel: 'function' },
      { methods, name: 'health', path: 'api/health', authLevel: 'anonymous' },
      { methods, name: 'metrics', path: 'api/metrics', authLevel: 'function' },
    ])
    expect(service().timers).toEqual([{ name: 'smokeTest', schedule: /^\d+ \d+,\d+,\d+,\d+ \* \* \* \*$/ }])
  })

  test('HTTP_AUTH_LEVEL is the level of all but health, and SMOKE_TEST_SCHEDULE the schedule of the timer', () => {
    const env = { ...offline, HTTP_AUTH_LEVEL: 'admin', SMOKE_TEST_SCHEDULE: '0 0 6 * * 1-5' }
    const { functions, timers } = createApp(createService(env))
    const open = functions.filter(({ authLevel }) => authLevel !== 'admin')
    expect(open.map(({ name, authLevel }) => [name, authLevel])).toEqual([['health', 'anonymous']])
    expect(timers).toMatchObject([{ name: 'smokeTest', schedule: '0 0 6 * * 1-5' }])
  })
})

describe('A request that another site makes a browser send', () => {
  const call = callerOf(offline)
  const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const script = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

  test.each(routes.map(([path]) => path))('to %s is refused before anything is requested', async (path) => {
    for (const headers of [
      // Another port of this machine is the same site.
      ...[image, script, frame, {}].flatMap((kind) =>
        ['cross-site', 'same-site'].map((site) => ({ ...kind, 'sec-fetch-site': site })),
      ),
      ...['Cross-Site', 'same-origin, cross-site', ''].map((site) => ({ 'sec-fetch-site': site })),
      // Browsers that send no other header.
      ...['null', 'https://evil.example', 'http://localhost:1'].map((origin) => ({ origin })),
    ]) {
      const response = await call(path, headers)
      expect([headers, response?.status, response?.type]).toEqual([headers, 403, 'application/problem+json'])
      expect(response?.json()).toMatchObject({ status: 403, code: 'CROSS_SITE_REQUEST' })
    }
  })

  test.each([
    ['a link elsewhere to the page', { ...link, 'sec-fetch-site': 'cross-site' }, '/', 200],
    ['a link elsewhere to data', { ...link, 'sec-fetch-site': 'cross-site' }, '/api/diagnostics', 403],
    ['a link of the same site to data', { ...link, 'sec-fetch-site': 'same-site' }, '/api/diagnostics', 200],
    ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }, '/api/diagnostics', 200],
    ['a typed address', { 'sec-fetch-site': 'none' }, '/api/diagnostics', 200],
    ['the same origin', { origin: 'http://localhost:1', host: 'localhost:1' }, '/api/health', 200],
  ])('from %s: %j to %s gets %i', async (_, headers, path, status) => {
    expect((await call(path, { ...headers }))?.status).toBe(status)
  })
})

describe('home', () => {
  const running = useEnclave()

  test('a browser that shows the page already learns so by its tag, until the verdict changes', async () => {
    const { cloud: enclave, files } = running
    const call = callerOf(enclave.environment('clientSecret', files))
    const get = async (known?: string) => {
      const response = await call('/', known === undefined ? {} : { 'if-none-match': known })
      return { status: response?.status, etag: response?.headers['etag'] ?? '', html: response?.body ?? '' }
    }
    // The second page says that its token is from the cache.
    await get()
    const shown = await get()
    expect(shown.html).toContain(`data-etag="${shown.etag.replaceAll('"', '&quot;')}"`)
    expect(await get(shown.etag)).toEqual({ status: 304, etag: shown.etag, html: '' })
    // As a page sends that met several instances.
    expect((await get(`"another", ${shown.etag}`)).status).toBe(304)
    await enclave.setFault({ kind: 'refused' }, 'resource-manager')
    const monotonic = performance.now.bind(performance)
    // The cached report is older than a minute then.
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + 61_000)
    expect(await get(shown.etag)).toMatchObject({ status: 200, html: /<title>Failed/ })
  })
})

describe('GET /api/profile', () => {
  const env = { ...offline, PLATFORM_STORAGE_DNS_SUFFIX: '.blob.real.invalid', PLATFORM_TENANT_ID: 'real.example' }
  const call = callerOf(env)
  const resolved = resolveCloudProfile({ env })

  test('is the whole resolved profile in its order, and a custom file of the same profile', async () => {
    const response = await call('/api/profile')
    expect(response?.json()).toEqual(resolved)
    expect(Object.keys(response?.json() as object)).toEqual(Object.keys(resolved))
    const saved = directory.write('saved.json', response?.body)
    const { profile, warnings } = explainProfile({ customProfilePath: saved, env: {} })
    expect(profile).toEqual(resolved)
    expect(servicesOf(profile)).toEqual(servicesOf(resolved))
    const codesOf = (all: readonly Warning[]) => all.map(({ code }) => code)
    expect(codesOf(warnings)).toEqual(codesOf(explainProfile({ env }).warnings))
  })
})

describe('GET /api/diagnostics', () => {
  const call = callerOf({ ...offline, PLATFORM_STORAGE_DNS_SUFFIX: '.blob.real.invalid' })
  const reportOf = async (query = '') => (await call(`/api/diagnostics${query}`))?.json() as DiagnosticsReport

  test('is a failed report, not an HTTP error, which names the placeholders and contacts no host of them', async () => {
    const name = 'platform-us-gov-secret'
    const message =
      'This profile contains placeholders; replace authorityHost, resourceManagerEndpoint, serviceDnsSuffixes.storage, serviceDnsSuffixes.keyVault, serviceDnsSuffixes.sqlServer, serviceDnsSuffixes.containerRegistry'
    const report = await reportOf()
    expect(report).toMatchObject({
      status: 'failed',
      checkedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      cloud: { name, placeholder: true, source: { kind: 'built-in', name }, selectedBy: 'PLATFORM_CLOUD' },
      token: { status: 'failed', error: { code: 'PLACEHOLDER_PROFILE', message } },
    })
    expect(report.cloud.overrides).toEqual(['PLATFORM_STORAGE_DNS_SUFFIX'])
    const commands = expect.objectContaining({ length: 6 }) as object
    expect(report.warnings).toContainEqual({ code: 'PLACEHOLDER_FIELD', message: /authorityHost/, commands })
    const contacted = report.checks.filter(({ id, status }) => id !== 'token.acquired' && status !== 'skip')
    expect(contacted).toEqual([])
  })

  test('?explain=true adds the origin of every field, and nothing else does', async () => {
    const { fields } = await reportOf('?explain=true')
    const built = { by: 'profile', from: 'built-in platform-us-gov-secret' }
    expect(fields?.['authorityHost']).toMatchObject(built)
    expect(fields?.['serviceDnsSuffixes.storage']).toEqual({
      value: '.blob.real.invalid',
      by: 'variable',
      from: 'PLATFORM_STORAGE_DNS_SUFFIX',
      overridden: [{ ...built, value: '.blob.secret.placeholder.invalid' }],
    })
    for (const query of ['', '?explain', '?explain=false', '?explain=1', '?Explain=true'])
      expect(await reportOf(query)).not.toHaveProperty('fields')
  })

  test('of a custom file names the file, and the overrides that it does not use', async () => {
    const path = directory.write('custom.json', unreachableDocument())
    const env = { CUSTOM_CLOUD_PROFILE_PATH: path, PLATFORM_AUTHORITY_HOST: 'https://unused.example/' }
    const report = (await callerOf({ ...offline, ...env })('/api/diagnostics'))?.json() as DiagnosticsReport
    expect(report.cloud).toMatchObject({ source: { kind: 'file', path }, overrides: [] })
    expect(report.warnings).toContainEqual({ code: 'OVERRIDE_UNUSED', message: /PLATFORM_AUTHORITY_HOST/ })
  })

  test('shows a pending code with a key, and hides it with anonymous access', () => {
    const signIn = { userCode: 'ABCD', verificationUri: 'https://login.test/device', expiresOn: '' }
    const waiting = { status: 'pending', token: { status: 'pending', signIn } } as unknown as DiagnosticsReport
    for (const httpAuthLevel of ['function', 'admin'] as const)
      expect(visibleReport(waiting, { httpAuthLevel })).toBe(waiting)
    const report = visibleReport(waiting, { httpAuthLevel: 'anonymous' })
    expect(report).toEqual({ status: 'pending', token: { status: 'pending' } })
  })
})

const context = (log: (level: string, line: string) => void) => ({ log })

describe('A line of log', () => {
  test.each(['info', 'warning', 'error'] as const)('of the level %s is one JSON object', (level) => {
    const lines: [string, string][] = []
    logTo(context((...line) => lines.push(line)))({ level, event: 'token', status: 'acquired' })
    const [[at, line] = ['', '']] = lines
    const expected = { time: /^\d{4}-.*Z$/, level, version: '2.0.0', event: 'token', status: 'acquired' }
    expect([at, JSON.parse(line)]).toEqual([level, expected])
  })

  test.each(['\n', '\u001b[2K', '\u2028', '\u202e', '\u200b', '\u0000'])(
    'shows %j as an escape in any field',
    (hidden) => {
      const lines: string[] = []
      const log = logTo(context((_level, line) => lines.push(line)))
      log(`library${hidden}`)
      log({ level: 'error', event: 'token', profile: `p${hidden}`, message: `m${hidden}` })
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(JSON.parse(lines[1] ?? '')).toMatchObject({ profile: `p${hidden}`, message: `m${hidden}` })
    },
  )

  test('that cannot be written stops nothing', () => {
    const broken = context(() => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    })
    expect(() => logTo(broken)({ level: 'error', event: 'token' })).not.toThrow()
  })
})

test.each([
  [Object.assign(new Error('open /secret'), { code: 'EMFILE' }), 'PROCESS_RESOURCES_EXHAUSTED', '(EMFILE)'],
  [Object.assign(new TypeError('/secret'), { code: 'MODULE_NOT_FOUND' }), 'UNEXPECTED', 'TypeError (MODULE_NOT_FOUND)'],
  [new Error('/secret'), 'UNEXPECTED', 'Error'],
  ['/secret', 'UNEXPECTED', 'unknown'],
])(
  'an error of a function (%s) is a 500 with a code; the log has its name and number, not its text',
  async (thrown, code, reason) => {
    const { handle } = httpFunction({
      name: 'f',
      path: 'f',
      authLevel: 'anonymous',
      openApi: { summary: '', responses: {} },
      handle: () => Promise.reject(thrown),
    })
    const lines: string[] = []
    const request = { method: 'GET', url: 'http://x/f', headers: {}, query: {} }
    const { status, headers, body } = await handle(request, { id: '1', log: (_level, line) => lines.push(line) })
    expect([status, JSON.parse(String(body))]).toMatchObject([500, { code, instance: '1' }])
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    expect(JSON.parse(lines.join(''))).toMatchObject({ code, message: expect.stringContaining(reason) as string })
    expect(lines.join('') + String(body)).not.toContain('secret')
  },
)

test('a line of the credential library is one JSON object at level info, because the Functions host drops its debug level', () => {
  const lines: [string, string][] = []
  logTo(context((...line) => lines.push(line)))('azure:identity:info a\nb "c"')
  expect(lines).toEqual([['info', expect.not.stringContaining('\n')]])
  const message = 'azure:identity:info a\nb "c"'
  expect(JSON.parse(lines[0]?.[1] ?? '')).toMatchObject({ level: 'verbose', event: 'library', message })
})
