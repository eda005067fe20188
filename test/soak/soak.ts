import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildBundle } from '../../build.ts'
import { faultTable, startEnclave, writeEnclaveFiles, type FaultKind } from 'cloud-profile-enclave/enclave'
import type { DiagnosticsReport } from '../../src/lib/diagnostics/report.ts'
import { createLeakDetector, enclaveSecrets } from '../security/leak/leak-detector.ts'
import { cleanEnvironment } from '../support/environment.ts'
import { runLoad } from './load.ts'
import { countSocketsByPeer, medianOf, sampleProcess, type Sample } from './watch-process.ts'

/**
 * `node scripts/main.ts soak [minutes]`: the built service against the enclave under mixed load, with faults switched on and off at
 * random. It fails on growth of memory, descriptors or connections to one peer, on an unhandled error, on a secret in any output, on an answer of
 * 500, and on a service that is not green 30 seconds after the last fault. SOAK_SEED repeats a run's faults.
 */
const minutes = Number(process.argv[2] ?? 2)
if (!(minutes > 0)) {
  process.stderr.write('minutes must be a positive number\n')
  process.exit(2)
}
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
/**
 * Megabytes and descriptors that a service may hold at the end beyond what it held after it had warmed up. Resident memory grows in steps of
 * 25 MB under this load, while the heap after a full collection stays the same.
 */
const allowedGrowth = { rssMb: 60, descriptors: 12 }
/** Connections to one peer that a service may have open at the end of a fault: one diagnostics run, a token and a timer. */
const mostSockets = 16
/** Milliseconds without a fault in which all must be well again. */
const recoveryMs = 120_000

const problems: string[] = []
const directory = await mkdtemp(join(tmpdir(), 'soak-'))
await buildBundle()
const enclave = await startEnclave()
const files = await writeEnclaveFiles(enclave, directory)
const detector = createLeakDetector(enclaveSecrets(enclave, files))
const leaks = new Set<string>()
const look = (text: string, where: string) => {
  for (const name of detector.find(text)) leaks.add(`${name} in ${where}`)
}

const service = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../src/cli/cloud-profile.ts', import.meta.url)), 'start', '--built'],
  {
    env: cleanEnvironment({
      ...enclave.environment('clientSecret', files),
      PORT: '0',
      PLATFORM_TOKEN_TIMEOUT_MS: '2000',
      PLATFORM_LOG_LEVEL: 'verbose',
      SMOKE_TEST_SCHEDULE: '*/20 * * * * *',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  },
)
let printed = ''
for (const stream of [service.stdout, service.stderr]) {
  stream.setEncoding('utf8').on('data', (text: string) => {
    look(text, 'the log')
    if (/unhandled|uncaught/i.test(text)) problems.push(`the log says: ${text.slice(0, 300)}`)
    printed = (printed + text).slice(-20_000)
  })
}
const exited = once(service, 'exit')
const port = await portOf()

const faults = Object.keys(faultTable) as FaultKind[]
const ending = new AbortController()
const samples: Sample[] = []
/** The most connections to one peer, by fault. */
const sockets = new Map<string, number>()
let switched = 0
const watching = (async () => {
  while (!ending.signal.aborted) {
    const sample = sampleProcess(service.pid ?? 0)
    if (sample !== undefined) samples.push(sample)
    await sleep(1000, undefined, { signal: ending.signal }).catch(() => undefined)
  }
})()
const load = runLoad(port, ending.signal, look)

const end = Date.now() + minutes * 60_000
while (Date.now() < end) {
  await enclave.setFault(undefined)
  let current = 'none'
  if (random() < 0.7) {
    const kind = faults[Math.floor(random() * faults.length)] ?? 'refused'
    current = kind
    const { targets } = faultTable[kind]
    const target = targets[Math.floor(random() * targets.length)]
    await enclave.setFault({ kind }, target)
    switched++
  }
  await sleep(1000 + random() * 4000)
  if (service.exitCode !== null) break
  const most = Math.max(0, ...countSocketsByPeer(service.pid ?? 0, port).values())
  sockets.set(current, Math.max(sockets.get(current) ?? 0, most))
}
await enclave.setFault(undefined)

let unwell: unknown = 'no answer'
const recovered = await recovery()
ending.abort()
await watching
const result = await load
service.kill('SIGTERM')
await exited
await enclave.close()
await rm(directory, { recursive: true, force: true })

const early = medianOf(samples, 0.2, 0.5)
const late = medianOf(samples, 0.8, 1)
if (recovered === undefined) {
  problems.push(`not green ${recoveryMs / 1000} s after the last fault: ${JSON.stringify(unwell)}`)
}
if (late.rssMb > early.rssMb + allowedGrowth.rssMb) problems.push('memory grew')
if (late.descriptors > early.descriptors + allowedGrowth.descriptors) problems.push('descriptors grew')
for (const [fault, most] of sockets) {
  if (most > mostSockets)
    problems.push(`fault ${fault}: ${most} connections to one peer stay open, of at most ${mostSockets}`)
}
problems.push(...[...leaks].map((leak) => `leaked: ${leak}`), ...result.wrong.slice(0, 10))
if (service.exitCode !== 0) problems.push(`the service exited with ${service.exitCode ?? service.signalCode}`)

process.stdout.write(
  `${[
    `seed ${seed}, ${minutes} min, ${result.requests} requests (${JSON.stringify(result.byStatus)}), ${switched} faults`,
    `memory ${early.rssMb} -> ${late.rssMb} MB, descriptors ${early.descriptors} -> ${late.descriptors}`,
    `most connections to one peer: ${Math.max(0, ...sockets.values())}, over ${sockets.size} faults (${[...sockets].map(([fault, most]) => `${fault} ${most}`).join(', ')})`,
    `green after ${recovered ?? '?'} s`,
    ...(problems.length === 0 ? ['clean'] : problems),
  ].join('\n')}\n`,
)
if (problems.length > 0) process.stderr.write(`${printed.slice(-4000)}\n`)
process.exit(problems.length === 0 ? 0 : 1)

async function portOf(): Promise<number> {
  for (let waited = 0; waited < 120_000; waited += 50) {
    const port = /Server running on http:\/\/localhost:(\d+)/.exec(printed)?.[1]
    if (port !== undefined) return Number(port)
    if (service.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${printed}`)
}

/** Seconds until the report is green, or `undefined`. */
async function recovery(): Promise<number | undefined> {
  const started = Date.now()
  while (Date.now() - started < recoveryMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/diagnostics`).catch(() => undefined)
    const { status, checks = [] } = ((await answer?.json()) ?? {}) as Partial<DiagnosticsReport>
    unwell = { status, checks: checks.filter(({ status: each }) => each !== 'pass') }
    if (status === 'ok') return Math.round((Date.now() - started) / 1000)
    await sleep(500)
  }
  return undefined
}

/** The same numbers for the same seed: mulberry32. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
