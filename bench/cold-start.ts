import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import type { ColdStart } from './processes/cold-start-probe.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 60
const workerRounds = 30

/** Modules of Node that a worker loads before any app, because it uses gRPC. */
const workerModules = ['http', 'http2', 'https', 'crypto', 'net', 'tls', 'stream', 'events', 'url', 'util', 'zlib']

/** A fresh process that loads the bundle, resolves the profile and registers the functions, against a bundle with one function. */
export async function benchColdStart({ directory, ours, hello }: Apps): Promise<Row[]> {
  const start = await startFresh(directory)
  const fresh = await interleave(rounds, { ours: () => start(ours), hello: () => start(hello) })
  const inWorker = await interleave(workerRounds, {
    ours: () => start(ours, ...workerModules),
    hello: () => start(hello, ...workerModules),
  })
  const row = (measure: string, runs: typeof fresh, key: 'duration' | 'cpuTime' | 'process'): Row => ({
    measure: `cold start: ${measure}`,
    value: median(runs.ours.map((run) => run[key])),
    unit: 'ms',
    reference: { name: 'hello-world', value: median(runs.hello.map((run) => run[key])) },
    n: runs.ours.length,
  })
  return [
    { ...row('load, register and resolve', fresh, 'duration'), target: { atMost: 1.15 }, note },
    row('processor time of the same', fresh, 'cpuTime'),
    row('whole process', fresh, 'process'),
    {
      ...row('load, register and resolve in a worker', inWorker, 'duration'),
      target: { atMost: 1.6 },
      note: workerNote,
    },
    row('processor time of the same', inWorker, 'cpuTime'),
  ]
}

/** A cold start, and the milliseconds of its whole process. */
type Started = ColdStart & { readonly process: number }

type Start = (app: string, ...loadedBefore: readonly string[]) => Promise<Started>

async function startFresh(directory: string): Promise<Start> {
  const probe = await buildProbe(directory)
  return async (app, ...loadedBefore) => {
    const { report, duration: process } = await runProcess([probe, app, ...loadedBefore], cleanEnvironment())
    const coldStart = JSON.parse(report) as ColdStart
    if (coldStart.functions === 0) throw new Error(`${app} registered no function`)
    return { ...coldStart, process }
  }
}

async function buildProbe(directory: string): Promise<string> {
  const outfile = join(directory, 'cold-start-probe.cjs')
  await esbuild.build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    entryPoints: [fileURLToPath(new URL('processes/cold-start-probe.ts', import.meta.url))],
    outfile,
  })
  return outfile
}

const note =
  'Fresh processes in turns. Each measures the require of dist/main.cjs, before which it has loaded nothing. ' +
  'hello-world is bundled with the same esbuild options, without our plugins.'
const workerNote =
  'As in the row above, but the processes have loaded the modules of Node that a worker needs, so that only the code of the bundle is measured.'
