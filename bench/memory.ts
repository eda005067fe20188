import type { Apps } from './apps.ts'
import { interleave, median } from './interleave.ts'
import { connections, startServer, withLoad, type Load } from './load.ts'
import type { Row } from './row.ts'

const rounds = 3
const requests = 20_000
/** Requests before the comparison, because the heap reaches its working size late. */
const warmUp = 30_000

interface Memory {
  readonly started: number
  readonly firstRequests: number
  readonly warm: number
  readonly served: number
}

/** Resident memory of a server after its start, and its growth by requests. */
export async function benchMemory({ ours, hello }: Apps): Promise<Row[]> {
  const { profile, plain } = await withLoad((load) =>
    interleave(rounds, {
      profile: () => observe(load, ours, '/api/profile'),
      plain: () => observe(load, hello, '/api/hello'),
    }),
  )
  const of = (runs: readonly Memory[], key: keyof Memory) => median(runs.map((run) => run[key]))
  const row = (measure: string, key: keyof Memory, rest: Partial<Row>): Row => ({
    measure: `resident memory ${measure}`,
    value: of(profile, key),
    unit: 'MB',
    n: rounds,
    ...rest,
  })
  const helloWorld = (key: keyof Memory) => ({ reference: { name: 'hello-world', value: of(plain, key) } })
  return [
    row('after the start', 'started', { ...helloWorld('started'), note }),
    row(`after ${show(requests)} requests`, 'firstRequests', helloWorld('firstRequests')),
    row(`after ${show(warmUp + requests)} requests`, 'served', {
      reference: { name: `after ${show(warmUp)}`, value: of(profile, 'warm') },
      target: { atMost: 1.1 },
    }),
  ]
}

async function observe(load: Load, app: string, path: string): Promise<Memory> {
  const server = await startServer('./emulator.ts', app)
  const megabytes = async () => (await server.state()).residentMemory / 1_000_000
  const after = async (amount: number) => {
    await load({ url: server.url + path, amount, connections })
    return megabytes()
  }
  try {
    const started = await megabytes()
    const firstRequests = await after(requests)
    return { started, firstRequests, warm: await after(warmUp - requests), served: await after(requests) }
  } finally {
    await server.stop()
  }
}

const show = (count: number) => count.toLocaleString('en')

const note =
  'The emulator and the bundle in one process, which reports its resident set, without forced garbage collection and without a heap limit. ' +
  `Growth counts after the first ${show(warmUp)} requests, because these bring the heap to its working size, with hello-world too.`
