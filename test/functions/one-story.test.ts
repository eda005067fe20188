import { describe, expect, test } from 'vitest'
import type { Fault, FaultTarget } from 'cloud-profile-enclave/enclave'
import type { HealthReport } from '../../src/lib/service/health-report.ts'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import type { ServedApp } from '../support/use-service.ts'

const open = useEnclaveService()

async function runTimer(service: ServedApp): Promise<void> {
  const body = '{"input":""}'
  await service.request('/admin/functions/smokeTest', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  await service.logged(({ message }) => message.includes('"event":"smoke-test",'))
}

/** What the page, health, the report and the last scheduled run say of the same moment. */
async function told(service: ServedApp) {
  const page = await (await service.request('/')).text()
  const health = await service.request('/api/health')
  const { status } = (await health.json()) as HealthReport
  const { status: report, smokeTest } = await diagnose(service)
  const verdict = /<title>(\w+)/.exec(page)?.[1]
  const schedule = />(passed|passed, with warnings|failed)<\/span>/.exec(
    page.slice(page.indexOf('<details class="schedule"')),
  )?.[1]
  return { verdict, report, health: `${health.status} ${status}`, smokeTest: smokeTest?.status, schedule }
}

describe('verdict, health and schedule tell one story', () => {
  test.each<[state: string, fault: Fault | undefined, target: FaultTarget | undefined, story: object]>([
    [
      'nothing is wrong',
      undefined,
      undefined,
      { verdict: 'OK', report: 'ok', health: '200 pass', smokeTest: 'pass', schedule: 'passed' },
    ],
    [
      'there is no token',
      { kind: 'refused' },
      'login',
      { verdict: 'Failed', report: 'failed', health: '200 warn', smokeTest: 'fail', schedule: 'failed' },
    ],
  ])('when %s', async (_state, fault, target, story) => {
    const { serve, enclave } = await open()
    await enclave.setFault(fault, target)
    const service = await serve('clientSecret')
    await runTimer(service)
    expect(await told(service)).toEqual(story)
  })

  test('when a person has to sign in', async () => {
    const { serve } = await open()
    const service = await serve('deviceCode')
    await service.request('/')
    expect(await told(service)).toMatchObject({ verdict: 'Waiting', report: 'pending', health: '200 warn' })
  })
})
