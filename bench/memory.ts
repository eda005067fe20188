import type { Apps } from './apps.ts'
import { interleave, median } from './interleave.ts'
import { connections, startServer, withLoad, type Load } from './load.ts'
import type { Row } from './row.ts'

const rounds = 2
const requests = 20_000
/** Requests before the comparison, because the heap reaches its working size late. */
const warmUp = 30_000

/** Growth of the resident memory of a server by requests. */
export async function benchMemory({ ours }: Apps): Promise<Row[]> {
  const runs = await withLoad((load) => interleave(rounds, { profile: () => observe(load, ours, '/api/profile') }))
  const of = (key: 'warm' | 'served') => median(runs.profile.map((run) => run[key]))
  return [
    {
      measure: `resident memory after ${show(warmUp + requests)} requests`,
      value: of('served'),
      unit: 'MB',
      reference: { name: `after ${show(warmUp)}`, value: of('warm') },
      atMost: 1.1,
      n: rounds,
      note: 'The local emulator and the bundle in one process, without forced garbage collection.',
    },
  ]
}

async function observe(load: Load, app: string, path: string) {
  const server = await startServer('./emulator.ts', app)
  const after = async (amount: number) => {
    await load({ url: server.url + path, amount, connections })
    return (await server.state()).residentMemory / 1_000_000
  }
  try {
    return { warm: await after(warmUp), served: await after(requests) }
  } finally {
    await server.stop()
  }
}

const show = (count: number) => count.toLocaleString('en')
