import { describe, expect, test } from 'vitest'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import type { WorkerStart } from '../support/use-service.ts'

const open = useEnclaveService()

const trigger = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"input":""}' }

describe('A private certificate authority in a worker', () => {
  test.each<[WorkerStart, string]>([
    ['with its settings', 'read by Node'],
    ['by reload', 'loaded by the service'],
  ])('that starts %s is trusted by every probe, the token and the timer: %s', async (start, status) => {
    const { serve } = await open()
    const service = await serve('clientSecret', {}, { start })
    const report = await diagnose(service)
    expect(report.rootCause).toBeUndefined()
    expect(report.status).toBe('ok')
    expect(report.token.status).toBe('acquired')
    expect(report.runtime.trustStore).toMatchObject({
      sources: ['bundled', 'NODE_EXTRA_CA_CERTS'],
      added: [{ variable: 'NODE_EXTRA_CA_CERTS', status, certificates: 1 }],
    })
    const page = await service.request('/')
    expect(await page.text()).toContain(status)
    await service.request('/admin/functions/smokeTest', trigger)
    const line = await service.logged(({ message }) => message.includes('"event":"smoke-test",'))
    expect(JSON.parse(line.message)).toMatchObject({ status: 'pass' })
  })

  test('that gets its settings by reload is trusted by the discovery of the audience', async () => {
    const { serve } = await open()
    const service = await serve('clientSecret', { PLATFORM_DISCOVER_AUDIENCE: 'true' }, { start: 'by reload' })
    expect((await diagnose(service)).status).toBe('ok')
  })
})
