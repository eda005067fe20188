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

test('health names the missing variables of the credential from the start, and asks for no token itself', async () => {
  const output =
    'CREDENTIAL_SETTING_MISSING: AUTH_MODE clientSecret needs PLATFORM_TENANT_ID, PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, which are not set'
  expect(await health()).toEqual({
    status: 'warn',
    description: 'Cloud profile platform-us-gov-secret',
    checks: {
      profile: [{ status: 'warn', output: 'platform-us-gov-secret' }],
      token: [{ status: 'warn', output }],
      diagnostics: [],
      smokeTest: [{ status: 'pass', output: 'No scheduled run since the start of this process' }],
    },
    version: '1.0.0',
  })
  await service().request('/api/diagnostics')
  expect(await health()).toMatchObject({ status: 'warn', checks: { token: [{ status: 'warn', output }] } })
})

test('readiness loads what an answer needs, and asks nobody', async () => {
  const response = await service().request('/api/health?ready')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'warn', version: '1.0.0' })
})

describe('An instance with a lazy chunk that cannot be loaded', () => {
  const directory = useTemporaryDirectory()
  const faults: Readonly<Record<string, (path: string, text: string) => void>> = {
    'is missing': (path) => rmSync(path),
    'is cut in half': (path, text) => writeFileSync(path, text.slice(0, text.length / 2)),
    'lost all but its first words': (path, text) => writeFileSync(path, text.slice(0, text.indexOf(';') + 1)),
    'is empty': (path) => writeFileSync(path, ''),
  }
  const routes = {
    diagnostics: '/api/diagnostics',
    'lint-profile': '/api/diagnostics',
    page: '/',
    metrics: '/api/metrics',
  }

  test.each(Object.entries(routes))('is alive, not ready, and heals when %s is there again', async (part, route) => {
    const app = join(directory.path, part)
    cpSync(builtService().deployable, app, { recursive: true })
    const chunk = chunkOf(app, part)
    const text = readFileSync(chunk, 'utf8')
    for (const [fault, happen] of Object.entries(faults)) {
      happen(chunk, text)
      const broken = await serveApp(offline, { directory: app })
      const statuses = async () =>
        Promise.all(
          ['/api/health', '/api/health?ready', route].map(async (path) => (await broken.request(path)).status),
        )
      try {
        expect([fault, ...(await statuses())]).toEqual([fault, 200, 503, 500])
        writeFileSync(chunk, text)
        expect([fault, ...(await statuses())]).toEqual([fault, 200, 200, 200])
      } finally {
        await broken.close()
      }
    }
  })
})
