import { interleave, median } from './interleave.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { startChild, type Child } from './processes/child.ts'
import type { LoadJob, LoadResult } from './processes/load.ts'
import type { ServerState } from './processes/state-at.ts'

/** A server in its own process. */
export interface Server {
  readonly url: string
  state(): Promise<ServerState>
  stop(): Promise<void>
}

/** @param file One of `processes` that tells its state. */
export async function startServer(
  file: './emulator.ts' | './packaged-server.ts' | './bare-server.ts',
  argument: string,
  env = cleanEnvironment(),
): Promise<Server> {
  const child: Child<{ readonly ask: 'state' }> = startChild(file, [argument], env)
  const state = () => child.ask<ServerState>({ ask: 'state' })
  try {
    const { url } = await state()
    return { url, state, stop: () => child.stop() }
  } catch (error) {
    await child.stop()
    throw error
  }
}

/** Makes requests. */
export type Load = (job: LoadJob) => Promise<LoadResult>

/** What makes the requests: a separate process, so that it and the server do not share a processor. */
export async function withLoad<T>(use: (load: Load) => Promise<T>): Promise<T> {
  const child: Child<LoadJob> = startChild('./load.ts', [], cleanEnvironment())
  try {
    return await use((job) => child.ask<LoadResult>(job))
  } finally {
    await child.stop()
  }
}

/** What one address of one server can do. */
export interface Throughput {
  readonly requestsPerSecond: number
  /** Microseconds of the server's processor time for one request. */
  readonly cpuTime: number
  /** Share of the time in which the server computed: near 1, or it was not the server that was measured. */
  readonly busy: number
}

export const connections = 20

/** Requests of one round. Many short rounds in turns even out what else the machine does. */
export const requestsInARound = 1000
/** Requests to each address before any round: servers get faster for some seconds. */
const warmUpRequests = 12_000

/** Medians of requests to several addresses in turns, each server warmed up before. */
export async function compareThroughput<K extends string>(
  rounds: number,
  targets: Readonly<Record<K, { readonly server: Server; readonly path: string }>>,
): Promise<Record<K, Throughput>> {
  const entries = Object.entries(targets) as [K, { server: Server; path: string }][]
  return withLoad(async (load) => {
    const measure = async ({ server, path }: { server: Server; path: string }): Promise<Throughput> => {
      const before = await server.state()
      const { duration, requestsPerSecond } = await load({
        url: server.url + path,
        amount: requestsInARound,
        connections,
      })
      const used = (await server.state()).cpuTime - before.cpuTime
      return { requestsPerSecond, cpuTime: used / requestsInARound, busy: used / (duration * 1000) }
    }
    for (const [, { server, path }] of entries) {
      await load({ url: server.url + path, amount: warmUpRequests, connections })
    }
    const runs = Object.fromEntries(entries.map(([name, target]) => [name, () => measure(target)]))
    const results = await interleave(rounds, runs as Record<K, () => Promise<Throughput>>)
    const medians = entries.map(([name]) => {
      const of = (key: keyof Throughput) => median(results[name].map((each) => each[key]))
      return [name, { requestsPerSecond: of('requestsPerSecond'), cpuTime: of('cpuTime'), busy: of('busy') }] as const
    })
    return Object.fromEntries(medians) as Record<K, Throughput>
  })
}
