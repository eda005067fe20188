import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Apps } from './apps.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { interleave, median } from './interleave.ts'
import type { ColdStart } from './processes/cold-start-probe.ts'
import { runProcess } from './processes/run-process.ts'
import type { Row } from './row.ts'

const rounds = 50
const workerRounds = 50

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
  const row = (measure: string, runs: typeof fresh, atMost: number, note: string): Row => ({
    measure: `cold start: ${measure}`,
    value: median(runs.ours.map((run) => run.duration)),
    unit: 'ms',
    reference: { name: 'hello-world', value: median(runs.hello.map((run) => run.duration)) },
    atMost,
    n: runs.ours.length,
    note,
  })
  return [
    row('load, register and resolve in a fresh process', fresh, 1.35, note),
    row('load, register and resolve in a worker', inWorker, 2, workerNote),
  ]
}

type Start = (app: string, ...loadedBefore: readonly string[]) => Promise<ColdStart>

async function startFresh(directory: string): Promise<Start> {
  const probe = await buildProbe(directory)
  return async (app, ...loadedBefore) => {
    const { report } = await runProcess([probe, app, ...loadedBefore], cleanEnvironment())
    const coldStart = JSON.parse(report) as ColdStart
    if (coldStart.functions === 0) throw new Error(`${app} registered no function`)
    return coldStart
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
