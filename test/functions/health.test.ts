import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtService } from '../support/build.ts'
import { offline } from '../support/environment.ts'
import { chunkOf } from '../support/project-copy.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { serveApp, useService } from '../support/use-service.ts'

const service = useService(offline)
const health = async () => (await service().request('/api/health')).json()

test('health says what is known before and after a token was asked for, and asks for none itself', async () => {
  expect(await health()).toEqual({
    status: 'warn',
    description: 'Cloud profile platform-us-gov-secret',
    checks: {
      profile: [{ status: 'warn', output: 'platform-us-gov-secret' }],
      token: [],
      lastCheck: [],
      smokeTest: [],
    },
    version: '1.0.0',
  })
  await health()
  expect(await health()).toMatchObject({ checks: { token: [] } })
  await service().request('/api/diagnostics')
  expect(await health()).toMatchObject({
    status: 'warn',
    checks: { token: [{ status: 'warn', output: 'CREDENTIAL_SETTING_MISSING' }] },
  })
})

test('readiness loads what an answer needs, and asks nobody', async () => {
  const response = await service().request('/api/health?ready')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'warn', version: '1.0.0' })
})

describe('An instance whose lazy chunk cannot be loaded', () => {
  const directory = useTemporaryDirectory()

  test('is alive but not ready, and ready once the chunk is there again', async () => {
    const app = join(directory.path, 'app')
    cpSync(builtService().deployable, app, { recursive: true })
    const chunk = chunkOf(app, 'diagnostics')
    renameSync(chunk, `${chunk}.gone`)
    const broken = await serveApp(offline, app)
    const statusOf = async (path: string) => (await broken.request(path)).status
    try {
      expect([await statusOf('/api/health'), await statusOf('/api/health?ready')]).toEqual([200, 503])
      renameSync(`${chunk}.gone`, chunk)
      expect(await statusOf('/api/health?ready')).toBe(200)
    } finally {
      await broken.close()
    }
  })
})
