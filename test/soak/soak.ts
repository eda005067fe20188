import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildBundle } from '../../build.ts'
import { faultTable, startEnclave, writeEnclaveFiles, type FaultKind } from 'cloud-profile-enclave/enclave'
import { createLeakDetector, enclaveSecrets } from '../security/leak/leak-detector.ts'
import { cleanEnvironment } from '../support/environment.ts'

/**
 * `node test/soak/soak.ts`: the built service against the enclave under mixed load, with one fault after the other. It fails if memory or
 * descriptors grow, an error is unhandled, an output contains a secret, a response has a status of 500 or more, or the service is not OK two
 * minutes after the last fault. Linux only.
 */
const minutes = 2

/** From a warm service to the end. Resident memory grows in steps of 25 MB under this load, and the heap after a full collection does not. */
const allowedGrowth = { megabytes: 60, descriptors: 12 }
const recoveryMs = 120_000

const problems = new Set<string>()
const directory = mkdtempSync(join(tmpdir(), 'soak-'))
await buildBundle()
const enclave = await startEnclave()
const files = await writeEnclaveFiles(enclave, directory)
const detector = createLeakDetector(enclaveSecrets(enclave, files))
const search = (text: string, where: string) => {
  for (const name of detector.find(text)) problems.add(`leaked: ${name} in ${where}`)
}

const entry = fileURLToPath(new URL('../../scripts/main.ts', import.meta.url))
const settings = { PORT: '0', PLATFORM_TOKEN_TIMEOUT_MS: '2000', PLATFORM_LOG_LEVEL: 'verbose' }
const schedule = { SMOKE_TEST_SCHEDULE: '*/20 * * * * *' }
const service = spawn(process.execPath, [entry, 'start', '--built'], {
  env: cleanEnvironment({ ...enclave.environment('clientSecret', files), ...settings, ...schedule }),
  stdio: ['ignore', 'pipe', 'pipe'],
})
const exited = once(service, 'exit')
let printed = ''
for (const stream of [service.stdout, service.stderr]) {
  stream.setEncoding('utf8').on('data', (text: string) => {
    search(text, 'the log')
    if (/unhandled|uncaught/i.test(text)) problems.add(`the log says: ${text.slice(0, 300)}`)
    printed = (printed + text).slice(-20_000)
  })
}
const origin = await originOf()

const paths = ['', 'api/profile', 'api/diagnostics?explain=true', 'api/health', 'api/metrics', 'api/none?x=%00%ff%2e']
const ending = new AbortController()
let requests = 0
const callers = Array.from({ length: 6 }, async (_, caller) => {
  for (let turn = caller; !ending.signal.aborted; turn++) {
    const path = paths[turn % paths.length] ?? ''
    // Some callers give up at once, some send an unexpected body.
    const isGivenUp = turn % 19 === 0
    const body = turn % 13 === 0 ? { method: 'POST', body: 'x'.repeat(100_000) } : {}
    try {
      const response = await fetch(origin + path, { ...body, signal: AbortSignal.timeout(isGivenUp ? 1 : 60_000) })
      search(await response.text(), path)
      if (response.status >= 500) problems.add(`${path}: ${response.status}`)
    } catch (error) {
      if (!isGivenUp && !ending.signal.aborted) problems.add(`${path}: ${String(error)}`)
    }
    requests++
    await sleep(50)
  }
})

const kinds = Object.keys(faultTable) as FaultKind[]
const faults = kinds.flatMap((kind) => faultTable[kind].targets.map((target) => ({ kind, target })))
const samples: { readonly megabytes: number; readonly descriptors: number }[] = []
const end = Date.now() + minutes * 60_000
let turn = 0
for (; Date.now() < end && service.exitCode === null; turn++) {
  // The step has no divisor in common with the number of faults, so each fault has its turn, far from its neighbors.
  const { kind, target } = faults[(turn * 37) % faults.length] ?? { kind: 'refused', target: undefined }
  // Every third turn is without a fault.
  await (turn % 3 === 0 ? enclave.setFault(undefined) : enclave.setFault({ kind }, target))
  await sleep(2000)
  samples.push(sample())
}
await enclave.setFault(undefined)

const healed = Date.now()
let status: string | undefined
for (; status !== 'ok' && Date.now() - healed < recoveryMs; await sleep(500)) {
  const response = await fetch(`${origin}api/diagnostics`).catch(() => undefined)
  status = ((await response?.json()) as { readonly status?: string } | undefined)?.status
}
const recoveredMs = Date.now() - healed
if (status !== 'ok') problems.add(`not OK ${recoveryMs / 1000} s after the last fault`)
ending.abort()
await Promise.all(callers)
service.kill('SIGTERM')
await exited
if (service.exitCode !== 0) problems.add(`the service exited with ${service.exitCode ?? service.signalCode}`)
await enclave.close()
rmSync(directory, { recursive: true })

const growth = (['megabytes', 'descriptors'] as const).map((name) => {
  const median = (from: number, to: number) => {
    const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
    const values = part.map((each) => each[name]).toSorted((one, other) => one - other)
    return values[Math.floor(values.length / 2)] ?? 0
  }
  const [early, late] = [median(0.2, 0.5), median(0.8, 1)]
  if (late > early + allowedGrowth[name]) problems.add(`${name} grew`)
  return `${name} ${early} -> ${late}`
})
const summary = `${minutes} min, ${requests} requests, ${turn} turns, ${growth.join(', ')}, ${status} after ${recoveredMs} ms`
process.stdout.write(`${[summary, ...(problems.size === 0 ? ['clean'] : problems)].join('\n')}\n`)
if (problems.size > 0) process.stderr.write(`${printed.slice(-4000)}\n`)
process.exit(problems.size === 0 ? 0 : 1)

async function originOf(): Promise<string> {
  for (let waited = 0; waited < 120_000 && service.exitCode === null; waited += 50) {
    const origin = /Server running on (http:\S+)/.exec(printed)?.[1]
    if (origin !== undefined) return `${origin}/`
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${printed}`)
}

/** The resources of the service, which Linux tells below /proc. */
function sample() {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
  return { megabytes: Math.round(kilobytes / 1024), descriptors: readdirSync(`/proc/${service.pid}/fd`).length }
}
