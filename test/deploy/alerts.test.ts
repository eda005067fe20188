import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { FaultChoice, FaultTarget } from '../../src/enclave/enclave.ts'
import { startPrometheus } from '../support/prometheus.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { diagnose, useEnclaveService } from '../support/serve-enclave.ts'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import type { ServedApp } from '../support/use-service.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
if (!hasPrometheus) process.stderr.write('SKIPPED: there is no prometheus here (Debian: the package prometheus)\n')

const open = useEnclaveService()
const temp = useTemporaryDirectory()

/** The durations of the rules are divided by this: 5 minutes become one second. Expressions, with their ranges, stay as they are. */
const factor = 300
const rules = readFileSync(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')
const shortened = rules.replaceAll(/\bfor: (\d+)([mh])$/gm, (_, figure: string, unit: string) => {
  const seconds = Number(figure) * (unit === 'h' ? 3600 : 60)
  return `for: ${Math.max(1, Math.round(seconds / factor))}s`
})

/** A fault of one service, and the alerts that it must fire, with the endpoint where they name one. */
const faults: readonly {
  readonly fault: FaultChoice
  readonly target: FaultTarget
  readonly runsTimer?: true
  readonly alerts: readonly string[]
}[] = [
  {
    fault: { kind: 'refused' },
    target: 'login',
    alerts: ['CloudProfileEndpointFailing authority', 'CloudProfileFailing', 'CloudProfileTokenFailing'],
  },
  {
    fault: { kind: 'refused' },
    target: 'resource-manager',
    // Its metadata is on the same host.
    alerts: [
      'CloudProfileEndpointFailing resource-manager',
      'CloudProfileFailing',
      'CloudProfileServiceFailing metadata',
    ],
  },
  {
    fault: { kind: 'clock-skew', seconds: 900 },
    target: 'login',
    alerts: ['CloudProfileClockSkew', 'CloudProfileFailing'],
  },
  {
    fault: { kind: 'untrusted-ca' },
    target: 'login',
    runsTimer: true,
    alerts: [
      'CloudProfileEndpointFailing authority',
      'CloudProfileFailing',
      'CloudProfileScheduledRunFailing',
      'CloudProfileTokenFailing',
    ],
  },
]

const trigger = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"input":""}' }

async function runTimer(service: ServedApp): Promise<void> {
  const before = service.logs.length
  await service.request('/admin/functions/smokeTest', trigger)
  await service.logged((line) => service.logs.indexOf(line) >= before && line.message.includes('"event":"smoke-test",'))
}

test.runIf(hasPrometheus)(
  'Under a real Prometheus the alerts of five faults fire, and resolve after the repair',
  async () => {
    const broken = await Promise.all(
      faults.map(async (row) => {
        const { enclave, serve } = await open()
        await enclave.setFault(row.fault, row.target)
        const service = await serve('clientSecret')
        await diagnose(service)
        if (row.runsTimer) await runTimer(service)
        return { ...row, enclave, service, instance: `127.0.0.1:${service.port}` }
      }),
    )
    // The fifth fault: nothing listens where the service should be.
    const healthy = await (await open()).serve('clientSecret')
    await diagnose(healthy)
    const ports = [9]
    const dead = await startRoundRobin(ports)
    onTestFinished(() => dead.close())
    const prometheus = await startPrometheus({
      targets: [...broken.map(({ instance }) => instance), `127.0.0.1:${healthy.port}`, `127.0.0.1:${dead.port}`],
      rules: [temp.write('alerts.yaml', shortened)],
    })
    onTestFinished(() => prometheus.close())

    /** What fires, by instance. */
    const firing = async () => {
      const series = await prometheus.query('ALERTS{alertstate="firing"}')
      const found: Record<string, readonly string[]> = {}
      for (const { metric } of series) {
        const { instance = '', alertname = '', target } = metric
        const name = target === undefined ? alertname : `${alertname} ${target}`
        found[instance] = [...new Set([...(found[instance] ?? []), name])].toSorted()
      }
      return found
    }
    const expected = Object.fromEntries(broken.map(({ instance, alerts }) => [instance, alerts]))
    await expect
      .poll(firing, { interval: 500 })
      .toEqual({ ...expected, [`127.0.0.1:${dead.port}`]: ['CloudProfileDown'] })

    ports[0] = healthy.port
    await Promise.all(broken.map(async ({ enclave }) => enclave.setFault(undefined)))
    const repaired = async () => {
      // A scrape starts a run once a minute; a reader of the report gets one 20 seconds after a failure.
      for (const { service } of broken) await diagnose(service)
      return firing()
    }
    const isLeft = (found: Readonly<Record<string, readonly string[]>>) => Object.values(found).flat()
    await expect
      .poll(async () => isLeft(await repaired()).filter((name) => name !== 'CloudProfileScheduledRunFailing'), {
        interval: 1000,
      })
      .toEqual([])
    for (const { runsTimer: runs, service } of broken) if (runs) await runTimer(service)
    await expect.poll(firing, { interval: 500 }).toEqual({})
  },
)
