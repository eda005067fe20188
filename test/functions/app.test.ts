import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/functions/app.ts'
import { createService } from '../../src/lib/service/service.ts'
import { offline } from '../support/environment.ts'
import { useService } from '../support/use-service.ts'
import { callerOf } from './call.ts'

const service = useService(offline)
const routes = [
  ['/', 'text/html; charset=utf-8'],
  ['/api/profile', 'application/json'],
  ['/api/diagnostics', 'application/json'],
  ['/api/health', 'application/health+json'],
  ['/api/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
] as const

describe.each(routes)('%s', (path, contentType) => {
  test('GET returns 200 with its content type, never to be stored or sniffed', async () => {
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

  test('a method that is not listed gets 404 with an empty body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await service().request(path, { method })
      expect([response.status, await response.text()]).toEqual([404, ''])
    }
  })
})

test('a scrape gets the format that it accepts', async () => {
  const response = await service().request('/api/metrics', { headers: { accept: 'application/openmetrics-text' } })
  expect(response.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
  expect(await response.text()).toMatch(/# EOF\n$/)
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
      ...['cross-site', 'same-site'].flatMap((site) =>
        [image, script, frame, {}].map((kind) => ({ ...kind, 'sec-fetch-site': site })),
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
