import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { residentMemory, startPackaged } from './packaged.ts'
import { startChild } from './processes/child.ts'
import type { ConnectionKind, ConnectionsJob } from './processes/connections.ts'
import type { Row } from './row.ts'

const kinds: readonly ConnectionKind[] = ['idle', 'slow to send', 'slow to read', 'garbage']
const counts = [1000, 10_000]
const probes = 10
/** Milliseconds between liveness probes. */
const interval = 300

/** `cloud-profile serve` while many useless connections are open: the slowest liveness probe and memory. */
export async function benchConnections({ packaged }: Apps): Promise<Row[]> {
  const rows: Row[] = []
  for (const kind of kinds) {
    for (const count of counts) rows.push(...(await observe(packaged, { kind, count, isSpread: count > 1000 })))
  }
  return rows
}

async function observe(packaged: string, job: Omit<ConnectionsJob, 'port'>): Promise<Row[]> {
  const server = await startPackaged(packaged)
  const load = startChild<ConnectionsJob>('./connections.ts', [], cleanEnvironment())
  const { port } = server
  try {
    const opening = load.request({ ...job, port })
    let slowest = 0
    let memory = 0
    for (let probe = 0; probe < probes; probe++) {
      slowest = Math.max(slowest, await probeLiveness(port))
      memory = Math.max(memory, await residentMemory(server.pid))
      await sleep(interval)
    }
    await opening
    const { kind, count, isSpread } = job
    const measure = `${count.toLocaleString('en')} connections, ${kind}${isSpread ? ', from many addresses' : ''}`
    const isUnread = kind === 'slow to read'
    const memoryRow = { value: memory, unit: 'MB', atMost: isUnread ? 340 : 268, n: probes, note } as const
    const livenessRow = { value: slowest, unit: 'ms', atMost: 1000, n: probes, note } as const
    return [
      ...(isUnread ? [] : [{ measure: `${measure}: slowest liveness probe`, ...livenessRow }]),
      { measure: `${measure}: resident memory`, ...memoryRow },
    ]
  } finally {
    await Promise.all([load.stop(), server.stop()])
  }
}

/** Milliseconds until the server has responded; `Infinity` without a response. */
function probeLiveness(port: number): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path: '/admin/host/ping', agent: false, timeout: 10_000 }
    const request = get(options, (response) => {
      response.resume()
      resolve(performance.now() - began)
    })
    request.once('timeout', () => request.destroy(new Error('no response')))
    request.once('error', () => resolve(Infinity))
  })
}

const note =
  'The largest of ten values, measured from the first connection. A connection that the server closes is opened again a second later. ' +
  'Each row has a separate server. Connections that are slow to read request sixty pages at once. Their liveness probes have no bound: ' +
  'the server is busy with thousands of pages, and an ingress in front of it reads them.'
