import { interleave, median } from './interleave.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { startChild, type Child } from './processes/child.ts'
import type { LoadJob, LoadResult } from './processes/load.ts'
import type { ServerState } from './processes/state-at.ts'

/** A server in a separate process. */
export interface Server {
  readonly url: string
  state(): Promise<ServerState>
  stop(): Promise<void>
}

/** @param file A file of `processes` that reports its state. */
export async function startServer(
  file: './emulator.ts' | './packaged-server.ts' | './bare-server.ts',
  argument: string,
  env = cleanEnvironment(),
): Promise<Server> {
  const child: Child<{ readonly request: 'state' }> = startChild(file, [argument], env)
  const state = () => child.request<ServerState>({ request: 'state' })
  try {
    const { url } = await state()
    return { url, state, stop: () => child.stop() }
  } catch (error) {
    await child.stop()
    throw error
  }
}

export type Load = (job: LoadJob) => Promise<LoadResult>

/** Makes requests from a separate process, so that client and server don't share a processor. */
export async function withLoad<T>(use: (load: Load) => Promise<T>): Promise<T> {
  const child: Child<LoadJob> = startChild('./load.ts', [], cleanEnvironment())
  try {
    return await use((job) => child.request<LoadResult>(job))
  } finally {
    await child.stop()
  }
}

/** The figures of one path of a server. */
export interface Throughput {
  /** Microseconds of the server's processor time for one request. */
  readonly cpuTime: number
}

export const connections = 20

/** Rounds are short and in turns, so that other load of the machine affects all servers equally. */
export const requestsInARound = 1000
/** Requests to each server before the first round, because servers get faster in their first seconds. */
const warmUpRequests = 12_000

/** Compares servers by requests in turns, after a warm-up. Returns medians. */
export async function compareThroughput<K extends string>(
  rounds: number,
  targets: Readonly<Record<K, { readonly server: Server; readonly path: string }>>,
): Promise<Record<K, Throughput>> {
  const entries = Object.entries(targets) as [K, { server: Server; path: string }][]
  return withLoad(async (load) => {
    const measure = async ({ server, path }: { server: Server; path: string }): Promise<Throughput> => {
      const before = await server.state()
      await load({ url: server.url + path, amount: requestsInARound, connections })
      return { cpuTime: ((await server.state()).cpuTime - before.cpuTime) / requestsInARound }
    }
    for (const [, { server, path }] of entries) {
      await load({ url: server.url + path, amount: warmUpRequests, connections })
    }
    const runs = Object.fromEntries(entries.map(([name, target]) => [name, () => measure(target)]))
    const results = await interleave(rounds, runs as Record<K, () => Promise<Throughput>>)
    const medians = entries.map(([name]) => [name, { cpuTime: median(results[name].map((each) => each.cpuTime)) }])
    return Object.fromEntries(medians) as Record<K, Throughput>
  })
}
