import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { chunkOf } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { serveApp, useService } from '../support/use-service.ts'

const service = useService(offline)
const health = async () => (await service().request('/api/health')).json()

test('health names the missing variables of the credential from the start, and requests no token itself', async () => {
  const output =
    'CREDENTIAL_SETTING_MISSING: AUTH_MODE clientSecret needs PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, which are not set'
  expect(await health()).toMatchObject({
    status: 'warn',
    checks: {
      token: [{ status: 'warn', output }],
      smokeTest: [{ status: 'pass', output: 'No scheduled run since the start of this process' }],
    },
    version: '2.0.0',
  })
  await service().request('/api/diagnostics')
  expect(await health()).toMatchObject({ status: 'warn', checks: { token: [{ status: 'warn', output }] } })
})

test('readiness loads what a response needs, without any request', async () => {
  const response = await service().request('/api/health?ready')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'warn', version: '2.0.0' })
})

describe('An instance with a lazy chunk that cannot be loaded', () => {
  const directory = useTemporaryDirectory()
  const remove = (path: string) => rmSync(path)
  const keep = (length: (text: string) => number) => (path: string, text: string) =>
    writeFileSync(path, text.slice(0, length(text)))

  test.each<[part: string, fault: string, route: string, happen: (path: string, text: string) => void]>([
    ['diagnostics', 'is missing', '/api/diagnostics', remove],
    ['lint-profile', 'is cut in half', '/api/diagnostics', keep((text) => text.length / 2)],
    ['page', 'lost all but its first words', '/', keep((text) => text.indexOf(';') + 1)],
    ['metrics', 'is empty', '/api/metrics', keep(() => 0)],
  ])('is alive, not ready while %s %s, and heals when it is there again', async (part, _fault, route, happen) => {
    const app = join(directory.path, part)
    cpSync(builtService().deployable, app, { recursive: true })
    const chunk = chunkOf(app, part)
    const text = readFileSync(chunk, 'utf8')
    happen(chunk, text)
    const broken = await serveApp(offline, { directory: app })
    const statuses = async () =>
      Promise.all(['/api/health', '/api/health?ready', route].map(async (path) => (await broken.request(path)).status))
    try {
      expect(await statuses()).toEqual([200, 503, 500])
      writeFileSync(chunk, text)
      expect(await statuses()).toEqual([200, 200, 200])
    } finally {
      await broken.close()
    }
  })
})
