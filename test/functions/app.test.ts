import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offline } from '../support/environment.ts'
import { serveApp, useService, type ServedApp } from '../support/use-service.ts'

const service = useService(offline)
const routes = [
  ['/', 'text/html; charset=utf-8'],
  ['/api/profile', 'application/json'],
  ['/api/diagnostics', 'application/json'],
  ['/api/health', 'application/health+json'],
  ['/api/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
] as const

describe.each(routes)('%s', (path, contentType) => {
  test('GET answers 200 with its content type, never to be stored or sniffed', async () => {
    const response = await service().request(path)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': contentType,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await response.text()).length).toBeGreaterThan(100)
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not listed, so it is 404 with an empty body', async (method) => {
    const response = await service().request(path, { method })
    expect([response.status, await response.text()]).toEqual([404, ''])
  })
})

test('a scrape is answered in the format that it asks for', async () => {
  const response = await service().request('/api/metrics', { headers: { accept: 'application/openmetrics-text' } })
  expect(response.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  expect(await response.text()).toMatch(/# EOF\n$/)
})

test('a path that no function has is 404', async () => {
  for (const path of ['/api', '/api/', '/index.html', '/api/profile/x', '/cloud-profiles/schema.json', '/host.json']) {
    expect([path, (await service().request(path)).status]).toEqual([path, 404])
  }
})

describe('The registered functions', () => {
  test('they are the five routes and the timer', () => {
    const methods = ['GET', 'HEAD']
    expect(service().functions).toEqual([
      { methods, name: 'home', path: '', authLevel: 'function' },
      { methods, name: 'profile', path: 'api/profile', authLevel: 'function' },
      { methods, name: 'diagnostics', path: 'api/diagnostics', authLevel: 'function' },
      { methods, name: 'health', path: 'api/health', authLevel: 'anonymous' },
      { methods, name: 'metrics', path: 'api/metrics', authLevel: 'function' },
    ])
    const schedule = expect.stringMatching(/^\d+ \d+,\d+,\d+,\d+ \* \* \* \*$/) as string
    expect(service().timers).toEqual([{ name: 'smokeTest', schedule }])
  })

  describe('with other settings', () => {
    let other: ServedApp
    beforeAll(async () => {
      other = await serveApp({ ...offline, HTTP_AUTH_LEVEL: 'admin', SMOKE_TEST_SCHEDULE: '0 0 6 * * 1-5' })
    })
    afterAll(() => other.close())

    test('HTTP_AUTH_LEVEL is the level of the three routes, and health stays open', () => {
      const levels = other.functions.map(({ name, authLevel }) => [name, authLevel] as const)
      expect(Object.fromEntries(levels)).toEqual({
        diagnostics: 'admin',
        health: 'anonymous',
        home: 'admin',
        metrics: 'admin',
        profile: 'admin',
      })
    })

    test('SMOKE_TEST_SCHEDULE is the schedule of the timer', () => {
      expect(other.timers).toEqual([{ name: 'smokeTest', schedule: '0 0 6 * * 1-5' }])
    })
  })
})

describe('A request that another site makes a browser send', () => {
  /** Not by `fetch`, which writes these headers itself. */
  const from = async (headers: Record<string, string>, path: string) => {
    const request = get({ host: '127.0.0.1', port: service().port, path, headers: { host: 'localhost', ...headers } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const body = await response.toArray()
    return { status: response.statusCode, type: response.headers['content-type'], text: Buffer.concat(body).toString() }
  }
  const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const script = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

  test.each(routes.map(([path]) => path))('to %s is refused before anything is asked', async (path) => {
    for (const headers of [
      ...[image, script, frame, {}].flatMap((kind) => [
        { ...kind, 'sec-fetch-site': 'cross-site' },
        // Another port of this machine.
        { ...kind, 'sec-fetch-site': 'same-site' },
      ]),
      { 'sec-fetch-site': 'Cross-Site' },
      { 'sec-fetch-site': 'same-origin, cross-site' },
      { 'sec-fetch-site': '' },
      // Browsers that send no other header.
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:1' },
    ]) {
      const response = await from(headers, path)
      expect([headers, response.status]).toEqual([headers, 403])
      expect(response.type).toBe('application/problem+json')
      expect(JSON.parse(response.text)).toMatchObject({ status: 403, code: 'CROSS_SITE_REQUEST' })
    }
  })

  test('is answered only for a link: from elsewhere one to the page itself', async () => {
    for (const [site, path, status] of [
      ['cross-site', '/', 200],
      ['cross-site', '/api/diagnostics', 403],
      ['same-site', '/', 200],
      ['same-site', '/api/diagnostics', 200],
    ] as const) {
      expect((await from({ ...link, 'sec-fetch-site': site }, path)).status).toBe(status)
    }
  })

  test.each(['same-origin', 'none'])('from %s is answered', async (site) => {
    expect((await from({ 'sec-fetch-site': site }, '/api/diagnostics')).status).toBe(200)
  })

  test('is answered from its own origin', async () => {
    const origin = `http://localhost:${service().port}`
    expect((await from({ origin, host: `localhost:${service().port}` }, '/api/health')).status).toBe(200)
  })
})
